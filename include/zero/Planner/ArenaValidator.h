//===- ArenaValidator.h - Is a plan right? ----------------------*- C++ -*-===//

#ifndef ZERO_PLANNER_ARENAVALIDATOR_H
#define ZERO_PLANNER_ARENAVALIDATOR_H

#include "zero/Planner/ArenaPlanner.h"

#include <cstddef>
#include <optional>
#include <string>

namespace zero {

/// What is wrong with a plan, and with which buffers.
struct PlanFault {
  std::string message;
  size_t buffer, other; ///< equal where only one is at fault
};

/// Checks a plan that other code made: every buffer aligned and inside the arena, no
/// two that live at the same time overlapping. Nothing if all is well.
std::optional<PlanFault> validateArena(const std::vector<PlannedBuffer> &buffers,
                                       const ArenaPlan &plan, int64_t alignment);

} // namespace zero

#endif // ZERO_PLANNER_ARENAVALIDATOR_H

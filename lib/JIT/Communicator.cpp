//===- Communicator.cpp - Ranks as threads of this process ----------------===//

#include "StepState.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <pthread.h>
#include <system_error>

using namespace llvm;

namespace zero {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

char RuntimeError::ID;

void RuntimeError::log(raw_ostream &os) const { os << text; }

std::error_code RuntimeError::convertToErrorCode() const { return inconvertibleErrorCode(); }

Error toError(zrt_status_t *status) {
  if (!status)
    return Error::success();
  auto error = make_error<RuntimeError>(zrt_status_code(status), zrt_status_message(status));
  zrt_status_destroy(status);
  return error;
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

Expected<std::vector<Communicator>>
Communicator::inProcess(int64_t worldSize, double deadlineSeconds, bool check) {
  if (worldSize < 1 || worldSize > UINT32_MAX)
    return createStringError("world-size is " + Twine(worldSize) + "; want at least 1");
  zrt_communicator_config_t config{};
  config.struct_size = sizeof config;
  config.deadline_seconds = deadlineSeconds;
  config.check = check;
  std::vector<zrt_communicator_t *> handles(worldSize);
  if (Error error =
          toError(zrt_communicator_create_in_process(&config, worldSize, handles.data())))
    return error;
  std::vector<Communicator> ends;
  for (zrt_communicator_t *handle : handles)
    ends.push_back(Communicator(handle));
  return ends;
}

void Communicator::Destroy::operator()(zrt_communicator_t *end) const {
  zrt_communicator_destroy(end);
}

int64_t Communicator::getRank() const { return zrt_communicator_rank(handle.get()); }
int64_t Communicator::getWorldSize() const {
  return zrt_communicator_world_size(handle.get());
}

void Communicator::abort(StringRef reason) {
  zrt_communicator_abort(handle.get(), reason.str().c_str());
}

/// The error of the first rank that failed by itself; where there is none, that of
/// the first that failed. The others are dropped.
static Error selectCause(std::vector<Error> errors) {
  Error first = Error::success(), cause = Error::success();
  for (Error &error : errors) {
    bool failed = static_cast<bool>(error), followed = false;
    if (error.isA<RuntimeError>())
      error = handleErrors(std::move(error), [&](std::unique_ptr<RuntimeError> failure) {
        followed = failure->getCode() == ZRT_STATUS_ABORTED;
        return Error(std::move(failure));
      });
    Error &slot = followed ? first : cause;
    if (failed && !slot)
      slot = std::move(error);
    else
      consumeError(std::move(error));
  }
  if (!cause)
    return first;
  consumeError(std::move(first));
  return cause;
}

namespace {
/// What one rank's thread is given and leaves behind.
struct RankTask {
  Communicator &end;
  function_ref<Error(Communicator &)> body;
  Error error = Error::success();
  pthread_t thread = {};

  void run() {
    ErrorAsOutParameter checked(error);
    error = body(end);
    if (error)
      end.abort("rank " + std::to_string(end.getRank()) + " failed");
  }
};
} // namespace

/// Not std::thread: where the system has no more threads it throws, and this library
/// is built without exceptions.
static Error startThread(RankTask &task) {
  auto run = [](void *argument) -> void * {
    static_cast<RankTask *>(argument)->run();
    return nullptr;
  };
  if (int code = pthread_create(&task.thread, nullptr, run, &task))
    return createStringError(std::error_code(code, std::generic_category()),
                             "no thread for rank " + Twine(task.end.getRank()) + ": " +
                                 std::generic_category().message(code));
  return Error::success();
}

Error forEachRank(MutableArrayRef<Communicator> ends,
                  function_ref<Error(Communicator &)> body) {
  std::vector<std::unique_ptr<RankTask>> tasks;
  Error notStarted = Error::success();
  for (Communicator &end : ends) {
    auto task = std::make_unique<RankTask>(RankTask{end, body});
    notStarted = startThread(*task);
    if (notStarted) {
      end.abort("rank " + std::to_string(end.getRank()) + " has no thread");
      break;
    }
    tasks.push_back(std::move(task));
  }
  std::vector<Error> errors;
  for (std::unique_ptr<RankTask> &task : tasks) {
    pthread_join(task->thread, nullptr);
    errors.push_back(std::move(task->error));
  }
  errors.push_back(std::move(notStarted));
  return selectCause(std::move(errors));
}

} // namespace zero

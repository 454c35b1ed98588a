//===- ThreadPool.h - The threads of one rank -------------------*- C++ -*-===//

#ifndef ZRT_CPU_THREADPOOL_H
#define ZRT_CPU_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <vector>

#include <pthread.h>

namespace zrt {

/// Runs parts of one job at a time on the caller's thread and `threads` - 1 others.
/// Workers spin for some microseconds before they sleep, since jobs follow each other
/// closely.
class ThreadPool {
public:
  /// A part of a job: (context, part, thread).
  using Part = void (*)(void *context, uint64_t part, unsigned thread);

  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  /// Starts the other threads, once. False where the system has no more of them.
  bool start(unsigned threads);

  unsigned size() const { return workers.size() + 1; }

  /// Calls `part` for 0 .. count - 1, each once, in any order, and waits for all.
  void run(uint64_t count, Part part, void *context);

  /// `body(part, thread)` for each part.
  template <typename Body> void forEach(uint64_t count, Body body) {
    run(
        count,
        [](void *context, uint64_t part, unsigned thread) {
          (*static_cast<Body *>(context))(part, thread);
        },
        &body);
  }

private:
  struct Worker {
    ThreadPool *pool;
    unsigned thread;
    pthread_t handle;
  };
  static void *enter(void *worker);
  void work(unsigned thread);
  void takeParts(unsigned thread);

  Part part = nullptr;
  void *context = nullptr;
  uint64_t count = 0;
  alignas(64) std::atomic<uint64_t> next{0};
  alignas(64) std::atomic<uint32_t> epoch{0};
  alignas(64) std::atomic<uint32_t> busy{0};
  std::atomic<bool> stopping{false};
  std::vector<Worker> workers; ///< never grows once threads run
};

/// Tells the OpenMP runtime of the math library that this thread works alone.
void useOneMathThread();

} // namespace zrt

#endif // ZRT_CPU_THREADPOOL_H

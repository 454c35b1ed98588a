//===- ThreadPool.cpp - The threads of one rank ---------------------------===//

#include "cpu/ThreadPool.h"

#include <dlfcn.h>

namespace zrt {

static constexpr unsigned kSpins = 4000; // about 50 microseconds of pauses

static void pause() { __builtin_ia32_pause(); }

void useOneMathThread() {
  using SetThreads = void (*)(int);
  if (auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
    set(1);
}

void *ThreadPool::enter(void *argument) {
  auto *worker = static_cast<Worker *>(argument);
  worker->pool->work(worker->thread);
  return nullptr;
}

bool ThreadPool::start(unsigned threads) {
  workers.reserve(threads - 1);
  for (unsigned thread = 1; thread < threads; ++thread) {
    workers.push_back({this, thread, {}});
    if (pthread_create(&workers.back().handle, nullptr, enter, &workers.back()) != 0) {
      workers.pop_back();
      return false;
    }
  }
  return true;
}

ThreadPool::~ThreadPool() {
  stopping = true;
  epoch.fetch_add(1);
  epoch.notify_all();
  for (Worker &worker : workers)
    pthread_join(worker.handle, nullptr);
}

void ThreadPool::takeParts(unsigned thread) {
  for (uint64_t mine; (mine = next.fetch_add(1, std::memory_order_relaxed)) < count;)
    part(context, mine, thread);
}

void ThreadPool::work(unsigned thread) {
  useOneMathThread();
  for (uint32_t seen = 0;;) {
    for (unsigned spin = 0; spin < kSpins && epoch.load(std::memory_order_acquire) == seen; ++spin)
      pause();
    epoch.wait(seen, std::memory_order_acquire);
    seen = epoch.load(std::memory_order_acquire);
    if (stopping)
      return;
    takeParts(thread);
    if (busy.fetch_sub(1, std::memory_order_release) == 1)
      busy.notify_one();
  }
}

void ThreadPool::run(uint64_t parts, Part newPart, void *newContext) {
  if (workers.empty() || parts <= 1) {
    for (uint64_t i = 0; i < parts; ++i)
      newPart(newContext, i, 0);
    return;
  }
  part = newPart;
  context = newContext;
  count = parts;
  next.store(0, std::memory_order_relaxed);
  busy.store(workers.size(), std::memory_order_relaxed);
  epoch.fetch_add(1, std::memory_order_release);
  epoch.notify_all();
  takeParts(0);
  // Every worker must have left this job before the next one changes it.
  for (uint32_t left; (left = busy.load(std::memory_order_acquire)) != 0;) {
    for (unsigned spin = 0; spin < kSpins && busy.load(std::memory_order_acquire) != 0; ++spin)
      pause();
    if ((left = busy.load(std::memory_order_acquire)) != 0)
      busy.wait(left, std::memory_order_acquire);
  }
}

} // namespace zrt

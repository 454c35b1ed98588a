/* Prints the f32 multiply-adds that N threads do at most, in GFLOP/s. */
#include <immintrin.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CHAINS = 12, ROUNDS = 100000000 };

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Independent chains, enough to fill the pipelines of two units. */
static void *work(void *result) {
  __m512 chains[CHAINS], factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(1e-6f);
  for (int i = 0; i < CHAINS; ++i)
    chains[i] = _mm512_set1_ps(1.0f + i);
  for (long round = 0; round < ROUNDS; ++round)
    for (int i = 0; i < CHAINS; ++i)
      chains[i] = _mm512_fmadd_ps(chains[i], factor, term);
  for (int i = 1; i < CHAINS; ++i)
    chains[0] = _mm512_add_ps(chains[0], chains[i]);
  *(float *)result = _mm512_reduce_add_ps(chains[0]);
  return NULL;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  if (threads < 1 || threads > 256)
    return 1;
  pthread_t handles[256];
  float results[256];
  double start = seconds();
  for (int i = 0; i < threads; ++i)
    pthread_create(&handles[i], NULL, work, &results[i]);
  for (int i = 0; i < threads; ++i)
    pthread_join(handles[i], NULL);
  printf("%.1f\n", 2.0 * 16 * CHAINS * ROUNDS * threads / (seconds() - start) / 1e9);
  return 0;
}

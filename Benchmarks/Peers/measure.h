// Helpers of the programs that measure: a clock, percentiles, and an exit with a reason.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Returns the time of the monotonic clock, in nanoseconds.
static inline uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void stop(const char *what) {
  perror(what);
  exit(1);
}

static inline void need(int holds, const char *what) {
  if (!holds) stop(what);
}

static inline int compare_ns(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

// Sorts the values and returns the value at `fraction`, or 0 if there are no values.
static inline uint64_t percentile(uint64_t *values, size_t count, double fraction) {
  if (count == 0) return 0;
  qsort(values, count, sizeof *values, compare_ns);
  size_t index = (size_t)(fraction * (double)count);
  return values[index < count ? index : count - 1];
}

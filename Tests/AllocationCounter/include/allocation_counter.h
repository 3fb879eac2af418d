// The layout of the file that ALLOCATION_COUNTER_FILE names. A process with the allocation counter writes the counts
// into this file. The test reads the counts, and sets `is_armed`.
#ifndef CARILLON_ALLOCATION_COUNTER_H
#define CARILLON_ALLOCATION_COUNTER_H

#include <stdint.h>

enum { allocation_frames = 80, allocation_sites = 1024, allocation_owner_bytes = 48 };

// One allocation site: a stack of calls that ends in an allocation.
typedef struct {
  uint64_t count;
  // Whether the program called malloc(3) itself. The Swift runtime allocates objects. The program itself allocates only
  // frames of coroutines, and only in code without optimisation.
  uint64_t is_direct;
  // The file of the innermost caller that is no part of the C, C++ or Swift runtime.
  char owner[allocation_owner_bytes];
  // Return addresses, the innermost first, as offsets into the program; 0 for addresses in
  // libraries.
  uint64_t frames[allocation_frames];
} allocation_site;

typedef struct {
  // The test sets this field. While the field is not 0, the library counts all allocations.
  volatile uint64_t is_armed;
  // The number of jobs that executors of the program ran.
  uint64_t jobs;
  // The number of allocations that the table had no free site for.
  uint64_t unplaced;
  uint64_t site_count;
  allocation_site sites[allocation_sites];
} allocation_counts;

#endif

// What a process preloaded with the allocation counter writes into the file that ALLOCATION_COUNTER_FILE names,
// and what tells it to: the layout that the test reads.
#ifndef CARILLON_ALLOCATION_COUNTER_H
#define CARILLON_ALLOCATION_COUNTER_H

#include <stdint.h>

enum { allocation_frames = 80, allocation_sites = 1024, allocation_owner_bytes = 48 };

// One way to allocate: the same calls, one within the other.
typedef struct {
  uint64_t count;
  // Whether the program called malloc(3) itself: no object of Swift, which its runtime makes, but the frame of a
  // coroutine, which only code that is not optimised keeps there.
  uint64_t is_direct;
  // The file of the innermost caller that is no part of the C, C++ or Swift runtime.
  char owner[allocation_owner_bytes];
  // Return addresses, the innermost first, as offsets into the program; 0 for those in libraries.
  uint64_t frames[allocation_frames];
} allocation_site;

typedef struct {
  // Set from outside: while it is not 0, all is counted.
  volatile uint64_t is_armed;
  // Jobs that executors of the program ran.
  uint64_t jobs;
  // Allocations for which there was no site left.
  uint64_t unplaced;
  uint64_t site_count;
  allocation_site sites[allocation_sites];
} allocation_counts;

#endif

// The time that gettimeofday(2) returns on one thread, for tests of libraries that read the time themselves.
#ifndef CARILLON_VIRTUAL_TIME_H
#define CARILLON_VIRTUAL_TIME_H

#include <stdint.h>

// Sets the time that gettimeofday(2) returns on this thread, in µs since 1970-01-01T00:00:00Z; 0 for the real time.
void virtual_time_set(int64_t microseconds);

#endif

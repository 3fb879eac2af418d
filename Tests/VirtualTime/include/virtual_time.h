// The time that gettimeofday(2) tells one thread, for tests of libraries that ask for the time themselves.
#ifndef CARILLON_VIRTUAL_TIME_H
#define CARILLON_VIRTUAL_TIME_H

#include <stdint.h>

// From now on gettimeofday(2) tells this thread so many µs since 1970-01-01T00:00:00Z; 0: the real time again.
void virtual_time_set(int64_t microseconds);

#endif

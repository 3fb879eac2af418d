// How much memory a process has taken, for tests that bound it.
#ifndef CARILLON_HEAP_SIZE_H
#define CARILLON_HEAP_SIZE_H

// Bytes that malloc(3) has given to the process and that were not freed.
long heap_size(void);

#endif

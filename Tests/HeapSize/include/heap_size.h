// The allocated memory of this process, for tests that limit this memory.
#ifndef CARILLON_HEAP_SIZE_H
#define CARILLON_HEAP_SIZE_H

// The number of bytes that malloc(3) has given to the process and that the process has not freed.
long heap_size(void);

#endif

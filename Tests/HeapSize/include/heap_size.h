// The allocated memory of this process, for tests that limit this memory.
#ifndef CARILLON_HEAP_SIZE_H
#define CARILLON_HEAP_SIZE_H

// The number of bytes that the process has allocated with malloc(3) and has not freed.
long heap_size(void);

#endif

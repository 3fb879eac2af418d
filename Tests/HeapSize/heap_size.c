#include "heap_size.h"

#include <malloc.h>

long heap_size(void) { return (long)mallinfo2().uordblks; }

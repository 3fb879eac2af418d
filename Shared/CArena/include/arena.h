// Memory for one packing or unpacking at a time: taken in order, given back all at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <protobuf-c/protobuf-c.h>

typedef struct carillon_arena carillon_arena;

// Takes this thread's arena, empty. Its memory stays with the thread from one use to the next, so
// that a steady load allocates nothing. A second arena taken before the first is given back is one
// of its own, allocated for the purpose.
//
// limit: the most bytes all allocations together may use, their bookkeeping included.
// Returns NULL when the process is out of memory.
carillon_arena *carillon_arena_begin(size_t limit);

// Gives the arena back, on the thread that took it. Nothing it allocated may be used any more.
void carillon_arena_end(carillon_arena *arena);

// `size` bytes, aligned to 8, not initialised. NULL beyond the limit or out of memory.
void *carillon_arena_alloc(carillon_arena *arena, size_t size);

// The arena as protobuf-c wants it. Valid as long as the arena; freeing does nothing.
ProtobufCAllocator *carillon_arena_allocator(carillon_arena *arena);

// Whether an allocation was refused since the arena was taken.
bool carillon_arena_is_exhausted(const carillon_arena *arena);

// The length of a string that protobuf-c unpacked into an arena, or of its default; -1 when it
// contains a NUL. protobuf-c allocates one byte more than there are on the wire and does not look at
// them, so the allocation knows what strlen(3) cannot.
ptrdiff_t carillon_arena_string_length(const char *string);

// Copies `length` bytes to `to`, without any NUL among them, and ends them with one. `to` has room
// for `length` + 1.
void carillon_copy_text(char *to, const uint8_t *from, size_t length);

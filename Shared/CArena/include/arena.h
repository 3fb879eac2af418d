// Memory for packing or unpacking one message at a time: allocated in order, and freed all at once.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <protobuf-c/protobuf-c.h>

typedef struct carillon_arena carillon_arena;

// Takes this thread's arena, which is empty. The thread keeps the arena's memory between uses, so a
// steady load allocates nothing. If a thread takes a second arena before it returns the first, the
// second arena is allocated separately.
//
// limit: the maximum number of bytes of all allocations together, including their headers. Returns
// NULL when the process is out of memory.
carillon_arena *carillon_arena_begin(size_t limit);

// Ends the use of the arena, on the thread that took it. All allocations from the arena become
// invalid.
void carillon_arena_end(carillon_arena *arena);

// Returns `size` bytes, aligned to 8 and not initialised; NULL beyond the limit or when out of
// memory.
void *carillon_arena_alloc(carillon_arena *arena, size_t size);

// Returns an allocator for protobuf-c that allocates from the arena. The allocator is valid as long
// as the arena is valid. The allocator's `free` function does nothing.
ProtobufCAllocator *carillon_arena_allocator(carillon_arena *arena);

// Returns whether the arena has refused an allocation since the thread took it.
bool carillon_arena_is_exhausted(const carillon_arena *arena);

// Returns the length of a string that protobuf-c unpacked into an arena; -1 when the string
// contains a NUL. `string` may also be a field's default value. protobuf-c allocates one byte more
// than the string has on the wire, and does not check the bytes. So the size of the allocation
// determines the length. strlen(3) would stop at the first NUL.
ptrdiff_t carillon_arena_string_length(const char *string);

// Copies `length` bytes to `to`, omits every NUL, and appends one NUL. `to` has room for `length` +
// 1 bytes.
void carillon_copy_text(char *to, const uint8_t *from, size_t length);

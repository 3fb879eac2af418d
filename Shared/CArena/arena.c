#include "arena.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// AddressSanitizer sees a chunk as one allocation. The arena reports which parts of a chunk are in
// use, so AddressSanitizer also detects reads and writes outside the arena's own allocations.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif

#ifdef HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#define UNCHECKED __attribute__((no_sanitize("address")))
static void hide(const void *start, size_t count) { __asan_poison_memory_region(start, count); }
static void show(const void *start, size_t count) { __asan_unpoison_memory_region(start, count); }
#else
#define UNCHECKED
static void hide(const void *start, size_t count) { (void)start, (void)count; }
static void show(const void *start, size_t count) { (void)start, (void)count; }
#endif

// The header that precedes each allocation, and contains the size of the allocation. The header has
// eight bytes, so that the allocation stays aligned.
typedef struct {
  uint64_t size;
} prefix;

typedef struct chunk {
  struct chunk *older;
  size_t capacity;
  size_t used;
  uint64_t bytes[];
} chunk;

struct carillon_arena {
  ProtobufCAllocator allocator;
  chunk *newest;
  size_t limit;
  size_t used;
  bool is_exhausted;
  bool is_taken;
  bool is_owned_by_thread;
};

enum {
  first_capacity = 16 * 1024,
  // The maximum memory that a thread keeps between uses, in bytes.
  kept_capacity = 256 * 1024,
};

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;
static _Thread_local carillon_arena *mine;

static void free_chunks(chunk *newest) {
  while (newest) {
    chunk *older = newest->older;
    free(newest);
    newest = older;
  }
}

static void free_arena(void *value) {
  carillon_arena *arena = value;
  free_chunks(arena->newest);
  if (mine == arena) mine = NULL;
  free(arena);
}

static void make_key(void) { has_key = pthread_key_create(&key, free_arena) == 0; }

static void *allocate(void *data, size_t size) { return carillon_arena_alloc(data, size); }

static void release(void *data, void *pointer) {
  (void)data;
  (void)pointer;
}

static carillon_arena *make_arena(void) {
  carillon_arena *arena = calloc(1, sizeof *arena);
  if (!arena) return NULL;
  arena->allocator = (ProtobufCAllocator){
      .alloc = allocate, .free = release, .allocator_data = arena};
  return arena;
}

carillon_arena *carillon_arena_begin(size_t limit) {
  carillon_arena *arena = mine;
  if (!arena || arena->is_taken) {
    arena = make_arena();
    if (!arena) return NULL;
    if (!mine) {
      pthread_once(&key_once, make_key);
      // Without a destructor that runs at the thread's end, the thread must not keep the arena.
      if (has_key && pthread_setspecific(key, arena) == 0) {
        arena->is_owned_by_thread = true;
        mine = arena;
      }
    }
  }
  arena->limit = limit;
  arena->is_taken = true;
  return arena;
}

void carillon_arena_end(carillon_arena *arena) {
  if (!arena->is_owned_by_thread) {
    free_chunks(arena->newest);
    free(arena);
    return;
  }
  // The newest chunk is the largest. The arena keeps this chunk unless a single large message
  // required a chunk of this size.
  chunk *newest = arena->newest;
  if (newest) {
    free_chunks(newest->older);
    newest->older = NULL;
    newest->used = 0;
    hide(newest->bytes, newest->capacity);
    if (newest->capacity > kept_capacity) {
      free(newest);
      arena->newest = NULL;
    }
  }
  arena->used = 0;
  arena->is_exhausted = false;
  arena->is_taken = false;
}

static chunk *add_chunk(carillon_arena *arena, size_t needed) {
  size_t capacity = arena->newest ? arena->newest->capacity * 2 : first_capacity;
  if (capacity < needed) capacity = needed;
  chunk *added = malloc(sizeof(chunk) + capacity);
  if (!added) return NULL;
  *added = (chunk){.older = arena->newest, .capacity = capacity};
  hide(added->bytes, capacity);
  arena->newest = added;
  return added;
}

void *carillon_arena_alloc(carillon_arena *arena, size_t size) {
  size_t needed = sizeof(prefix) + ((size + 7) & ~(size_t)7);
  if (size > SIZE_MAX / 4 || needed > arena->limit - arena->used) {
    arena->is_exhausted = true;
    return NULL;
  }
  chunk *chunk = arena->newest;
  if (!chunk || needed > chunk->capacity - chunk->used) chunk = add_chunk(arena, needed);
  if (!chunk) {
    arena->is_exhausted = true;
    return NULL;
  }
  prefix *start = (prefix *)((char *)chunk->bytes + chunk->used);
  show(start, sizeof *start + size);
  start->size = size;
  hide(start, sizeof *start);
  chunk->used += needed;
  arena->used += needed;
  return start + 1;
}

ProtobufCAllocator *carillon_arena_allocator(carillon_arena *arena) { return &arena->allocator; }

bool carillon_arena_is_exhausted(const carillon_arena *arena) { return arena->is_exhausted; }

UNCHECKED static size_t size_of(const void *allocation) {
  return ((const prefix *)allocation - 1)->size;
}

ptrdiff_t carillon_arena_string_length(const char *string) {
  if (!string || string == protobuf_c_empty_string) return 0;
  size_t length = size_of(string) - 1;
  return memchr(string, 0, length) ? -1 : (ptrdiff_t)length;
}

void carillon_copy_text(char *to, const uint8_t *from, size_t length) {
  while (length > 0) {
    const uint8_t *nul = memchr(from, 0, length);
    size_t count = nul ? (size_t)(nul - from) : length;
    memcpy(to, from, count);
    to += count;
    if (!nul) break;
    from = nul + 1;
    length -= count + 1;
  }
  *to = 0;
}

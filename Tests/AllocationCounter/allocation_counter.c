// Counts the allocations of a process by their callers. Tests preload this library into the process
// (LD_PRELOAD). The library defines malloc(3) and similar functions. These replace the functions of
// the C library, count each call, and pass the call on to the C library.
#define _GNU_SOURCE
#include "allocation_counter.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static allocation_counts *counts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Whether this thread is counting. The library does not count the allocations of its own code. The
// variable is in the static block of thread-local storage, so that the variable causes no
// allocation.
static __thread int is_counting __attribute__((tls_model("initial-exec")));

// Returns whether a file belongs to a runtime library. A runtime allocates for its callers, so the
// library attributes the allocation to the next caller.
static int is_runtime(const char *file) {
  static const char *const names[] = {"libc.so", "libswiftCore", "libswift_Concurrency", "libstdc++", "libgcc_s",
                                      "libswiftSwiftOnoneSupport"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++)
    if (strstr(file, names[index])) return 1;
  return 0;
}

// The address range of the program or of one of the program's libraries. The counter notes the
// ranges at the start, because each lookup with dladdr(3) would search all symbols.
typedef struct {
  uintptr_t start, end, base;
  char name[allocation_owner_bytes];
  int is_program, is_runtime, is_counter;
} module;

static module modules[128];
static int module_count;

static int note_module(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (module_count == sizeof modules / sizeof *modules) abort();
  // The first module is the program.
  module *noted = &modules[module_count];
  noted->is_program = module_count == 0;
  const char *name = noted->is_program ? program_invocation_name : info->dlpi_name;
  const char *last = strrchr(name, '/');
  strncpy(noted->name, last ? last + 1 : name, allocation_owner_bytes - 1);
  noted->is_runtime = is_runtime(noted->name);
  noted->is_counter = strstr(noted->name, "llocation") != NULL;
  noted->base = info->dlpi_addr;
  noted->start = UINTPTR_MAX;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
    if (start < noted->start) noted->start = start;
    if (end > noted->end) noted->end = end;
  }
  module_count++;
  return 0;
}

static const module *module_of(uintptr_t address) {
  for (int index = 0; index < module_count; index++)
    if (modules[index].start <= address && address < modules[index].end) return &modules[index];
  return NULL;
}

static void describe(allocation_site *site) {
  void *stack[allocation_frames];
  int depth = backtrace(stack, allocation_frames), is_beyond = 0;
  for (int index = 0; index < depth; index++) {
    const module *from = module_of((uintptr_t)stack[index]);
    if (!from || from->is_counter) continue;
    if (!is_beyond) site->is_direct = from->is_program;
    is_beyond = 1;
    if (!*site->owner && !from->is_runtime) strcpy(site->owner, from->name);
    if (from->is_program) site->frames[index] = (uintptr_t)stack[index] - from->base;
  }
}

static void count_site(const allocation_site *site) {
  pthread_mutex_lock(&lock);
  uint64_t index = 0;
  while (index < counts->site_count &&
         memcmp(&counts->sites[index].is_direct, &site->is_direct, sizeof *site - sizeof site->count))
    index++;
  if (index == allocation_sites) {
    counts->unplaced++;
  } else {
    if (index == counts->site_count) counts->sites[counts->site_count++] = *site;
    counts->sites[index].count++;
  }
  pthread_mutex_unlock(&lock);
}

static void count(void) {
  if (!counts || !counts->is_armed || is_counting) return;
  is_counting = 1;
  allocation_site site;
  memset(&site, 0, sizeof site);
  describe(&site);
  count_site(&site);
  is_counting = 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("ALLOCATION_COUNTER_FILE");
  // The library does not count allocations of processes that this process starts.
  unsetenv("LD_PRELOAD");
  if (!path) return;
  // The first call of backtrace(3) loads a library.
  void *stack[2];
  backtrace(stack, 2);
  dl_iterate_phdr(note_module, NULL);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) abort();
  void *memory = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) abort();
  counts = memory;
}

// MARK: What is hidden

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : 12;
}

// The Swift runtime calls these functions to run an actor's jobs on an executor of the program.
// Each argument of these functions is one machine word, and is passed as in C.
typedef void job_function(void *, void *, void *, void *, void *);

static void run(const char *name, void *a, void *b, void *c, void *d, void *e) {
  if (counts && counts->is_armed) __atomic_fetch_add(&counts->jobs, 1, __ATOMIC_RELAXED);
  job_function *next = (job_function *)dlsym(RTLD_NEXT, name);
  if (!next) abort();
  next(a, b, c, d, e);
}

void swift_job_run(void *a, void *b, void *c, void *d, void *e) { run("swift_job_run", a, b, c, d, e); }

void swift_job_run_on_serial_and_task_executor(void *a, void *b, void *c, void *d, void *e) {
  run("swift_job_run_on_serial_and_task_executor", a, b, c, d, e);
}

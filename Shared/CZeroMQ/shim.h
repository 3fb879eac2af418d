// What Swift sees of libzmq: <zmq.h>, and inline helpers for what Swift cannot call itself.
#ifndef CARILLON_CZEROMQ_SHIM_H
#define CARILLON_CZEROMQ_SHIM_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <zmq.h>

// The flags of eventfd(2) are enumerators of an anonymous enum, which Swift imports without a
// usable type. Returns a non-blocking, close-on-exec descriptor, or -1 with errno set.
static inline int czmq_eventfd(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// ppoll(2) is hidden without _GNU_SOURCE. Waits at most so many nanoseconds, without end if they are
// negative.
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
static inline int czmq_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(descriptors, count, nanoseconds < 0 ? 0 : &time, 0);
}

// prctl(2) is variadic, and pthread_setname_np(3) hidden without _GNU_SOURCE. Names the calling
// thread; the system keeps the first 15 bytes.
static inline void czmq_name_thread(const char *name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
}

// ETERM is an expression macro, which Swift does not import.
static inline int czmq_terminated(void) {
  return ETERM;
}

#endif

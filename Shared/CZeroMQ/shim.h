// The declarations of libzmq for Swift: <zmq.h>, and inline helpers for functions that Swift cannot
// call.
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

// ppoll(2) is hidden without _GNU_SOURCE. Waits for at most `nanoseconds`; a negative number means
// no timeout.
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
static inline int czmq_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(descriptors, count, nanoseconds < 0 ? 0 : &time, 0);
}

// Names the calling thread. The system keeps the first 15 bytes. Swift cannot call prctl(2), which
// is variadic, and pthread_setname_np(3) is hidden without _GNU_SOURCE.
static inline void czmq_name_thread(const char *name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
}

// ETERM is an expression macro, which Swift does not import.
static inline int czmq_terminated(void) {
  return ETERM;
}

#endif

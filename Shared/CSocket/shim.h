// What Swift cannot ask of a socket by itself: ioctl(2) is variadic.
#ifndef CARILLON_CSOCKET_SHIM_H
#define CARILLON_CSOCKET_SHIM_H

// Declared here, because a header that two modules include belongs to one of them, for all who see both.
extern int ioctl(int descriptor, unsigned long request, ...);

// SIOCOUTQ of <linux/sockios.h>.
#define CSOCKET_SIOCOUTQ 0x5411UL

// Bytes that the system holds for the peer, or -1: of a tcp socket those that are not acknowledged (tcp(7), SIOCOUTQ),
// of a Unix socket what the peer has not read, with what the system needs to hold it.
static inline int csocket_held(int descriptor) {
  int held = 0;
  return ioctl(descriptor, CSOCKET_SIOCOUTQ, &held) == 0 ? held : -1;
}

#endif

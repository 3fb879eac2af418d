// What Swift cannot ask of a socket by itself: ioctl(2) is variadic, and sendmmsg(2) and recvmmsg(2) are GNU's.
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

// A message of these is a `struct msghdr` and the bytes that went or came. The timeout may be null.
extern int sendmmsg(int descriptor, void *messages, unsigned int count, int flags);
extern int recvmmsg(int descriptor, void *messages, unsigned int count, int flags, void *timeout);

// The size of the datagrams that a longer one is cut into (udp(7)), and what it is an option of.
#define CSOCKET_UDP_SEGMENT 103
#define CSOCKET_SOL_UDP 17

#endif

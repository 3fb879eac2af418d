// The socket functions that Swift cannot call: ioctl(2) is variadic, and sendmmsg(2) and
// recvmmsg(2) are GNU extensions.
#ifndef CARILLON_CSOCKET_SHIM_H
#define CARILLON_CSOCKET_SHIM_H

// These functions are declared here, because Swift assigns a header that two modules include to
// only one of these modules.
extern int ioctl(int descriptor, unsigned long request, ...);

// SIOCOUTQ of <linux/sockios.h>.
#define CSOCKET_SIOCOUTQ 0x5411UL

// Returns the number of bytes that the system keeps for the peer, or -1. For a tcp socket, these
// are the unacknowledged bytes (tcp(7), SIOCOUTQ). For a Unix socket, they are the bytes that the
// peer has not read, including the system's overhead.
static inline int csocket_held(int descriptor) {
  int held = 0;
  return ioctl(descriptor, CSOCKET_SIOCOUTQ, &held) == 0 ? held : -1;
}

// Each message contains a `struct msghdr` and the number of bytes sent or received. The timeout may
// be null.
extern int sendmmsg(int descriptor, void *messages, unsigned int count, int flags);
extern int recvmmsg(int descriptor, void *messages, unsigned int count, int flags, void *timeout);

// UDP_SEGMENT (udp(7)) and the level of this option. The system divides a longer datagram into
// datagrams of the option's size.
#define CSOCKET_UDP_SEGMENT 103
#define CSOCKET_SOL_UDP 17

#endif

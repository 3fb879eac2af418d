// The declarations of epoll(7) for Swift. The Glibc module omits them.
#ifndef CARILLON_CEPOLL_SHIM_H
#define CARILLON_CEPOLL_SHIM_H

#include <sys/epoll.h>

#endif

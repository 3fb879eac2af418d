// What Swift sees of epoll(7), which the Glibc module leaves out.
#ifndef CARILLON_CEPOLL_SHIM_H
#define CARILLON_CEPOLL_SHIM_H

#include <sys/epoll.h>

#endif

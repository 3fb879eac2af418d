// The declarations of libsodium for Swift: boxes (X25519, XSalsa20, Poly1305), randomness and
// wiping.
#ifndef CARILLON_CSODIUM_SHIM_H
#define CARILLON_CSODIUM_SHIM_H

#include <sodium.h>

#endif

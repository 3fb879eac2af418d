// The declarations of OpenSSL 3.0 for Swift: DTLS 1.2, certificates and the ciphers of SRTP.
#ifndef CARILLON_COPENSSL_SHIM_H
#define CARILLON_COPENSSL_SHIM_H

// Calling SHA-1 directly is deprecated in 3.0, but EVP allocates memory for each digest.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/srtp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#endif

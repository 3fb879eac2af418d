// The declarations of zlib for Swift: one function that compresses. Swift cannot call zlib itself,
// because a z_stream must not move between calls and deflateInit2(3) is a macro.
#ifndef CARILLON_CZLIB_SHIM_H
#define CARILLON_CZLIB_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// The most bytes that czlib_gzip writes. compressBound(3) counts 6 bytes for zlib's header and
// trailer, but gzip's header and trailer have 18 bytes.
static inline size_t czlib_gzip_bound(size_t length) { return compressBound(length) + 12; }

// Writes the gzip format (RFC 1952), without a name or a time. Returns the number of bytes written;
// 0 if memory is short or the capacity is below the bound.
static inline size_t czlib_gzip(const uint8_t *bytes, size_t length, uint8_t *result,
                                size_t capacity) {
  z_stream stream = {0};
  // 15 selects the largest window, and adding 16 selects gzip's format.
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)length;
  stream.next_out = result;
  stream.avail_out = (uInt)capacity;
  int end = deflate(&stream, Z_FINISH);
  size_t written = stream.total_out;
  deflateEnd(&stream);
  return end == Z_STREAM_END ? written : 0;
}

#endif

// Clients of a WebSocket (RFC 6455), for any protocol in its messages.
#include <string.h>

#include "crowd.h"

void websocket_greet(struct link *link, const char *path, const char *more) {
  char head[1024];
  int count = snprintf(head, sizeof head,
                       "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
                       path, more);
  need(count > 0 && (size_t)count < sizeof head, "a request of this length");
  put(link, head, (size_t)count);
}

// Sends a message. The mask is zero, which leaves the bytes unchanged.
void websocket_put(struct link *link, unsigned opcode, const uint8_t *bytes, size_t count) {
  uint8_t frame[8192] = {(uint8_t)(0x80 | opcode)};
  size_t at = 2;
  need(count < sizeof frame - 16, "a message of this length");
  frame[1] = (uint8_t)(0x80 | (count < 126 ? count : 126));
  if (count >= 126) {
    frame[at++] = (uint8_t)(count >> 8);
    frame[at++] = (uint8_t)count;
  }
  at += 4;
  memcpy(frame + at, bytes, count);
  put(link, frame, at + count);
}

// Returns the length of the response to the upgrade, up to the response's empty line; 0 if the
// response is incomplete.
static size_t take_head(const uint8_t *bytes, size_t count) {
  const uint8_t *end = memmem(bytes, count, "\r\n\r\n", 4);
  if (!end) return 0;
  if (memcmp(bytes, "HTTP/1.1 101", 12) != 0) {
    fprintf(stderr, "no upgrade: %.*s\n", (int)count, (const char *)bytes);
    exit(1);
  }
  return (size_t)(end - bytes) + 4;
}

size_t websocket_take(struct link *link, const uint8_t *bytes, size_t count,
                      void (*on_message)(struct link *, const uint8_t *, size_t)) {
  size_t at = 0;
  if (!link->is_greeted) {
    at = take_head(bytes, count);
    if (at == 0) return 0;
    link->is_greeted = true;
    on_message(link, NULL, 0);
  }
  while (count - at >= 2) {
    const uint8_t *frame = bytes + at;
    size_t head = 2, length = frame[1] & 0x7f;
    if (length >= 126) {
      size_t width = length == 126 ? 2 : 8;
      if (count - at < head + width) break;
      length = 0;
      for (size_t i = 0; i < width; i++) length = length << 8 | frame[head + i];
      head += width;
    }
    if (count - at < head + length) break;
    const uint8_t *payload = frame + head;
    switch (frame[0] & 0x0f) {
      case 8:
        fprintf(stderr, "the server closes: %u\n", length >= 2 ? (unsigned)payload[0] << 8 | payload[1] : 0);
        exit(1);
      case 9: websocket_put(link, 10, payload, length); break;
      case 10: break;
      default: on_message(link, payload, length);
    }
    at += head + length;
  }
  return at;
}

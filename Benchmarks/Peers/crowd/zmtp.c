#include <string.h>

#include "crowd.h"

enum { is_more = 1, is_long = 2, is_command = 4 };

void zmtp_greet(struct link *link, const char *socket_type) {
  uint8_t greeting[64] = {0xff, [9] = 0x7f, [10] = 3, [12] = 'N', 'U', 'L', 'L'};
  put(link, greeting, sizeof greeting);
  uint8_t ready[64] = "\x04\x00\x05READY\x0bSocket-Type";
  size_t length = strlen(socket_type), at = 8 + 12;
  ready[at + 3] = (uint8_t)length;
  memcpy(ready + at + 4, socket_type, length);
  ready[1] = (uint8_t)(at + 4 + length - 2);
  put(link, ready, at + 4 + length);
}

void zmtp_put(struct link *link, const uint8_t *bytes, size_t count) {
  uint8_t frame[9 + 4096];
  size_t head = 2;
  need(count <= 4096, "a message of this size");
  if (count < 256) {
    frame[0] = 0;
    frame[1] = (uint8_t)count;
  } else {
    head = 9;
    memset(frame, 0, 9);
    frame[0] = is_long;
    frame[7] = (uint8_t)(count >> 8);
    frame[8] = (uint8_t)count;
  }
  memcpy(frame + head, bytes, count);
  put(link, frame, head + count);
}

// Handles a command. READY opens the link. A PING has a time to live and a context; the PONG
// repeats the context.
static void take_command(struct link *link, const uint8_t *bytes, size_t count) {
  if (count >= 6 && memcmp(bytes, "\x05READY", 6) == 0) {
    link->is_open = true;
  } else if (count >= 7 && memcmp(bytes, "\x04PING", 5) == 0) {
    uint8_t pong[2 + 5 + 16] = "\x04\x00\x04PONG";
    size_t context = count - 7 < 16 ? count - 7 : 16;
    pong[1] = (uint8_t)(5 + context);
    memcpy(pong + 7, bytes + 7, context);
    put(link, pong, 7 + context);
  } else if (count >= 6 && memcmp(bytes, "\x05" "ERROR", 6) == 0) {
    fprintf(stderr, "the server refused the handshake\n");
    exit(1);
  }
}

size_t zmtp_take(struct link *link, const uint8_t *bytes, size_t count,
                 void (*on_message)(struct link *, const uint8_t *, size_t)) {
  size_t at = 0;
  if (!link->is_greeted) {
    if (count < 64) return 0;
    link->is_greeted = true;
    at = 64;
  }
  while (count - at >= 2) {
    uint8_t flags = bytes[at];
    size_t head = 2, size = bytes[at + 1];
    if (flags & is_long) {
      head = 9;
      if (count - at < head) break;
      size = 0;
      for (size_t i = 1; i < 9; i++) size = size << 8 | bytes[at + i];
    }
    if (count - at - head < size) break;
    const uint8_t *body = bytes + at + head;
    if (flags & is_command) {
      take_command(link, body, size);
    } else {
      on_message(link, body, size);
    }
    at += head + size;
  }
  return at;
}

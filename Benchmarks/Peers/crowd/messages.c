// Data messages (proto/README.md): a client sends messages through its gateway to everyone else in
// the meeting.
#include <string.h>

#include "crowd.h"

enum { most_data = 2048 };

static uint8_t data[most_data];
static size_t size = most_data;

void messages_set_size(size_t bytes) {
  need(bytes <= most_data, "a message of this size");
  size = bytes;
  // Varied bytes that are not text, so that nothing compresses them.
  for (size_t i = 0; i < size; i++) data[i] = (uint8_t)(i * 167 + i / 256);
}

const uint8_t *messages_data(void) { return data; }

size_t messages_size(void) { return size; }

size_t messages_put(uint8_t *at) {
  enum { topic = 4 << 3 | 2, payload = 5 << 3 | 2, lifetime_ms = 6 << 3 };
  size_t count = put_bytes(at, topic, "bench", 5);
  count += put_bytes(at + count, payload, data, size);
  at[count++] = lifetime_ms;
  return count + put_varint(at + count, 60000);
}

// Keys are as long as the keys of the client libraries.
const char *messages_next_key(void) {
  static char key[64];
  static unsigned long long number;
  snprintf(key, sizeof key, "bKq3Xw_d0Z-%04llx", ++number);
  return key;
}

static void send_message(struct link *speaker) {
  uint8_t body[most_data + 64];
  meeting_call(speaker, "AudioVideoFacade/SendDataMessage", messages_next_key(), body, messages_put(body));
}

void messages_take_reply(unsigned first) {
  enum { throttled = 2 };
  if (first != throttled) return;
  fprintf(stderr, "a message was throttled: raise the limits\n");
  exit(1);
}

const struct protocol messages_protocol = {meeting_greet, NULL, meeting_take, send_message};

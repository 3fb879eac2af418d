// Data messages, from proto/README.md: a client sends them through its gateway to everybody else in the meeting, or a
// gateway appends them at messaging and nobody listens.
#include <string.h>

#include "crowd.h"

enum { most_data = 2048 };

static uint8_t data[most_data];
static size_t size = most_data;
static const char *meeting;

static const char sender[] = "7b1f0c52-6d0e-4f0a-9d3b-2a54c3a9e601", session[16] = "sixteen bytes, 1";

void messages_set_size(size_t bytes) {
  need(bytes <= most_data, "a message of this size");
  size = bytes;
  // Not one value, lest something compresses it, and not text.
  for (size_t i = 0; i < size; i++) data[i] = (uint8_t)(i * 167 + i / 256);
}

const uint8_t *messages_data(void) { return data; }

size_t messages_size(void) { return size; }

void messages_set_meeting(const char *id) { meeting = id; }

// The topic, the data and the lifetime of a minute.
static size_t put_message(uint8_t *at) {
  enum { topic = 4 << 3 | 2, payload = 5 << 3 | 2, lifetime_ms = 6 << 3 };
  size_t count = put_bytes(at, topic, "bench", 5);
  count += put_bytes(at + count, payload, data, size);
  at[count++] = lifetime_ms;
  return count + put_varint(at + count, 60000);
}

// As clients make them: each message has its own.
static const char *next_key(void) {
  static char key[64];
  static unsigned long long number;
  snprintf(key, sizeof key, "3d0c9a4e-58f2-4b8e-8a57-%012llx", ++number);
  return key;
}

static void send_message(struct link *speaker) {
  uint8_t body[most_data + 64];
  meeting_call(speaker, "AudioVideoFacade/SendDataMessage", next_key(), body, put_message(body));
}

static void enter_append(struct link *link) {
  uint8_t body[256];
  size_t count = put_bytes(body, 0x0a, meeting, strlen(meeting));
  count += put_bytes(body + count, 0x12, session, sizeof session);
  count += put_bytes(body + count, 0x1a, sender, strlen(sender));
  if (link != links) meeting_call(link, "Messaging/Join", NULL, body, count);
}

static void append(struct link *speaker) {
  uint8_t body[most_data + 256], info[128];
  size_t length = put_bytes(info, 0x0a, sender, strlen(sender));
  length += put_bytes(info + length, 0x12, "client-0", 8);
  size_t count = put_bytes(body, 0x0a, meeting, strlen(meeting));
  count += put_bytes(body + count, 0x12, session, sizeof session);
  count += put_bytes(body + count, 0x1a, info, length);
  meeting_call(speaker + 1, "Messaging/SendDataMessage", next_key(), body, count + put_message(body + count));
}

void messages_take_reply(struct link *link, unsigned first) {
  enum { accepted = 1, throttled = 2 };
  // The answer of Join comes first, and its first field has the same number.
  static bool has_joined;
  if (meeting && has_joined && first == accepted) count_event(link);
  has_joined = true;
  if (first != throttled) return;
  fprintf(stderr, "a message was throttled: raise the limits\n");
  exit(1);
}

const struct protocol messages_protocol = {meeting_greet, NULL, meeting_take, send_message};
const struct protocol append_protocol = {meeting_greet, enter_append, meeting_take, append};

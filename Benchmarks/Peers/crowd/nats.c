// The text protocol of NATS, over TCP or in WebSocket messages: only publishing and subscribing to
// one subject.
#include <string.h>

#include "crowd.h"

static size_t payload_size = 64;

void nats_set_size(size_t bytes) { payload_size = bytes; }

static bool is_websocket;

static void say(struct link *link, const void *bytes, size_t count) {
  if (is_websocket) websocket_put(link, 2, bytes, count);
  else put(link, bytes, count);
}

static void greet(struct link *link) {
  static const char hello[] = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\n";
  say(link, hello, sizeof hello - 1);
  if (link != links) say(link, "SUB event 1\r\n", 13);
  say(link, "PING\r\n", 6);
}

// Returns the length of the line that begins here, including its line end; 0 if the line is incomplete.
static size_t line(const uint8_t *bytes, size_t count) {
  const uint8_t *end = memchr(bytes, '\n', count);
  return end ? (size_t)(end - bytes) + 1 : 0;
}

static size_t take(struct link *link, const uint8_t *bytes, size_t count) {
  size_t at = 0, length;
  while ((length = line(bytes + at, count - at)) > 0) {
    const uint8_t *begin = bytes + at;
    if (memcmp(begin, "MSG ", 4) == 0) {
      // MSG <subject> <subscription> <size>
      size_t size = 0;
      const uint8_t *digit = begin + length - 2;
      while (digit[-1] != ' ') digit--;
      for (; *digit >= '0' && *digit <= '9'; digit++) size = size * 10 + (size_t)(*digit - '0');
      if (count - at - length < size + 2) break;
      at += length + size + 2;
      count_bytes(length + size + 2);
      count_event(link);
      continue;
    }
    if (memcmp(begin, "PING", 4) == 0) say(link, "PONG\r\n", 6);
    if (memcmp(begin, "PONG", 4) == 0) link->is_open = true;
    if (memcmp(begin, "-ERR", 4) == 0) {
      fprintf(stderr, "%.*s", (int)length, begin);
      exit(1);
    }
    at += length;
  }
  return at;
}

static void trigger(struct link *speaker) {
  static uint8_t message[4096];
  int head = snprintf((char *)message, sizeof message, "PUB event %zu\r\n", payload_size);
  size_t end = (size_t)head + payload_size;
  need(end + 2 <= sizeof message, "a payload of this size");
  memcpy(message + end, "\r\n", 2);
  say(speaker, message, end + 2);
}

const struct protocol nats_protocol = {greet, NULL, take, trigger};

// Over a WebSocket, messages may split the text anywhere.

static void take_message(struct link *link, const uint8_t *bytes, size_t count) {
  if (!bytes) return greet(link);
  if (link->text_have == 0) {
    size_t taken = take(link, bytes, count);
    bytes += taken;
    count -= taken;
    if (count == 0) return;
  }
  if (link->text_have + count > link->text_room) {
    link->text_room = 2 * (link->text_have + count);
    link->text = realloc(link->text, link->text_room);
  }
  memcpy(link->text + link->text_have, bytes, count);
  link->text_have += count;
  size_t taken = take(link, link->text, link->text_have);
  link->text_have -= taken;
  memmove(link->text, link->text + taken, link->text_have);
}

static void greet_websocket(struct link *link) {
  is_websocket = true;
  websocket_greet(link, "/", "");
}

static size_t take_websocket(struct link *link, const uint8_t *bytes, size_t count) {
  return websocket_take(link, bytes, count, take_message);
}

const struct protocol nats_websocket_protocol = {greet_websocket, NULL, take_websocket, trigger};

// Acts as browsers in a meeting (proto/README.md §16): sends JOIN and counts received frames.
#include <string.h>

#include "crowd.h"

enum { join_type = 1, presence_type = 18, message_type = 22 };

static size_t put_frame(uint8_t *at, unsigned type) {
  at[0] = 5;
  at[1] = 0x08;
  size_t count = 2 + put_varint(at + 2, 1700000000000u);
  at[count++] = 0x10;
  return count + put_varint(at + count, type);
}

static void greet(struct link *link) {
  char path[128], protocol[512];
  const struct credentials *mine = meeting_credentials(link);
  snprintf(path, sizeof path, "/control/%s", mine->meeting);
  snprintf(protocol, sizeof protocol, "Sec-WebSocket-Protocol: _aws_wt_session, %s\r\n", mine->token);
  websocket_greet(link, path, protocol);
}

void browser_start(struct link *link) {
  // protocol_version 2, flags 2: the server sends presence.
  static const uint8_t join[] = {0x08, 2, 0x18, 2, 0xC8, 0x3E, 1};  // The last field is wants_no_media.
  uint8_t frame[64];
  size_t count = put_frame(frame, join_type);
  count += put_bytes(frame + count, 0x22, join, sizeof join);
  websocket_put(link, 2, frame, count);
}

static void take_frame(struct link *link, const uint8_t *bytes, size_t count) {
  if (!bytes) {
    link->is_open = true;
    return;
  }
  struct reader frame = {bytes + 1, bytes + count};
  struct field field, part;
  uint64_t type = 0;
  while (next(&frame, &field)) {
    switch (field.number) {
      case 2: type = field.value; break;
      case 19:  // The first presence of a connection is the whole roster.
        if (type == presence_type) start_session(link);
        break;
      case 23:
        while (next(&field.bytes, &part)) {
          if (part.number != 1) continue;
          count_bytes(count + (count < 126 ? 2 : 4));
          count_event(link);
        }
        break;
      default: break;
    }
  }
}

static size_t take(struct link *link, const uint8_t *bytes, size_t count) {
  return websocket_take(link, bytes, count, take_frame);
}

static void trigger(struct link *speaker) {
  uint8_t payload[4096], message[4200], frame[4300];
  size_t count = put_bytes(payload, 0x0a, "bench", 5);
  count += put_bytes(payload + count, 0x12, messages_data(), messages_size());
  count = put_bytes(message, 0x0a, payload, count);
  size_t head = put_frame(frame, message_type);
  // Field 23 has a tag of two bytes.
  frame[head++] = 0xba;
  head += put_bytes(frame + head, 0x01, message, count);
  websocket_put(speaker, 2, frame, head);
}

const struct protocol browsers_protocol = {greet, NULL, take, trigger};

// Clients of a gateway (proto/README.md). They send Start, KeepAlive and SetMuted, and count
// received events.
#include <string.h>

#include "crowd.h"


unsigned meeting_keep_alive_ms = 1000;

static struct credentials *credentials;

const struct credentials *meeting_credentials(const struct link *link) { return &credentials[link - links]; }

void meeting_read_credentials(const char *path) {
  FILE *file = fopen(path, "r");
  need(file != NULL, path);
  struct credentials one;
  while (fscanf(file, "%63s %63s %255s", one.meeting, one.attendee, one.token) == 3) {
    credentials = realloc(credentials, (link_count + 1) * sizeof one);
    credentials[link_count++] = one;
  }
  fclose(file);
}

static size_t expected;

void meeting_expect(size_t roster) { expected = roster; }

size_t meeting_size(const struct link *link) {
  static size_t *sizes;
  if (expected > 0) return expected;
  if (!sizes) {
    sizes = calloc(link_count, sizeof *sizes);
    // The lines of a meeting are adjacent.
    for (size_t first = 0, end = 0; first < link_count; first = end) {
      while (end < link_count && strcmp(credentials[end].meeting, credentials[first].meeting) == 0) end++;
      for (size_t i = first; i < end; i++) sizes[i] = end - first;
    }
  }
  return sizes[link - links];
}

// Protobuf, writing.

size_t put_varint(uint8_t *at, uint64_t value) {
  size_t count = 0;
  for (; value >= 0x80; value >>= 7) at[count++] = (uint8_t)(value | 0x80);
  at[count++] = (uint8_t)value;
  return count;
}

size_t put_bytes(uint8_t *at, uint8_t tag, const void *bytes, size_t count) {
  *at = tag;
  size_t head = 1 + put_varint(at + 1, count);
  memcpy(at + head, bytes, count);
  return head + count;
}

// Returns the key of a method in a header: FNV-1a of its name.
static uint32_t method_key(const char *name) {
  uint32_t hash = 0x811c9dc5;
  for (const char *part = "carillon.v1."; *part; part++) hash = (hash ^ (uint8_t)*part) * 0x01000193;
  for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 0x01000193;
  return hash;
}

void meeting_call(struct link *link, const char *name, const char *key, const uint8_t *body, size_t count) {
  uint32_t method = method_key(name);
  uint8_t header[128], frame[4096];
  size_t length = 0;
  header[length++] = 0x08;  // version
  header[length++] = 1;
  header[length++] = 0x10;  // call_id
  length += put_varint(header + length, ++link->calls);
  header[length++] = 0x18;  // kind
  header[length++] = 1;
  header[length++] = 0x25;  // method, little-endian
  memcpy(header + length, &method, 4);
  length += 4;
  if (link->is_started) length += put_bytes(header + length, 0x32, link->session, 16);
  if (key) length += put_bytes(header + length, 0x4a, key, strlen(key));
  size_t head = put_varint(frame, length);
  memcpy(frame + head, header, length);
  memcpy(frame + head + length, body, count);
  zmtp_put(link, frame, head + length + count);
}

void meeting_start(struct link *link) {
  struct credentials *mine = &credentials[link - links];
  uint8_t body[512];
  size_t count = put_bytes(body, 0x0a, mine->meeting, strlen(mine->meeting));
  count += put_bytes(body + count, 0x12, mine->attendee, strlen(mine->attendee));
  count += put_bytes(body + count, 0x1a, mine->token, strlen(mine->token));
  meeting_call(link, "AudioVideoFacade/Start", NULL, body, count);
}

void meeting_keep_alive(struct link *link) {
  uint8_t body[16] = {0x08};
  meeting_call(link, "AudioVideoFacade/KeepAlive", NULL, body, 1 + put_varint(body + 1, link->acknowledged));
}

// Mutes and unmutes the clients in turn, because the gateway limits the open calls of one client. With several calls in
// flight, events may arrive out of order. So the benchmark has only one event in flight when it measures delivery
// times.
static void trigger(struct link *speaker) {
  static size_t turn;
  speaker = &links[turn++ % link_count];
  speaker->is_muted = !speaker->is_muted;
  uint8_t body[2] = {0x18, 1};  // is_muted
  meeting_call(speaker, "AudioVideoFacade/SetMuted", NULL, body, speaker->is_muted ? 2 : 0);
}

// Protobuf, reading.

static uint64_t read_varint(struct reader *reader) {
  uint64_t value = 0;
  for (unsigned shift = 0; reader->at < reader->end && shift < 64; shift += 7) {
    uint8_t byte = *reader->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

bool next(struct reader *reader, struct field *field) {
  if (reader->at >= reader->end) return false;
  uint64_t tag = read_varint(reader), size = 0;
  field->number = (unsigned)(tag >> 3);
  switch (tag & 7) {
    case 0: field->value = read_varint(reader); return true;
    case 1: size = 8; break;
    case 2: size = read_varint(reader); break;
    case 5: size = 4; break;
    default: return false;
  }
  if (size > (uint64_t)(reader->end - reader->at)) return false;
  field->bytes = (struct reader){reader->at, reader->at + size};
  reader->at += size;
  return true;
}

static void take_started(struct link *link, struct reader started) {
  struct field field;
  while (next(&started, &field)) {
    if (field.number == 1) memcpy(link->session, field.bytes.at, 16);
    if (field.number == 4) meeting_keep_alive_ms = (unsigned)field.value;
  }
  start_session(link);
}

static void take_change(struct link *link, struct reader change) {
  struct field field;
  while (next(&change, &field)) {
    if (field.number == 2) link->roster += field.value == 1 ? 1 : (uint64_t)-1;
  }
}

static void take_event(struct link *link, struct reader event) {
  struct field kind, field;
  if (!next(&event, &kind)) return;
  switch (kind.number) {
    case 1: take_started(link, kind.bytes); break;
    case 2:  // A snapshot of the whole roster.
      link->roster = 0;
      link->snapshots++;
      while (next(&kind.bytes, &field)) link->roster += field.number == 4;
      break;
    case 3:
      while (next(&kind.bytes, &field)) {
        if (field.number == 1) take_change(link, field.bytes);
      }
      break;
    case 4:
    case 7: count_event(link); break;
    default: break;
  }
}

static void take_frame(struct link *link, const uint8_t *bytes, size_t count) {
  struct reader frame = {bytes, bytes + count};
  size_t length = read_varint(&frame);
  if (length == 0) {  // A bundle of frames. The length of each frame precedes the frame.
    while (frame.at < frame.end) {
      length = read_varint(&frame);
      take_frame(link, frame.at, length);
      frame.at += length;
    }
    return;
  }
  struct reader header = {frame.at, frame.at + length}, body = {header.end, frame.end};
  struct field field;
  uint64_t kind = 0;
  bool has_failed = false;
  while (next(&header, &field)) {
    if (field.number == 2) kind = field.value;
    if (field.number == 3) has_failed = true;
  }
  if (kind == 3 || has_failed) {
    fprintf(stderr, "the gateway refused or ended: %.*s\n", (int)count, bytes);
    exit(1);
  }
  link->answers += kind == 1;
  if (kind == 1 && owners_take_reply(link) && next(&body, &field)) messages_take_reply(field.number);
  if (kind != 2) return;
  link->acknowledged += count;
  count_bytes(count);
  while (next(&body, &field)) {
    if (field.number == 1) take_event(link, field.bytes);
  }
}

void meeting_greet(struct link *link) { zmtp_greet(link, "DEALER"); }

size_t meeting_take(struct link *link, const uint8_t *bytes, size_t count) {
  return zmtp_take(link, bytes, count, take_frame);
}

const struct protocol meeting_protocol = {meeting_greet, NULL, meeting_take, trigger};

// RTP (RFC 3550) of media's clients: a ticket first, then Opus with its level (RFC 7587, 6464) or
// VP8 (RFC 7741).
#include <string.h>

#include "rtp.h"

enum {
  opus_type = 111, vp8_type = 96, video_ssrc = 5001,
  packet_bytes = 1200, frame_packets = 5, frame_ticks = 3000,
  most_voice = 500, most_payload = 1275, ticket_bytes = 16, receiver_report = 192, last_report = 223,
};

void (*rtp_on_audio)(struct link *, const uint8_t *, size_t);

struct client {
  uint8_t ticket[ticket_bytes];
  uint32_t ssrc;
  uint16_t sequence;
  bool is_bound;
};

static struct client *clients;

static struct {
  uint8_t bytes[most_payload];
  size_t count;
} voice[most_voice];
static size_t voice_count;

// The camera of the first client.
static struct {
  uint16_t sequence, picture;
  uint32_t timestamp;
  unsigned place;  // The place of the next packet in its frame.
  bool is_key, wants_key;
} camera = {.wants_key = true};

static struct client *client(const struct link *link) { return &clients[link - links]; }

bool rtp_is_bound(const struct link *link) { return client(link)->is_bound; }

void rtp_make_sessions(size_t first, size_t count) {
  clients = calloc(count, sizeof *clients);
  link_count = count;
  for (size_t i = 0; i < count; i++) {
    size_t place = first + i;
    clients[i].ssrc = (uint32_t)(1000 + place);
    clients[i].ticket[ticket_bytes - 2] = (uint8_t)(place >> 8);
    clients[i].ticket[ticket_bytes - 1] = (uint8_t)place;
  }
}

void rtp_read_sessions(const char *path) {
  FILE *file = fopen(path, "r");
  need(file != NULL, path);
  char text[2 * ticket_bytes + 1];
  struct client one = {0};
  while (fscanf(file, "%32s %u", text, &one.ssrc) == 2) {
    for (size_t i = 0; i < ticket_bytes; i++) {
      unsigned byte = 0;
      sscanf(text + 2 * i, "%2x", &byte);
      one.ticket[i] = (uint8_t)byte;
    }
    clients = realloc(clients, (link_count + 1) * sizeof one);
    clients[link_count++] = one;
  }
  fclose(file);
}

void rtp_read_voice(const char *path) {
  FILE *file = fopen(path, "rb");
  need(file != NULL, path);
  uint8_t length[2];
  for (; voice_count < most_voice && fread(length, 2, 1, file) == 1; voice_count++) {
    voice[voice_count].count = (size_t)(length[0] << 8 | length[1]);
    need(voice[voice_count].count <= most_payload, "a packet of this size");
    need(fread(voice[voice_count].bytes, voice[voice_count].count, 1, file) == 1, path);
  }
  need(voice_count > 0, path);
  fclose(file);
}

// Sending.

static size_t put_header(uint8_t *at, uint8_t first, uint8_t second, uint16_t sequence, uint32_t timestamp,
                         uint32_t ssrc) {
  uint8_t header[12] = {first, second, (uint8_t)(sequence >> 8), (uint8_t)sequence};
  for (size_t i = 0; i < 4; i++) {
    header[4 + i] = (uint8_t)(timestamp >> (24 - 8 * i));
    header[8 + i] = (uint8_t)(ssrc >> (24 - 8 * i));
  }
  memcpy(at, header, sizeof header);
  return sizeof header;
}

static void send_packet(struct link *link, const uint8_t *bytes, size_t count) {
  if (link->is_greeted) zmtp_put(link, bytes, count);
  else put(link, bytes, count);  // UDP.
}

void rtp_send_audio(struct link *link, uint64_t tick, const uint8_t *payload, size_t count, uint8_t level) {
  uint8_t packet[2048];
  struct client *sender = client(link);
  size_t at = put_header(packet, 0x90, opus_type, sender->sequence++, (uint32_t)(tick * 960), sender->ssrc);
  const uint8_t extension[8] = {0xbe, 0xde, 0, 1, 0x10, (uint8_t)(0x80 | level), 0, 0};
  memcpy(packet + at, extension, sizeof extension);
  at += sizeof extension;
  memcpy(packet + at, payload, count);
  send_packet(link, packet, at + count);
}

void rtp_speak(struct link *link, uint64_t tick) {
  size_t number = (size_t)(link - links), packet = (tick + 7 * number) % voice_count;
  rtp_send_audio(link, tick, voice[packet].bytes, voice[packet].count, (uint8_t)(25 + number % 20));
}

// Sends the next packet of the camera. A frame has five packets. If media has requested a key
// frame, this function begins one.
static void send_video(struct link *link) {
  uint8_t packet[packet_bytes] = {0};
  if (camera.wants_key || camera.place == frame_packets) camera.place = 0;
  bool is_first = camera.place == 0, is_last = camera.place + 1 == frame_packets;
  if (is_first) {
    camera.is_key = camera.wants_key;
    camera.wants_key = false;
    camera.timestamp += frame_ticks;
    camera.picture = (camera.picture + 1) & 0x7fff;
  }
  size_t at = put_header(packet, 0x80, (uint8_t)(is_last << 7 | vp8_type), camera.sequence++, camera.timestamp,
                         video_ssrc);
  const uint8_t descriptor[4] = {
      (uint8_t)(0x80 | is_first << 4), 0x80, (uint8_t)(0x80 | camera.picture >> 8), (uint8_t)camera.picture};
  memcpy(packet + at, descriptor, sizeof descriptor);
  at += sizeof descriptor;
  const uint8_t key[10] = {0x10, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0x68, 1};
  if (is_first && camera.is_key) memcpy(packet + at, key, sizeof key);
  else if (is_first) packet[at] = 0x11;
  camera.place++;
  send_packet(link, packet, sizeof packet);
}

// Receiving.

// Returns whether a compound packet requests a key frame: PLI or FIR (RFC 4585, 5104).
static bool asks_for_key_frame(const uint8_t *bytes, size_t count) {
  for (size_t at = 0; at + 4 <= count; at += 4 * ((size_t)(bytes[at + 2] << 8 | bytes[at + 3]) + 1)) {
    unsigned format = bytes[at] & 0x1f;
    if (bytes[at + 1] == 206 && (format == 1 || format == 4)) return true;
  }
  return false;
}

static void take_packet(struct link *link, const uint8_t *bytes, size_t count) {
  if (count == ticket_bytes && memcmp(bytes, client(link)->ticket, ticket_bytes) == 0) {
    client(link)->is_bound = true;
    return;
  }
  if (count < 12) return;
  if (bytes[1] >= receiver_report && bytes[1] <= last_report) {
    if (asks_for_key_frame(bytes, count)) camera.wants_key = true;
    return;
  }
  count_bytes(count);
  count_event(link);
  size_t start = 12 + 4 * (size_t)(bytes[0] & 0x0f);
  if (bytes[0] & 0x10 && start + 4 <= count) start += 4 + 4 * (size_t)(bytes[start + 2] << 8 | bytes[start + 3]);
  if (rtp_on_audio && start < count) rtp_on_audio(link, bytes + start, count - start);
}

static size_t take_stream(struct link *link, const uint8_t *bytes, size_t count) {
  return zmtp_take(link, bytes, count, take_packet);
}

static size_t take_datagram(struct link *link, const uint8_t *bytes, size_t count) {
  take_packet(link, bytes, count);
  return count;
}

static void greet_dealer(struct link *link) { zmtp_greet(link, "DEALER"); }

static void greet_pipeline(struct link *link) { zmtp_greet(link, link == links ? "PUSH" : "PULL"); }

static void show_ticket(struct link *link) { zmtp_put(link, client(link)->ticket, ticket_bytes); }

static void greet_nobody(struct link *link) { link->is_open = true; }

const struct protocol audio_protocol = {greet_dealer, show_ticket, take_stream, NULL};
const struct protocol video_protocol = {greet_dealer, show_ticket, take_stream, send_video};
const struct protocol pipeline_protocol = {greet_pipeline, NULL, take_stream, send_video};
const struct protocol udp_protocol = {greet_nobody, NULL, take_datagram, NULL};

// A crowd of clients in one thread, over loopback TCP. The program uses raw sockets with each protocol's wire format,
// so that it measures the server and not a thousand client libraries. One loop serves every protocol.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"

// One connection.
struct link {
  int descriptor;
  uint8_t *in;  // Received bytes that wait for processing: `have` of `room` bytes.
  size_t have, room;
  bool is_greeted;  // ZMTP: this side has processed the peer's greeting.
  bool is_open;     // The handshake is complete.
  uint64_t events;  // Events received in this run.
  uint8_t *text;    // NATS over a WebSocket: incomplete text, `text_have` of `text_room` bytes.
  size_t text_have, text_room;

  // In a meeting:
  bool is_started, is_muted;
  uint64_t asked, started;  // The times of the request for a session and of the session's start.
  uint8_t session[16];
  uint64_t calls, answers, roster, acknowledged;
  uint64_t snapshots;  // The number of received roster snapshots.
};

struct protocol {
  // Starts the handshake on a new connection.
  void (*greet)(struct link *link);
  // Sends the first message after the handshake; may be NULL.
  void (*enter)(struct link *link);
  // Processes the complete messages in `bytes`. Returns the number of bytes processed.
  size_t (*take)(struct link *link, const uint8_t *bytes, size_t count);
  // Causes one event for every listener or, if each link has its own meeting, for one meeting.
  void (*trigger)(struct link *speaker);
};

// Link 0 speaks, the others listen.
extern struct link *links;
extern size_t link_count;

// crowd.c
void put(struct link *link, const void *bytes, size_t count);
// Counts an event received by a link. `count_bytes` adds the bytes of the event on the wire.
void count_event(struct link *link);
void count_bytes(size_t bytes);
// Records that the link's session has started.
void start_session(struct link *link);

// zmtp.c: ZMTP 3.0, NULL mechanism, one-part messages.
void zmtp_greet(struct link *link, const char *socket_type);
size_t zmtp_take(struct link *link, const uint8_t *bytes, size_t count,
                 void (*on_message)(struct link *, const uint8_t *, size_t));
void zmtp_put(struct link *link, const uint8_t *bytes, size_t count);

// websocket.c: clients of a WebSocket. An empty message at NULL means that the upgrade is complete.
void websocket_greet(struct link *link, const char *path, const char *more);
size_t websocket_take(struct link *link, const uint8_t *bytes, size_t count,
                      void (*on_message)(struct link *, const uint8_t *, size_t));
void websocket_put(struct link *link, unsigned opcode, const uint8_t *bytes, size_t count);

// meeting.c: clients of a gateway.
extern const struct protocol meeting_protocol;
void meeting_read_credentials(const char *path);
// Sets the expected size of every roster. This size replaces the size of the link's meeting.
void meeting_expect(size_t roster);
// Returns the number of attendees that the link sees: the size that `meeting_expect` has set, or
// else the size of the link's meeting.
size_t meeting_size(const struct link *link);
void meeting_start(struct link *link);
void meeting_keep_alive(struct link *link);
extern unsigned meeting_keep_alive_ms;
// Calls a method of the contract, such as `Messaging/Join`. `key` is the idempotency key and may be
// NULL.
void meeting_call(struct link *link, const char *name, const char *key, const uint8_t *body, size_t count);
void meeting_greet(struct link *link);
size_t meeting_take(struct link *link, const uint8_t *bytes, size_t count);
struct credentials {
  char meeting[64], attendee[64], token[256];
};
const struct credentials *meeting_credentials(const struct link *link);
// Protobuf, reading: field by field.
struct reader {
  const uint8_t *at, *end;
};
struct field {
  unsigned number;
  uint64_t value;       // The value of a number.
  struct reader bytes;  // The bytes of a field with a length.
};
bool next(struct reader *reader, struct field *field);
// Protobuf: write a number, and a field with a length. Both return the number of bytes written.
size_t put_varint(uint8_t *at, uint64_t value);
size_t put_bytes(uint8_t *at, uint8_t tag, const void *bytes, size_t count);

// messages.c: data messages, from a client through a gateway.
extern const struct protocol messages_protocol;
void messages_set_size(size_t bytes);
const uint8_t *messages_data(void);
size_t messages_size(void);
// Writes the fields of an outgoing message: the topic, the data and a lifetime of one minute.
size_t messages_put(uint8_t *at);
// Returns a new idempotency key, in the format of the client libraries.
const char *messages_next_key(void);
// Processes the answer to a sent message. `first` is the number of the answer's only field.
void messages_take_reply(unsigned first);

// owners.c: a gateway that calls owners at their own sockets, with one link per meeting.
extern const struct protocol append_protocol, mute_protocol;
// Reads a line for each meeting. The line contains the path of the owner's socket, and the
// meeting's id. Creates a link for each line.
void owners_read_meetings(const char *path);
// Sets the number of attendees of each meeting.
void owners_set_attendees(size_t count);
const char *owners_place(size_t link);
// Processes an answer. Returns false for answers to the calls of the greeting.
bool owners_take_reply(struct link *link);

// browsers.c: browsers at a gateway. The first browser sends data messages.
extern const struct protocol browsers_protocol;
void browser_start(struct link *link);

// nats.c: clients of nats-server, over tcp and over a WebSocket.
extern const struct protocol nats_protocol, nats_websocket_protocol;
void nats_set_size(size_t bytes);

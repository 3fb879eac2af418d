// A crowd of clients in one thread, over loopback tcp: raw sockets that follow each protocol's wire, so that a server
// is measured and not a thousand client libraries. The same loop serves every protocol.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"

// One connection.
struct link {
  int descriptor;
  uint8_t *in;  // What came and was not taken yet: `have` of `room` bytes.
  size_t have, room;
  bool is_greeted;  // ZMTP: the other side's greeting was taken.
  bool is_open;     // The handshake is over.
  uint64_t events;  // Events that came in this run.
  uint8_t *text;    // NATS over a WebSocket: text that is not whole, `text_have` of `text_room` bytes.
  size_t text_have, text_room;

  // In a meeting:
  bool is_started, is_muted;
  uint64_t asked, started;  // When its session was asked for, and had begun.
  uint8_t session[16];
  uint64_t calls, answers, roster, acknowledged;
  uint64_t snapshots;  // How often it was told the whole roster.
};

struct protocol {
  // Begins the conversation on a fresh connection.
  void (*greet)(struct link *link);
  // Says what comes first when the handshake is over; may be NULL.
  void (*enter)(struct link *link);
  // Takes what it can of the bytes; returns how many.
  size_t (*take)(struct link *link, const uint8_t *bytes, size_t count);
  // Makes the server tell every listener of one event, or one meeting of it where each link has its own.
  void (*trigger)(struct link *speaker);
};

// Link 0 speaks, the others listen.
extern struct link *links;
extern size_t link_count;

// crowd.c
void put(struct link *link, const void *bytes, size_t count);
// An event came to a link; `bytes` is what it took on the wire, as far as known.
void count_event(struct link *link);
void count_bytes(size_t bytes);
// The link's session has begun.
void start_session(struct link *link);

// zmtp.c: ZMTP 3.0, NULL mechanism, one-part messages.
void zmtp_greet(struct link *link, const char *socket_type);
size_t zmtp_take(struct link *link, const uint8_t *bytes, size_t count,
                 void (*on_message)(struct link *, const uint8_t *, size_t));
void zmtp_put(struct link *link, const uint8_t *bytes, size_t count);

// websocket.c: clients of a WebSocket. A message of no bytes at NULL says that the upgrade is over.
void websocket_greet(struct link *link, const char *path, const char *more);
size_t websocket_take(struct link *link, const uint8_t *bytes, size_t count,
                      void (*on_message)(struct link *, const uint8_t *, size_t));
void websocket_put(struct link *link, unsigned opcode, const uint8_t *bytes, size_t count);

// meeting.c: clients of a gateway.
extern const struct protocol meeting_protocol;
void meeting_read_credentials(const char *path);
// Each roster will have so many, whoever else is in the link's meeting.
void meeting_expect(size_t roster);
// How many attendees the link sees: those of its meeting, or as many as were expected.
size_t meeting_size(const struct link *link);
void meeting_start(struct link *link);
void meeting_keep_alive(struct link *link);
extern unsigned meeting_keep_alive_ms;
// Calls a method of the contract, such as `Messaging/Join`; `key` makes a repeat the same call and may be NULL.
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
  uint64_t value;       // Of a number.
  struct reader bytes;  // Of what has a length.
};
bool next(struct reader *reader, struct field *field);
// Protobuf: write a number, and a field with a length; both say how many bytes they took.
size_t put_varint(uint8_t *at, uint64_t value);
size_t put_bytes(uint8_t *at, uint8_t tag, const void *bytes, size_t count);

// messages.c: data messages, from a client through a gateway.
extern const struct protocol messages_protocol;
void messages_set_size(size_t bytes);
const uint8_t *messages_data(void);
size_t messages_size(void);
// Writes the fields of a message that is sent: the topic, the data and the lifetime of a minute.
size_t messages_put(uint8_t *at);
// As clients make them: each message has its own.
const char *messages_next_key(void);
// The answer of a call that sends, which is in `first`, the number of its only field.
void messages_take_reply(unsigned first);

// owners.c: a gateway at owners' own sockets, with a link for each meeting.
extern const struct protocol append_protocol, mute_protocol;
// A line for each meeting: the path of its owner's socket, and its id. Makes as many links.
void owners_read_meetings(const char *path);
// Each meeting will have so many attendees.
void owners_set_attendees(size_t count);
const char *owners_place(size_t link);
// An answer came. Returns false for one to what an owner is asked first, by who comes.
bool owners_take_reply(struct link *link);

// browsers.c: browsers at a gateway, the first of which sends data messages.
extern const struct protocol browsers_protocol;
void browser_start(struct link *link);

// nats.c: over tcp, and over a WebSocket.
extern const struct protocol nats_protocol, nats_websocket_protocol;
void nats_set_size(size_t bytes);

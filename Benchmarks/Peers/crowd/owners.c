// Calls owners directly at their own sockets: messaging appends data messages, presence mutes attendees. There is one
// link per meeting, and each event concerns one meeting.
#include <string.h>

#include "crowd.h"

static struct {
  char place[108], id[64];
} *meetings;

// The number of attendees that join each meeting.
static size_t attendees = 1;

// The number of answers to the calls of a link's greeting.
static size_t greetings = 1;

void owners_read_meetings(const char *path) {
  FILE *file = fopen(path, "r");
  need(file != NULL, path);
  char place[108], id[64];
  while (fscanf(file, "%107s %63s", place, id) == 2) {
    meetings = realloc(meetings, (link_count + 1) * sizeof *meetings);
    strcpy(meetings[link_count].place, place);
    strcpy(meetings[link_count++].id, id);
  }
  need(link_count > 0, path);
  fclose(file);
}

void owners_set_attendees(size_t count) {
  need(count > 0 && count < 256, "1 to 255 attendees");
  attendees = count;
  greetings = count + 1;
}

const char *owners_place(size_t link) { return meetings[link].place; }

bool owners_take_reply(struct link *link) {
  if (!meetings) return true;
  if (link->answers <= greetings) return false;
  count_event(link);
  return true;
}

static const char gateway[] = "gateway-a";

static const char *meeting(const struct link *link) { return meetings[link - links].id; }

// Returns the session id of an attendee, 16 bytes.
static const char *session(const struct link *link, size_t attendee) {
  static char bytes[16] = "sixteen bytes 01";
  bytes[14] = (char)(link - links);
  bytes[15] = (char)attendee;
  return bytes;
}

static const char *participant(size_t attendee) {
  static char id[64];
  snprintf(id, sizeof id, "7b1f0c52-6d0e-4f0a-9d3b-2a54c3a9e6%02zx", attendee);
  return id;
}

// Sends the call `Messaging/Join` for the first attendee of the link's meeting.
static void join_messages(struct link *link) {
  uint8_t body[256];
  size_t count = put_bytes(body, 0x0a, meeting(link), strlen(meeting(link)));
  count += put_bytes(body + count, 0x12, session(link, 0), 16);
  count += put_bytes(body + count, 0x1a, participant(0), strlen(participant(0)));
  meeting_call(link, "Messaging/Join", NULL, body, count);
}

static void append(struct link *link) {
  uint8_t body[4096], info[128];
  size_t length = put_bytes(info, 0x0a, participant(0), strlen(participant(0)));
  length += put_bytes(info + length, 0x12, "client-0", 8);
  size_t count = put_bytes(body, 0x0a, meeting(link), strlen(meeting(link)));
  count += put_bytes(body + count, 0x12, session(link, 0), 16);
  count += put_bytes(body + count, 0x1a, info, length);
  meeting_call(link, "Messaging/SendDataMessage", messages_next_key(), body, count + messages_put(body + count));
}

// Announces that this gateway has no attendees. An owner that has just started waits for the
// announcement of each gateway.
static void announce(struct link *link) {
  enum { last = 3 << 3, gateway_run = 4 << 3 };
  uint8_t body[64];
  size_t count = put_bytes(body, 0x0a, gateway, strlen(gateway));
  const uint8_t rest[4] = {last, 1, gateway_run, 1};
  memcpy(body + count, rest, sizeof rest);
  meeting_call(link, "Presence/Announce", NULL, body, count + sizeof rest);
}

static void join_roster(struct link *link) {
  enum { by_gateway = 2 << 3 | 2, gateway_run = 4 << 3 };
  announce(link);
  for (size_t i = 0; i < attendees; i++) {
    uint8_t body[512], who[256];
    size_t length = put_bytes(who, 0x0a, meeting(link), strlen(meeting(link)));
    length += put_bytes(who + length, 0x12, participant(i), strlen(participant(i)));
    length += put_bytes(who + length, 0x1a, "client-0", 8);
    length += put_bytes(who + length, 0x22, session(link, i), 16);
    size_t count = put_bytes(body, 0x0a, who, length);
    count += put_bytes(body + count, by_gateway, gateway, strlen(gateway));
    body[count++] = gateway_run;
    body[count++] = 1;
    meeting_call(link, "Presence/Join", NULL, body, count);
  }
}

static void mute(struct link *link) {
  uint8_t body[256];
  link->is_muted = !link->is_muted;
  size_t count = put_bytes(body, 0x0a, meeting(link), strlen(meeting(link)));
  count += put_bytes(body + count, 0x12, session(link, 0), 16);
  body[count++] = 0x18;
  body[count++] = link->is_muted;
  meeting_call(link, "Presence/SetMuted", NULL, body, count);
}

const struct protocol append_protocol = {meeting_greet, join_messages, meeting_take, append};
const struct protocol mute_protocol = {meeting_greet, join_roster, meeting_take, mute};

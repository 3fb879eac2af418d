// A crowd of clients. The program measures the deliveries to these clients.
//
//   crowd meeting PORT CREDENTIALS     clients of a gateway. Each line of CREDENTIALS describes one client: meeting,
//                                      attendee, token
//   crowd messages PORT CREDENTIALS SIZE   like `meeting`, but the first client sends data messages of SIZE bytes
//   crowd audience PORT CREDENTIALS SIZE ROSTER   like `messages`, but in several meetings. Each client
//                                      sees ROSTER attendees
//   crowd append MEETINGS SIZE         a gateway that lets messaging append messages, and waits for the answers. Each
//                                      line of MEETINGS describes one meeting: path of the owner's socket, meeting
//   crowd mute MEETINGS ATTENDEES      a gateway that calls presence. In each meeting, one attendee mutes itself
//   crowd sub PORT TRIGGER_PORT N      N subscribers of zmq_fan
//   crowd nats PORT N SIZE             N subscribers of nats-server; a message has SIZE bytes
//   crowd nats-websocket PORT N SIZE   like `nats`, but over WebSockets
//   crowd browsers PORT CREDENTIALS SIZE   browsers at a gateway's REST port. The first sends messages of SIZE bytes
//   crowd idle PORT N                  N dealers that send one word to zmq_echo
//   crowd audio PORT SESSIONS VOICE    clients of media. Each line of SESSIONS describes one client: ticket, SSRC.
//                                      VOICE is a file of Opus packets
//   crowd router PORT FIRST N VOICE    N clients of zmq_forward, in the places from FIRST on
//   crowd video PORT SESSIONS          clients of media. The first one sends video when media asks for a key frame
//   crowd pipeline PORT PORT…          clients of zmq_forward: one for its PULL socket, and one for each PUSH socket
//   crowd udp N VOICE                  N clients that send RTP over UDP
//
// Prints `connected`, then answers each line of standard input with one line, and exits at the end of the input:
//
//   join OUTSTANDING   start every session, with this many starts in flight: `JOIN_SECONDS AGREED_SECONDS P50_NS
//                      P99_NS`. The last two are percentiles of the time in which one session starts
//   fan EVENTS WINDOW  send events, at most WINDOW of them in flight:
//                      `DELIVERIES_PER_SECOND P50_NS P99_NS BYTES_PER_DELIVERY`
//   kill PROCESS       kill the owner of the roster: `FIRST_SECONDS ALL_SECONDS` until the first client has a new
//                      snapshot, and until every client has a new snapshot and a complete roster
//   pace EVENTS RATE   send events at even intervals, RATE per second. The answer has the same numbers as for `fan`
//   speak SECONDS N    the first N clients send a voice, a packet every 20 ms: `TICKS LEAST_PACKETS`. LEAST_PACKETS is
//                      the number of packets of the client that received the fewest packets
//   heard              the numbers of packets received since the last command: `LEAST TOTAL`. LEAST is the number of
//                      packets of the client that received the fewest packets
//   talk MARKS         measures the mouth-to-ear latency of each pair of clients (see rtp.h): `NS…`
//   ports              UDP only: the port at which each client receives packets: `PORT…`
//   dial PORT…         UDP only: sets the port to which each client sends. The answer is the number of clients, twice
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "crowd.h"
#include "rtp.h"

struct link *links;
size_t link_count;

static const struct protocol *protocol;
static int poll_set;
static bool is_meeting, are_browsers;
static bool is_spread;  // Each event concerns one link; the links take turns.

// The measured run.
static struct {
  size_t events, completed;
  uint64_t *sent;      // The time at which each event was caused.
  uint64_t *latency;   // The latency of each delivery.
  size_t deliveries;
  uint32_t *reached;   // The number of listeners that each event has reached.
  uint64_t bytes, now;
} run;

void put(struct link *link, const void *bytes, size_t count) {
  const uint8_t *at = bytes;
  while (count > 0) {
    ssize_t sent = send(link->descriptor, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EAGAIN) {
      struct pollfd room = {link->descriptor, POLLOUT, 0};
      poll(&room, 1, -1);
      continue;
    }
    need(sent > 0, "send");
    at += sent;
    count -= (size_t)sent;
  }
}

// Returns the number of listeners of one event.
static size_t listeners(void) { return is_spread ? 1 : link_count - 1; }

void count_event(struct link *link) {
  size_t event = link->events++;
  if (is_spread) event = event * link_count + (size_t)(link - links);
  else if (link == links) return;
  if (event >= run.events) return;
  run.latency[run.deliveries++] = run.now - run.sent[event];
  if (++run.reached[event] == listeners()) run.completed++;
}

void count_bytes(size_t bytes) { run.bytes += bytes; }

void start_session(struct link *link) {
  if (!link->is_started) link->started = now_ns();
  link->is_started = true;
}

// Connecting.

static void watch(struct link *link) {
  link->room = 16384;
  link->in = malloc(link->room);
  struct epoll_event interest = {EPOLLIN, {.ptr = link}};
  need(epoll_ctl(poll_set, EPOLL_CTL_ADD, link->descriptor, &interest) == 0, "epoll_ctl");
}

// Connects a link to a place: a port of this machine or the path of a Unix socket.
static void open_link(struct link *link, const char *place) {
  struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(place))};
  port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct sockaddr_un path = {.sun_family = AF_UNIX};
  bool is_path = *place == '/';
  struct sockaddr *address = is_path ? (struct sockaddr *)&path : (struct sockaddr *)&port;
  socklen_t size = is_path ? sizeof path : sizeof port;
  if (is_path) strncpy(path.sun_path, place, sizeof path.sun_path - 1);
  for (int attempt = 0;; attempt++) {
    link->descriptor = socket(address->sa_family, SOCK_STREAM, 0);
    need(link->descriptor >= 0, "socket");
    if (connect(link->descriptor, address, size) == 0) break;
    need(attempt < 500, "connect");
    close(link->descriptor);
    poll(NULL, 0, 10);
  }
  int yes = 1;
  if (!is_path) setsockopt(link->descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  watch(link);
}

// Binds a UDP socket on this machine. `dial` sets its destination later.
static void open_datagrams(struct link *link) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  link->descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  need(link->descriptor >= 0, "socket");
  need(bind(link->descriptor, (struct sockaddr *)&address, sizeof address) == 0, "bind");
  watch(link);
}

// Reading.

static void read_link(struct link *link) {
  if (link->have == link->room) link->in = realloc(link->in, link->room *= 2);
  ssize_t got = recv(link->descriptor, link->in + link->have, link->room - link->have, MSG_DONTWAIT);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) {
    fprintf(stderr, "the server hung up\n");
    exit(1);
  }
  run.now = now_ns();
  link->have += (size_t)got;
  size_t taken = protocol->take(link, link->in, link->have);
  link->have -= taken;
  if (taken > 0 && link->have > 0) memmove(link->in, link->in + taken, link->have);
}

// Sends the keep-alives of the sessions one after another, so that the keep-alives of a thousand
// sessions make no burst.
static void keep_alive(void) {
  static uint64_t last;
  static size_t turn;
  if (!is_meeting) return;
  uint64_t now = now_ns(), interval = (uint64_t)meeting_keep_alive_ms * 1000000u;
  if (last == 0) last = now;
  uint64_t due = (now - last) * link_count / interval;
  if (due == 0) return;
  last += due * interval / link_count;
  for (; due > 0; due--, turn = (turn + 1) % link_count) {
    if (links[turn].is_started) meeting_keep_alive(&links[turn]);
  }
}

// Reads pending data. Returns false if `heeds_input` is true and standard input contains a line.
static bool turn(int timeout, bool heeds_input) {
  struct epoll_event ready[256];
  keep_alive();
  int count = epoll_wait(poll_set, ready, 256, timeout);
  bool has_input = false;
  for (int i = 0; i < count; i++) {
    if (ready[i].data.ptr) read_link(ready[i].data.ptr);
    else has_input = true;
  }
  return !(has_input && heeds_input);
}

static bool all(bool (*holds)(const struct link *)) {
  for (size_t i = 0; i < link_count; i++) {
    if (!holds(&links[i])) return false;
  }
  return true;
}

static bool is_bound(const struct link *link) { return rtp_is_bound(link); }

static bool agrees(const struct link *link) { return are_browsers || link->roster == meeting_size(link); }

static void ask_to_start(struct link *link) {
  link->asked = now_ns();
  if (are_browsers) browser_start(link);
  else meeting_start(link);
}

// Commands.

static void join(size_t outstanding) {
  size_t asked = 0, first = 0;
  uint64_t began = now_ns(), joined = began;
  if (is_meeting || are_browsers) {
    while (first < link_count) {
      while (first < asked && links[first].is_started) first++;
      for (; asked < link_count && asked - first < outstanding; asked++) ask_to_start(&links[asked]);
      if (first < link_count) turn(10, false);
    }
    joined = now_ns();
    while (!all(agrees)) turn(10, false);
  }
  double agreed = (double)(now_ns() - began) / 1e9;
  uint64_t *waits = calloc(link_count, sizeof *waits);
  for (size_t i = 0; i < link_count; i++) waits[i] = links[i].started - links[i].asked;
  uint64_t half = percentile(waits, link_count, 0.5), most = percentile(waits, link_count, 0.99);
  free(waits);
  printf("%.6f %.6f %llu %llu\n", (double)(joined - began) / 1e9, agreed, (unsigned long long)half,
         (unsigned long long)most);
}

static bool is_told_anew(const struct link *link) { return link->snapshots > 0 && agrees(link); }

static void kill_owner(pid_t process) {
  double first = 0;
  for (size_t i = 0; i < link_count; i++) links[i].snapshots = 0;
  uint64_t began = now_ns();
  need(process > 1 && kill(process, SIGKILL) == 0, "kill");
  while (!all(is_told_anew)) {
    turn(10, false);
    for (size_t i = 0; first == 0 && i < link_count; i++) {
      if (links[i].snapshots > 0) first = (double)(now_ns() - began) / 1e9;
    }
    need(now_ns() - began < 60000000000u, "everybody told anew within a minute");
  }
  printf("%.6f %.6f\n", first, (double)(now_ns() - began) / 1e9);
}

static void begin_run(size_t events) {
  free(run.sent);
  free(run.latency);
  free(run.reached);
  memset(&run, 0, sizeof run);
  run.events = events;
  run.sent = calloc(events, sizeof *run.sent);
  run.latency = calloc(events * listeners(), sizeof *run.latency);
  run.reached = calloc(events, sizeof *run.reached);
  for (size_t i = 0; i < link_count; i++) links[i].events = 0;
}

static struct link *speaker(size_t event) { return &links[is_spread ? event % link_count : 0]; }

static void trigger(size_t event) {
  run.sent[event] = now_ns();
  protocol->trigger(speaker(event));
}

static void need_progress(uint64_t since) {
  if (now_ns() - since <= 60000000000u) return;
  fprintf(stderr, "%zu of %zu events came to everybody within a minute\n", run.completed, run.events);
  exit(1);
}

static void report_run(uint64_t began) {
  double seconds = (double)(now_ns() - began) / 1e9;
  size_t deliveries = run.deliveries;
  uint64_t half = percentile(run.latency, deliveries, 0.5), most = percentile(run.latency, deliveries, 0.99);
  printf("%.0f %llu %llu %.1f\n", (double)deliveries / seconds, (unsigned long long)half,
         (unsigned long long)most, (double)run.bytes / (double)deliveries);
}

// Returns whether a link may make another call. A gateway's client may have 256 open calls, and
// events can arrive before the answers.
static bool may_call(const struct link *link) { return link->calls - link->answers < 240; }

static void fan(size_t events, size_t window) {
  size_t sent = 0;
  begin_run(events);
  uint64_t began = now_ns();
  while (run.completed < events) {
    while (sent < events && sent - run.completed < window && may_call(speaker(sent))) trigger(sent++);
    turn(1000, false);
    need_progress(began);
  }
  report_run(began);
}

static void pace(size_t events, size_t rate) {
  size_t sent = 0;
  begin_run(events);
  uint64_t began = now_ns();
  while (run.completed < events) {
    uint64_t now = now_ns(), due = began + sent * 1000000000u / rate;
    if (sent < events && due <= now) {
      trigger(sent++);
      continue;
    }
    // Round up: an event is at most 1 ms late, and the loop does not spin.
    turn(sent < events ? (int)((due - now) / 1000000u) + 1 : 1000, false);
    if (now > due) need_progress(due);
  }
  report_run(began);
}

// Audio.

static void wait_until(uint64_t time) {
  for (uint64_t now = now_ns(); now < time; now = now_ns()) turn((int)((time - now) / 1000000u) + 1, false);
}

static void print_heard(uint64_t first) {
  uint64_t least = UINT64_MAX, total = 0;
  for (size_t i = 0; i < link_count; i++) {
    // A lone speaker hears nothing.
    if (i > 0 && links[i].events < least) least = links[i].events;
    total += links[i].events;
    links[i].events = 0;
  }
  printf("%llu %llu\n", (unsigned long long)(first > 0 ? first : least),
         (unsigned long long)(first > 0 ? least : total));
}

static void speak(size_t seconds, size_t speakers) {
  static uint64_t origin;
  const uint64_t interval = 20000000u;
  begin_run(0);
  if (origin == 0) origin = now_ns();
  // Timestamps advance while no one speaks.
  uint64_t first = (now_ns() - origin) / interval + 1, count = seconds * 50;
  for (uint64_t tick = first; tick < first + count; tick++) {
    wait_until(origin + tick * interval);
    for (size_t i = 0; i < speakers && i < link_count; i++) rtp_speak(&links[i], tick);
  }
  print_heard(count);
}

static void print_ports(void) {
  for (size_t i = 0; i < link_count; i++) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    need(getsockname(links[i].descriptor, (struct sockaddr *)&address, &size) == 0, "getsockname");
    printf("%s%u", i > 0 ? " " : "", (unsigned)ntohs(address.sin_port));
  }
  printf("\n");
}

static void dial(const char *ports) {
  for (size_t i = 0; i < link_count; i++) {
    char *end;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)strtoul(ports, &end, 10))};
    need(end != ports, "a port for each");
    ports = end;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    need(connect(links[i].descriptor, (struct sockaddr *)&address, sizeof address) == 0, "connect");
  }
  printf("%zu %zu\n", link_count, link_count);
}

// Executes the next command. Returns false at the end of the input.
static bool obey(void) {
  static char line[1024];
  if (!fgets(line, sizeof line, stdin)) return false;
  size_t first = 0, second = 0;
  if (sscanf(line, "join %zu", &first) == 1) join(first);
  else if (sscanf(line, "kill %zu", &first) == 1) kill_owner((pid_t)first);
  else if (sscanf(line, "fan %zu %zu", &first, &second) == 2) fan(first, second);
  else if (sscanf(line, "pace %zu %zu", &first, &second) == 2) pace(first, second);
  else if (sscanf(line, "speak %zu %zu", &first, &second) == 2) speak(first, second);
  else if (sscanf(line, "talk %zu", &first) == 1) talk(first, wait_until);
  else if (strcmp(line, "heard\n") == 0) print_heard(0);
  else if (strcmp(line, "ports\n") == 0) print_ports();
  else if (strncmp(line, "dial ", 5) == 0) dial(line + 5);
  else exit(2);
  fflush(stdout);
  return true;
}

// Protocols with plain messages.

static void take_plain(struct link *link, const uint8_t *bytes, size_t count) {
  (void)bytes;
  count_bytes(count);
  count_event(link);
}

static size_t take_zmtp(struct link *link, const uint8_t *bytes, size_t count) {
  return zmtp_take(link, bytes, count, take_plain);
}

static void greet_fan(struct link *link) {
  zmtp_greet(link, link == links ? "PUSH" : "SUB");
}

static void enter_fan(struct link *link) {
  // In ZMTP 3.0 a subscription is a message: 1, then the prefix.
  if (link != links) zmtp_put(link, (const uint8_t *)"\x01", 1);
}

static void greet_idle(struct link *link) { zmtp_greet(link, "DEALER"); }

static void enter_idle(struct link *link) { zmtp_put(link, (const uint8_t *)"here", 4); }

static void trigger_zmtp(struct link *speaker) { zmtp_put(speaker, (const uint8_t *)"now", 3); }

static const struct protocol fan_protocol = {greet_fan, enter_fan, take_zmtp, trigger_zmtp};
static const struct protocol idle_protocol = {greet_idle, enter_idle, take_zmtp, trigger_zmtp};

// Sends events one by one until an event has reached all listeners. From then on, every event arrives.
static void warm_up(void) {
  for (bool is_warm = false; !is_warm;) {
    for (size_t i = 0; i < link_count; i++) links[i].events = 0;
    protocol->trigger(&links[0]);
    uint64_t until = now_ns() + 300000000u;
    while (now_ns() < until) turn(10, false);
    is_warm = true;
    for (size_t i = 1; i < link_count; i++) is_warm &= links[i].events > 0;
  }
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  const char *mode = arguments[1];
  const char *place = arguments[2], *speaker_place = place;
  bool is_audience = strcmp(mode, "audience") == 0 && count == 6;
  bool sends = is_audience || (strcmp(mode, "messages") == 0 && count == 5);
  is_meeting = strcmp(mode, "meeting") == 0 || sends;
  bool is_idle = strcmp(mode, "idle") == 0, is_append = strcmp(mode, "append") == 0;
  is_spread = is_append || strcmp(mode, "mute") == 0;
  bool is_media = true, has_tickets = false, is_udp = false, is_pipeline = false;
  if (strcmp(mode, "audio") == 0 && count == 5) {
    protocol = &audio_protocol;
    has_tickets = true;
    rtp_read_sessions(arguments[3]);
    rtp_read_voice(arguments[4]);
  } else if (strcmp(mode, "router") == 0 && count == 6) {
    protocol = &audio_protocol;
    rtp_make_sessions((size_t)atol(arguments[3]), (size_t)atol(arguments[4]));
    rtp_read_voice(arguments[5]);
  } else if (strcmp(mode, "video") == 0) {
    protocol = &video_protocol;
    has_tickets = true;
    rtp_read_sessions(arguments[3]);
  } else if (strcmp(mode, "pipeline") == 0) {
    protocol = &pipeline_protocol;
    is_pipeline = true;
    rtp_make_sessions(0, (size_t)count - 2);
  } else if (strcmp(mode, "udp") == 0) {
    protocol = &udp_protocol;
    is_udp = true;
    rtp_make_sessions(0, (size_t)atol(place));
    rtp_read_voice(arguments[3]);
  } else {
    is_media = false;
  }
  if (is_media) {
    // The code above has already created the clients.
  } else if (sends) {
    protocol = &messages_protocol;
    meeting_read_credentials(arguments[3]);
    messages_set_size((size_t)atol(arguments[4]));
    if (is_audience) meeting_expect((size_t)atol(arguments[5]));
  } else if (is_spread) {
    protocol = is_append ? &append_protocol : &mute_protocol;
    owners_read_meetings(place);
    if (is_append) messages_set_size((size_t)atol(arguments[3]));
    else owners_set_attendees((size_t)atol(arguments[3]));
  } else if (is_meeting) {
    protocol = &meeting_protocol;
    meeting_read_credentials(arguments[3]);
  } else if (is_idle) {
    protocol = &idle_protocol;
    link_count = (size_t)atol(arguments[3]);
  } else if (strcmp(mode, "sub") == 0 && count == 5) {
    protocol = &fan_protocol;
    speaker_place = arguments[3];
    link_count = (size_t)atol(arguments[4]) + 1;
  } else if (strcmp(mode, "browsers") == 0 && count == 5) {
    protocol = &browsers_protocol;
    are_browsers = true;
    meeting_read_credentials(arguments[3]);
    messages_set_size((size_t)atol(arguments[4]));
  } else if (strncmp(mode, "nats", 4) == 0 && count == 5) {
    protocol = strcmp(mode, "nats") == 0 ? &nats_protocol : &nats_websocket_protocol;
    link_count = (size_t)atol(arguments[3]) + 1;
    nats_set_size((size_t)atol(arguments[4]));
  } else {
    return 2;
  }
  setvbuf(stdin, NULL, _IONBF, 0);  // A buffered line would be invisible to epoll.
  links = calloc(link_count, sizeof *links);
  poll_set = epoll_create1(0);
  struct epoll_event input = {EPOLLIN, {.ptr = NULL}};
  need(epoll_ctl(poll_set, EPOLL_CTL_ADD, 0, &input) == 0, "epoll_ctl on standard input");
  for (size_t i = 0; i < link_count; i++) {
    if (is_udp) open_datagrams(&links[i]);
    else if (is_spread) open_link(&links[i], owners_place(i));
    else open_link(&links[i], is_pipeline ? arguments[2 + i] : i == 0 ? speaker_place : place);
    protocol->greet(&links[i]);
    // Open connections one at a time, so that no backlog overflows.
    while (!links[i].is_open) turn(1000, false);
    if (protocol->enter) protocol->enter(&links[i]);
  }
  while (has_tickets && !all(is_bound)) turn(10, false);
  // Audio senders start on command.
  if (!is_meeting && !are_browsers && !is_idle && !is_spread && protocol->trigger) warm_up();
  printf("connected\n");
  fflush(stdout);
  while (true) {
    if (!turn(10, true) && !obey()) return 0;
  }
}

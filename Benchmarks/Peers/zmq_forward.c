// Forwards RTP packets as media does, but with bare libzmq. Prints its process id first.
//
//   zmq_forward router ENDPOINT   a ROUTER that forwards each peer's packets to all others
//   zmq_forward pairs ENDPOINT    like `router`, but forwards each peer's packets only to the peer in the next place
//   zmq_forward pipeline N        a PULL and N PUSHes: forwards each packet to all PUSHes; prints the ports of the PULL
//                                 and of each PUSH, on one line
//
// A frame of 16 bytes is a peer's ticket. Its last four bytes are the peer's place. There are two
// I/O threads, as in media.
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include "measure.h"

enum { ticket_bytes = 16, most_bytes = 2048, most_peers = 4096, most_name = 16 };

static struct {
  uint8_t bytes[most_name];
  size_t count;
} peers[most_peers];
static size_t peer_count;

static void *context;

static void *open_socket(int type) {
  void *socket = zmq_socket(context, type);
  int unlimited = 0, backlog = 1024;
  need(socket != NULL, "zmq_socket");
  zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
  zmq_setsockopt(socket, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
  zmq_setsockopt(socket, ZMQ_BACKLOG, &backlog, sizeof backlog);
  return socket;
}

static int receive(void *socket, uint8_t *bytes) {
  int count = zmq_recv(socket, bytes, most_bytes, 0);
  need(count >= 0, "zmq_recv");
  need(count <= most_bytes, "a packet of this size");
  return count;
}

static size_t place(const uint8_t *name, size_t count) {
  for (size_t i = 0; i < peer_count; i++) {
    if (peers[i].count == count && memcmp(peers[i].bytes, name, count) == 0) return i;
  }
  return most_peers;
}

static void seat(const uint8_t *ticket, const uint8_t *name, size_t count) {
  size_t place = 0;
  for (size_t i = ticket_bytes - 4; i < ticket_bytes; i++) place = place << 8 | ticket[i];
  need(place < most_peers && count <= most_name, "room for a peer");
  memcpy(peers[place].bytes, name, count);
  peers[place].count = count;
  if (place >= peer_count) peer_count = place + 1;
}

static void pass_to(void *socket, size_t peer, const uint8_t *packet, size_t count) {
  need(zmq_send(socket, peers[peer].bytes, peers[peer].count, ZMQ_SNDMORE) >= 0, "zmq_send");
  need(zmq_send(socket, packet, count, 0) >= 0, "zmq_send");
}

static void route(const char *endpoint, int is_paired) {
  uint8_t name[most_bytes], packet[most_bytes];
  void *socket = open_socket(ZMQ_ROUTER);
  need(zmq_bind(socket, endpoint) == 0, "zmq_bind");
  for (;;) {
    int name_bytes = receive(socket, name), count = receive(socket, packet);
    if (count == ticket_bytes) {
      seat(packet, name, (size_t)name_bytes);
      continue;
    }
    size_t from = place(name, (size_t)name_bytes), first = is_paired ? from + 1 : 0;
    size_t end = is_paired ? from + 2 : peer_count;
    for (size_t to = first; to < end && to < peer_count; to++) {
      if (to != from && peers[to].count > 0) pass_to(socket, to, packet, (size_t)count);
    }
  }
}

static void print_port(void *socket) {
  char endpoint[64];
  size_t size = sizeof endpoint;
  need(zmq_bind(socket, "tcp://127.0.0.1:*") == 0, "zmq_bind");
  need(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &size) == 0, "zmq_getsockopt");
  printf("%s ", strrchr(endpoint, ':') + 1);
}

static void pipe_on(size_t receivers) {
  uint8_t packet[most_bytes];
  void *in = open_socket(ZMQ_PULL), **out = calloc(receivers, sizeof *out);
  print_port(in);
  for (size_t i = 0; i < receivers; i++) print_port(out[i] = open_socket(ZMQ_PUSH));
  printf("\n");
  fflush(stdout);
  for (;;) {
    int count = receive(in, packet);
    for (size_t i = 0; i < receivers; i++) need(zmq_send(out[i], packet, (size_t)count, 0) >= 0, "zmq_send");
  }
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  printf("%d\n", (int)getpid());
  fflush(stdout);
  context = zmq_ctx_new();
  zmq_ctx_set(context, ZMQ_IO_THREADS, 2);
  zmq_ctx_set(context, ZMQ_MAX_SOCKETS, most_peers);
  const char *mode = arguments[1];
  if (strcmp(mode, "router") == 0) route(arguments[2], 0);
  else if (strcmp(mode, "pairs") == 0) route(arguments[2], 1);
  else if (strcmp(mode, "pipeline") == 0) pipe_on((size_t)atoi(arguments[2]));
  return 2;
}

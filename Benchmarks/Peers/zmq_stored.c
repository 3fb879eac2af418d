// The path of a data message with only its necessary steps: the same hops over bare libzmq, and a
// durable write before the delivery.
//
//   zmq_stored PUB_ENDPOINT PULL_ENDPOINT SIZE IO_THREADS DIRECTORY
//
// Two processes stand in for a gateway and messaging. For each message on its PULL socket, the first process sends a
// message of SIZE bytes over a Unix socket to the second process. In the second process, a separate thread overwrites
// two pages of an existing file and waits for fdatasync(2). Messages that arrive meanwhile share the next write. Then
// the second process publishes the message, and the first process publishes it to every subscriber.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <zmq.h>

#include "measure.h"

enum { page = 8192, pages = 1024, most_waiting = 1024 };

static const char *directory;
static size_t size;

static void *open_socket(void *context, int type) {
  void *socket = zmq_socket(context, type);
  int unlimited = 0, backlog = 1024;
  need(socket != NULL, "zmq_socket");
  zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
  zmq_setsockopt(socket, ZMQ_BACKLOG, &backlog, sizeof backlog);
  return socket;
}

static const char *in_directory(const char *scheme, const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s%s/%s", scheme, directory, name);
  return path;
}

// The disk.

static void *write_on_demand(void *context) {
  static uint8_t bytes[2 * page];
  int file = open(in_directory("", "stored"), O_RDWR | O_CREAT, 0600);
  need(file >= 0, "open");
  for (size_t i = 0; i < pages; i += 2) need(pwrite(file, bytes, sizeof bytes, (off_t)(i * page)) > 0, "pwrite");
  need(fsync(file) == 0, "fsync");
  void *orders = open_socket(context, ZMQ_PAIR);
  need(zmq_connect(orders, "inproc://disk") == 0, "zmq_connect");
  for (size_t at = 0;; at = (at + 2) % pages) {
    need(zmq_recv(orders, NULL, 0, 0) >= 0, "zmq_recv");
    memset(bytes, (int)at, sizeof bytes);
    need(pwrite(file, bytes, sizeof bytes, (off_t)(at * page)) > 0, "pwrite");
    need(fdatasync(file) == 0, "fdatasync");
    need(zmq_send(orders, NULL, 0, 0) >= 0, "zmq_send");
  }
  return NULL;
}

// Runs the process that stands in for messaging.
static void store(void) {
  void *context = zmq_ctx_new();
  void *requests = open_socket(context, ZMQ_PULL), *events = open_socket(context, ZMQ_PUB);
  void *disk = open_socket(context, ZMQ_PAIR);
  need(zmq_bind(requests, in_directory("ipc://", "requests")) == 0, "zmq_bind");
  need(zmq_bind(events, in_directory("ipc://", "events")) == 0, "zmq_bind");
  need(zmq_bind(disk, "inproc://disk") == 0, "zmq_bind");
  pthread_t thread;
  need(pthread_create(&thread, NULL, write_on_demand, context) == 0, "pthread_create");
  static zmq_msg_t waiting[most_waiting];
  size_t count = 0, under_way = 0;
  zmq_pollitem_t items[] = {{requests, 0, ZMQ_POLLIN, 0}, {disk, 0, ZMQ_POLLIN, 0}};
  for (;;) {
    need(zmq_poll(items, 2, -1) >= 0, "zmq_poll");
    if (items[0].revents) {
      need(count < most_waiting, "room for a message");
      zmq_msg_init(&waiting[count]);
      need(zmq_msg_recv(&waiting[count++], requests, 0) >= 0, "zmq_msg_recv");
    }
    if (items[1].revents) {
      need(zmq_recv(disk, NULL, 0, 0) >= 0, "zmq_recv");
      for (size_t i = 0; i < under_way; i++) need(zmq_msg_send(&waiting[i], events, 0) >= 0, "zmq_msg_send");
      memmove(waiting, waiting + under_way, (count - under_way) * sizeof *waiting);
      count -= under_way;
      under_way = 0;
    }
    if (count > 0 && under_way == 0) {
      under_way = count;
      need(zmq_send(disk, NULL, 0, 0) >= 0, "zmq_send");
    }
  }
}

// Runs the process that stands in for a gateway.
static void serve(const char *publisher, const char *triggers, int io_threads) {
  void *context = zmq_ctx_new();
  zmq_ctx_set(context, ZMQ_IO_THREADS, io_threads);
  void *clients = open_socket(context, ZMQ_PUB), *senders = open_socket(context, ZMQ_PULL);
  void *requests = open_socket(context, ZMQ_PUSH), *events = open_socket(context, ZMQ_SUB);
  need(zmq_setsockopt(events, ZMQ_SUBSCRIBE, "", 0) == 0, "zmq_setsockopt");
  need(zmq_connect(requests, in_directory("ipc://", "requests")) == 0, "zmq_connect");
  need(zmq_connect(events, in_directory("ipc://", "events")) == 0, "zmq_connect");
  need(zmq_bind(clients, publisher) == 0, "zmq_bind");
  need(zmq_bind(senders, triggers) == 0, "zmq_bind");
  zmq_pollitem_t items[] = {{senders, 0, ZMQ_POLLIN, 0}, {events, 0, ZMQ_POLLIN, 0}};
  zmq_msg_t message;
  zmq_msg_init(&message);
  for (;;) {
    need(zmq_poll(items, 2, -1) >= 0, "zmq_poll");
    if (items[0].revents) {
      need(zmq_msg_recv(&message, senders, 0) >= 0, "zmq_msg_recv");
      zmq_msg_init_size(&message, size);
      memset(zmq_msg_data(&message), 0, size);
      need(zmq_msg_send(&message, requests, 0) >= 0, "zmq_msg_send");
    }
    if (items[1].revents) {
      need(zmq_msg_recv(&message, events, 0) >= 0, "zmq_msg_recv");
      need(zmq_msg_send(&message, clients, 0) >= 0, "zmq_msg_send");
    }
  }
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  directory = arguments[5];
  size = (size_t)atoi(arguments[3]);
  pid_t other = fork();
  need(other >= 0, "fork");
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // This process ends with the first process.
    store();
  }
  serve(arguments[1], arguments[2], atoi(arguments[4]));
}

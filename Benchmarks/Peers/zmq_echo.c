// A bare ROUTER that echoes every message. It is the server of zmq_ping, and it shows what an idle
// client costs libzmq. Prints its process id.
//
//   zmq_echo ENDPOINT IO_THREADS
#include <unistd.h>
#include <zmq.h>

#include "measure.h"

int main(int count, char **arguments) {
  if (count != 3) return 2;
  printf("%d\n", (int)getpid());
  fflush(stdout);
  void *context = zmq_ctx_new();
  zmq_ctx_set(context, ZMQ_IO_THREADS, atoi(arguments[2]));
  void *socket = zmq_socket(context, ZMQ_ROUTER);
  int unlimited = 0, backlog = 1024;
  zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
  zmq_setsockopt(socket, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
  zmq_setsockopt(socket, ZMQ_BACKLOG, &backlog, sizeof backlog);
  need(zmq_bind(socket, arguments[1]) == 0, "zmq_bind");
  zmq_msg_t message;
  for (;;) {
    zmq_msg_init(&message);
    need(zmq_msg_recv(&message, socket, 0) >= 0, "zmq_msg_recv");
    int more = zmq_msg_more(&message) ? ZMQ_SNDMORE : 0;
    need(zmq_msg_send(&message, socket, more) >= 0, "zmq_msg_send");
  }
}

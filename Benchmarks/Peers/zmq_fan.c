// A bare PUB: for each message on its PULL socket, it publishes a message of SIZE bytes to every subscriber.
//
//   zmq_fan PUB_ENDPOINT PULL_ENDPOINT SIZE IO_THREADS
#include <zmq.h>

#include <string.h>

#include "measure.h"

int main(int count, char **arguments) {
  if (count != 5) return 2;
  size_t size = (size_t)atoi(arguments[3]);
  void *context = zmq_ctx_new();
  zmq_ctx_set(context, ZMQ_IO_THREADS, atoi(arguments[4]));
  void *publisher = zmq_socket(context, ZMQ_PUB);
  void *triggers = zmq_socket(context, ZMQ_PULL);
  // With a high-water mark, the PUB would drop queued messages whenever a subscriber is slow, and
  // the run would never end.
  int unlimited = 0, backlog = 1024;
  zmq_setsockopt(publisher, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
  zmq_setsockopt(publisher, ZMQ_BACKLOG, &backlog, sizeof backlog);
  need(zmq_bind(publisher, arguments[1]) == 0, "zmq_bind");
  need(zmq_bind(triggers, arguments[2]) == 0, "zmq_bind");
  zmq_msg_t trigger, event;
  zmq_msg_init(&trigger);
  for (;;) {
    need(zmq_msg_recv(&trigger, triggers, 0) >= 0, "zmq_msg_recv");
    zmq_msg_init_size(&event, size);
    memset(zmq_msg_data(&event), 0, size);
    need(zmq_msg_send(&event, publisher, 0) >= 0, "zmq_msg_send");
  }
}

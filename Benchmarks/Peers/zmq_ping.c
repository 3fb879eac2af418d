// A bare DEALER, the client of zmq_echo.
//
//   zmq_ping ENDPOINT SIZE
//
// Each line `COUNT OUTSTANDING` on standard input is a run of COUNT messages with OUTSTANDING in flight. Its result is
// one line, `P50_NS MESSAGES_PER_SECOND`. The program exits at the end of its input.
#include <zmq.h>

#include <string.h>

#include "measure.h"

int main(int count, char **arguments) {
  if (count != 3) return 2;
  size_t size = (size_t)atoi(arguments[2]);
  void *context = zmq_ctx_new();
  void *socket = zmq_socket(context, ZMQ_DEALER);
  need(zmq_connect(socket, arguments[1]) == 0, "zmq_connect");
  char *out = calloc(1, size), *in = calloc(1, size);
  size_t messages, outstanding;
  while (scanf("%zu %zu", &messages, &outstanding) == 2) {
    uint64_t *took = calloc(messages, sizeof *took), *asked = calloc(messages, sizeof *asked);
    size_t sent = 0;
    uint64_t began = now_ns();
    for (size_t received = 0; received < messages; received++) {
      for (; sent < messages && sent - received < outstanding; sent++) {
        asked[sent] = now_ns();
        need(zmq_send(socket, out, size, 0) >= 0, "zmq_send");
      }
      need(zmq_recv(socket, in, size, 0) == (int)size, "zmq_recv");
      took[received] = now_ns() - asked[received];
    }
    double seconds = (double)(now_ns() - began) / 1e9;
    printf("%llu %.0f\n", (unsigned long long)percentile(took, messages, 0.5), (double)messages / seconds);
    fflush(stdout);
    free(took);
    free(asked);
  }
  return 0;
}

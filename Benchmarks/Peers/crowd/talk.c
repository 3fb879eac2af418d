// Measures the mouth-to-ear latency with a tone that becomes loud periodically.
#include <math.h>
#include <opus/opus.h>

#include "rtp.h"

enum {
  rate = 48000, frame = 960, tick_ns = 20000000,
  period = 25, quiet = 20,  // In packets of 20 ms. A period is half a second, and its last fifth is loud.
  most_bytes = 1275, warm_periods = 3,
};

// The root mean square of the loud tone is 6,400 of 32,768, and that of the quiet tone is 640. Both
// codecs look ahead by 6.5 ms, so a packet that is loud only in its last third is above the
// threshold.
static const double loud_peak = 9000, quiet_peak = 900, threshold = 2500;

static struct {
  uint8_t bytes[most_bytes];
  size_t count;
  uint8_t level;
} pattern[period];

struct pair {
  OpusDecoder *decoder;
  uint64_t sent;  // The time at which the peer sent the pending mark; 0 if none is pending.
  bool is_loud;
  size_t heard;
  uint64_t *took;
};

static struct pair *pairs;
static size_t wanted;

static void make_pattern(void) {
  if (pattern[0].count > 0) return;
  int code;
  OpusEncoder *encoder = opus_encoder_create(rate, 1, OPUS_APPLICATION_AUDIO, &code);
  need(code == OPUS_OK, "opus_encoder_create");
  opus_encoder_ctl(encoder, OPUS_SET_BITRATE(32000));
  opus_int16 sound[frame];
  // Encode the pattern twice, and keep the packets of the second time. So when the pattern repeats,
  // its first packet continues the sound of its last packet.
  for (int packet = 0; packet < 2 * period; packet++) {
    bool is_loud = packet % period >= quiet;
    for (int i = 0; i < frame; i++) {
      double time = (double)(packet * frame + i) / rate;
      sound[i] = (opus_int16)((is_loud ? loud_peak : quiet_peak) * sin(2 * M_PI * 440 * time));
    }
    int count = opus_encode(encoder, sound, frame, pattern[packet % period].bytes, most_bytes);
    need(count > 0, "opus_encode");
    pattern[packet % period].count = (size_t)count;
    pattern[packet % period].level = is_loud ? 14 : 34;
  }
  opus_encoder_destroy(encoder);
}

static void hear(struct link *link, const uint8_t *payload, size_t count) {
  size_t number = (size_t)(link - links);
  if (number % 2 == 0) return;
  struct pair *pair = &pairs[number / 2];
  uint64_t now = now_ns();
  opus_int16 sound[6 * frame];
  int samples = opus_decode(pair->decoder, payload, (opus_int32)count, sound, 6 * frame, 0);
  if (samples <= 0) return;
  double energy = 0;
  for (int i = 0; i < samples; i++) energy += (double)sound[i] * sound[i];
  bool is_loud = sqrt(energy / samples) > threshold;
  if (is_loud && !pair->is_loud && pair->sent != 0) {
    if (pair->heard < wanted) pair->took[pair->heard++] = now - pair->sent;
    pair->sent = 0;
  }
  pair->is_loud = is_loud;
}

void talk(size_t marks, void (*wait_until)(uint64_t)) {
  size_t count = link_count / 2;
  int code;
  make_pattern();
  wanted = marks;
  pairs = calloc(count, sizeof *pairs);
  for (size_t i = 0; i < count; i++) {
    pairs[i].decoder = opus_decoder_create(rate, 1, &code);
    need(code == OPUS_OK, "opus_decoder_create");
    pairs[i].took = calloc(marks, sizeof *pairs[i].took);
  }
  rtp_on_audio = hear;
  uint64_t began = now_ns(), last = (marks + warm_periods + 1) * period;
  // Each pair sends at a different offset within the 20 ms of a tick, so that the pairs wait for
  // different times until the next mix.
  for (uint64_t tick = 0; tick < last; tick++) {
    for (size_t i = 0; i < count; i++) {
      wait_until(began + tick * tick_ns + i * tick_ns / count);
      size_t place = tick % period;
      if (place == quiet && tick / period >= warm_periods) pairs[i].sent = now_ns();
      rtp_send_audio(&links[2 * i], tick, pattern[place].bytes, pattern[place].count, pattern[place].level);
    }
  }
  wait_until(now_ns() + 500000000u);
  rtp_on_audio = NULL;
  for (size_t i = 0; i < count; i++) {
    if (pairs[i].heard < marks) {
      fprintf(stderr, "pair %zu heard %zu of %zu\n", i, pairs[i].heard, marks);
      exit(1);
    }
    for (size_t mark = 0; mark < marks; mark++) {
      printf("%s%llu", i + mark > 0 ? " " : "", (unsigned long long)pairs[i].took[mark]);
    }
    opus_decoder_destroy(pairs[i].decoder);
    free(pairs[i].took);
  }
  printf("\n");
  free(pairs);
  pairs = NULL;
}

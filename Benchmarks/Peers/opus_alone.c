// libopus alone, the peer of media's audio.
//
//   opus_alone write FILE              ten seconds of a voice-like sound, as packets. The length of each packet
//                                      precedes the packet
//   opus_alone encode SOUND FILE       a sound (48 kHz, one channel, 16 bits in the machine's byte order), as packets.
//                                      The length of each packet precedes the packet. Drops an incomplete packet at
//                                      the end
//   opus_alone cost DECODES ENCODES TICKS   decodes and encodes this many packets in each tick of 20 ms, without pauses;
//                                      prints the processor time of a tick in microseconds
#include <math.h>
#include <opus/opus.h>
#include <string.h>

#include "measure.h"

enum { RATE = 48000, FRAME = 960, PACKETS = 500, MOST = 1275 };

static unsigned char packets[PACKETS][MOST];
static int sizes[PACKETS];
static opus_int16 sound[PACKETS][FRAME];

static OpusEncoder *encoder(void) {
  int code;
  OpusEncoder *made = opus_encoder_create(RATE, 1, OPUS_APPLICATION_AUDIO, &code);
  need(code == OPUS_OK, "opus_encoder_create");
  opus_encoder_ctl(made, OPUS_SET_BITRATE(32000));
  opus_encoder_ctl(made, OPUS_SET_COMPLEXITY(5));
  return made;
}

// Generates harmonics of a gliding pitch, in syllables.
static void make(void) {
  OpusEncoder *voice = encoder();
  for (int packet = 0; packet < PACKETS; packet++) {
    for (int i = 0; i < FRAME; i++) {
      double time = (double)(packet * FRAME + i) / RATE, value = 0;
      double phase = 2 * M_PI * (130 * time + 5 * sin(2 * M_PI * 0.7 * time));
      for (int n = 1; n <= 10; n++) value += sin(n * phase) / n;
      sound[packet][i] = (opus_int16)(6000 * (0.3 + fabs(sin(2 * M_PI * 2.5 * time))) * value);
    }
    sizes[packet] = opus_encode(voice, sound[packet], FRAME, packets[packet], MOST);
    need(sizes[packet] > 0, "opus_encode");
  }
  opus_encoder_destroy(voice);
}

static void write_all(const char *path) {
  FILE *file = fopen(path, "wb");
  need(file != NULL, path);
  for (int packet = 0; packet < PACKETS; packet++) {
    unsigned char length[2] = {(unsigned char)(sizes[packet] >> 8), (unsigned char)sizes[packet]};
    need(fwrite(length, 2, 1, file) == 1, path);
    need(fwrite(packets[packet], (size_t)sizes[packet], 1, file) == 1, path);
  }
  need(fclose(file) == 0, path);
}

static void encode_all(const char *sound_path, const char *path) {
  FILE *from = fopen(sound_path, "rb"), *to = fopen(path, "wb");
  need(from != NULL, sound_path);
  need(to != NULL, path);
  OpusEncoder *voice = encoder();
  opus_int16 frame[FRAME];
  while (fread(frame, sizeof *frame, FRAME, from) == FRAME) {
    unsigned char packet[2 + MOST];
    int size = opus_encode(voice, frame, FRAME, packet + 2, MOST);
    need(size > 0, "opus_encode");
    packet[0] = (unsigned char)(size >> 8);
    packet[1] = (unsigned char)size;
    need(fwrite(packet, 2 + (size_t)size, 1, to) == 1, path);
  }
  need(!ferror(from), sound_path);
  opus_encoder_destroy(voice);
  fclose(from);
  need(fclose(to) == 0, path);
}

static double used_us(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec * 1e6 + (double)used.tv_nsec / 1e3;
}

static double cost(int decodes, int encodes, int ticks) {
  OpusDecoder **decoders = calloc((size_t)decodes, sizeof *decoders);
  OpusEncoder **encoders = calloc((size_t)encodes, sizeof *encoders);
  int code;
  for (int i = 0; i < decodes; i++) decoders[i] = opus_decoder_create(RATE, 1, &code);
  for (int i = 0; i < encodes; i++) encoders[i] = encoder();
  opus_int16 heard[FRAME];
  unsigned char made[MOST];
  double before = used_us();
  for (int tick = 0; tick < ticks; tick++) {
    for (int i = 0; i < decodes; i++) {
      int packet = (tick + 7 * i) % PACKETS;
      need(opus_decode(decoders[i], packets[packet], sizes[packet], heard, FRAME, 0) == FRAME, "opus_decode");
    }
    for (int i = 0; i < encodes; i++) {
      need(opus_encode(encoders[i], sound[(tick + 7 * i) % PACKETS], FRAME, made, MOST) > 0, "opus_encode");
    }
  }
  return (used_us() - before) / ticks;
}

int main(int count, char **arguments) {
  if (count == 3 && strcmp(arguments[1], "write") == 0) {
    make();
    write_all(arguments[2]);
  } else if (count == 4 && strcmp(arguments[1], "encode") == 0) {
    encode_all(arguments[2], arguments[3]);
  } else if (count == 5 && strcmp(arguments[1], "cost") == 0) {
    make();
    printf("%.3f\n", cost(atoi(arguments[2]), atoi(arguments[3]), atoi(arguments[4])));
  } else {
    fprintf(stderr, "opus_alone write FILE | encode SOUND FILE | cost DECODES ENCODES TICKS\n");
    return 2;
  }
  return 0;
}

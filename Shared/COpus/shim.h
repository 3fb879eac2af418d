// The declarations of libopus for Swift: <opus/opus.h>, and inline helpers for functions that Swift
// cannot call.
#ifndef CARILLON_COPUS_SHIM_H
#define CARILLON_COPUS_SHIM_H

#include <opus/opus.h>

// opus_encoder_ctl(3) is variadic, and its requests are macros with casts. So each request has its
// own function.
static inline int copus_encoder_set_bitrate(OpusEncoder *encoder, opus_int32 value) {
  return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(value));
}

static inline int copus_encoder_set_complexity(OpusEncoder *encoder, opus_int32 value) {
  return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(value));
}

static inline int copus_encoder_set_inband_fec(OpusEncoder *encoder, opus_int32 value) {
  return opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(value));
}

static inline int copus_encoder_set_expected_loss(OpusEncoder *encoder, opus_int32 percent) {
  return opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(percent));
}

static inline int copus_encoder_set_dtx(OpusEncoder *encoder, opus_int32 value) {
  return opus_encoder_ctl(encoder, OPUS_SET_DTX(value));
}

static inline int copus_encoder_set_max_bandwidth(OpusEncoder *encoder, opus_int32 value) {
  return opus_encoder_ctl(encoder, OPUS_SET_MAX_BANDWIDTH(value));
}

static inline int copus_encoder_set_prediction_disabled(OpusEncoder *encoder, opus_int32 value) {
  return opus_encoder_ctl(encoder, OPUS_SET_PREDICTION_DISABLED(value));
}

static inline int copus_encoder_reset(OpusEncoder *encoder) {
  return opus_encoder_ctl(encoder, OPUS_RESET_STATE);
}

static inline int copus_decoder_reset(OpusDecoder *decoder) {
  return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
}

// The properties that a packet's header declares. The number of samples is per channel, at 48 kHz.
typedef struct {
  int frames;
  int samples;
  int channels;
  int bandwidth;
  int has_fec;
} copus_packet;

// Returns OPUS_OK, or OPUS_INVALID_PACKET. This function is in C, because opus_packet_parse(3)
// fills arrays of 48 elements.
static inline int copus_packet_inspect(const unsigned char *data, opus_int32 length,
                                       copus_packet *packet) {
  const unsigned char *frames[48];
  opus_int16 sizes[48];
  unsigned char toc;
  int offset;
  int count = opus_packet_parse(data, length, &toc, frames, sizes, &offset);
  if (count < 1) return OPUS_INVALID_PACKET;
  int samples_per_frame = opus_packet_get_samples_per_frame(data, 48000);
  packet->frames = count;
  packet->samples = count * samples_per_frame;
  packet->channels = opus_packet_get_nb_channels(data);
  packet->bandwidth = opus_packet_get_bandwidth(data);
  packet->has_fec = 0;
  // RFC 6716, section 4.2.3: SILK frames (in all modes except CELT-only, bit 7) begin with one
  // voice-activity bit per 20 ms. The next bit says whether a copy of the last packet follows. In
  // stereo, the bits of the side channel follow, in the same order. Each of these bits is 0 or 1
  // with equal probability, so the range coder stores the bits unchanged.
  if (!(toc & 0x80) && sizes[0] > 0) {
    int activity_bits = samples_per_frame > 960 ? samples_per_frame / 960 : 1;
    packet->has_fec = (frames[0][0] >> (7 - activity_bits)) & 1;
    if (packet->channels == 2)
      packet->has_fec |= (frames[0][0] >> (6 - 2 * activity_bits)) & 1;
  }
  return OPUS_OK;
}

#endif

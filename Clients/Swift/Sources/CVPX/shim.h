// The declarations of libvpx for Swift: the headers of libvpx, and inline functions that replace
// what Swift cannot call.
#ifndef CARILLON_CVPX_SHIM_H
#define CARILLON_CVPX_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

// These functions replace macros. Each macro adds the version of the headers to the arguments of a
// function.
static inline vpx_codec_err_t cvpx_encoder_init(vpx_codec_ctx_t *context,
                                                const vpx_codec_enc_cfg_t *configuration) {
  return vpx_codec_enc_init(context, vpx_codec_vp8_cx(), configuration, 0);
}

static inline vpx_codec_err_t cvpx_decoder_init(vpx_codec_ctx_t *context) {
  const vpx_codec_dec_cfg_t configuration = {1, 0, 0};
  return vpx_codec_dec_init(context, vpx_codec_vp8_dx(), &configuration, 0);
}

// vpx_codec_control_() is variadic, and Swift cannot call variadic functions.
static inline vpx_codec_err_t cvpx_control(vpx_codec_ctx_t *context, int control, int value) {
  return vpx_codec_control_(context, control, value);
}

static inline vpx_codec_err_t cvpx_is_corrupted(vpx_codec_ctx_t *context, int *is_corrupted) {
  return vpx_codec_control_(context, VP8D_GET_FRAME_CORRUPTED, is_corrupted);
}

// The flag is a macro with a cast, which Swift does not import.
static inline vpx_enc_frame_flags_t cvpx_force_key_frame(void) { return VPX_EFLAG_FORCE_KF; }

// These functions read a packet that contains a frame. Call them only for such packets.
static inline const void *cvpx_frame_bytes(const vpx_codec_cx_pkt_t *packet) {
  return packet->data.frame.buf;
}
static inline size_t cvpx_frame_size(const vpx_codec_cx_pkt_t *packet) {
  return packet->data.frame.sz;
}
static inline int cvpx_frame_is_key(const vpx_codec_cx_pkt_t *packet) {
  return (packet->data.frame.flags & VPX_FRAME_IS_KEY) != 0;
}

// Shrinks a plane: each pixel becomes the mean of the source pixels that it replaces. This function
// is in C, because it processes every pixel of every frame, and must also be fast in a build
// without optimisation.
static inline void cvpx_shrink_plane(const uint8_t *source, int source_stride, int source_width,
                                     int source_height, uint8_t *target, int target_width,
                                     int target_height) {
  for (int row = 0; row < target_height; row++) {
    const int top = (int)((int64_t)row * source_height / target_height);
    int bottom = (int)((int64_t)(row + 1) * source_height / target_height);
    if (bottom <= top) bottom = top + 1;
    for (int column = 0; column < target_width; column++) {
      const int left = (int)((int64_t)column * source_width / target_width);
      int right = (int)((int64_t)(column + 1) * source_width / target_width);
      if (right <= left) right = left + 1;
      uint32_t sum = 0;
      for (int y = top; y < bottom; y++) {
        const uint8_t *pixels = source + (ptrdiff_t)y * source_stride;
        for (int x = left; x < right; x++) sum += pixels[x];
      }
      const uint32_t count = (uint32_t)((bottom - top) * (right - left));
      target[(ptrdiff_t)row * target_width + column] = (uint8_t)((sum + count / 2) / count);
    }
  }
}

#endif

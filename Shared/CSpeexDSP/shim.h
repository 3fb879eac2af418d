// The declarations of libspeexdsp for Swift: the noise suppressor and the resampler.
#ifndef CARILLON_CSPEEXDSP_SHIM_H
#define CARILLON_CSPEEXDSP_SHIM_H

#include <speex/speex_preprocess.h>
#include <speex/speex_resampler.h>

#endif

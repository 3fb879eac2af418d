// The interface of libpocketsphinx for Swift: <pocketsphinx.h>, and inline functions that wrap what
// Swift cannot call.
#ifndef CARILLON_CPOCKETSPHINX_SHIM_H
#define CARILLON_CPOCKETSPHINX_SHIM_H

#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <stddef.h>

// Creates a decoder, or returns NULL if the model does not load. Swift cannot call cmd_ln_init,
// which is variadic.
static inline ps_decoder_t *cpocketsphinx_decoder(const char *acoustic_model,
                                                  const char *language_model,
                                                  const char *dictionary) {
  cmd_ln_t *config =
      cmd_ln_init(NULL, ps_args(), TRUE, "-hmm", acoustic_model, "-lm", language_model, "-dict",
                  dictionary, "-remove_silence", "no", "-bestpath", "yes", (char *)NULL);
  if (config == NULL) return NULL;
  ps_decoder_t *decoder = ps_init(config);
  // The decoder retains the configuration.
  cmd_ln_free_r(config);
  return decoder;
}

// Turns off the library's log, which goes to standard error by default.
static inline void cpocketsphinx_be_quiet(void) { err_set_logfp(NULL); }

// Returns the probability of a segment, 0-1. Returns 1 for a segment of a partial result, which has
// no probability.
static inline double cpocketsphinx_probability(ps_decoder_t *decoder, ps_seg_t *segment) {
  int32 acoustic, language, back_off;
  return logmath_exp(ps_get_logmath(decoder),
                     ps_seg_prob(segment, &acoustic, &language, &back_off));
}

#endif

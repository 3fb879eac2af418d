// libsrtp2 alone, the peer of Carillon's SRTP.
//
//   srtp_alone PROFILE KEY    PROFILE is the profile's number in DTLS-SRTP. KEY is the master key and master salt in
//                             hexadecimal. For each line `repeat COUNT BYTES` of standard input, protects and opens
//                             COUNT packets of RTP with BYTES of payload, in batches. Prints two processor times in
//                             microseconds: for protecting one packet, and for opening one packet.
#include <srtp2/srtp.h>
#include <string.h>

#include "measure.h"

enum { BATCH = 32, HEADER = 12, MOST = 4096, WINDOW = 1024 };

static unsigned char packets[BATCH][MOST];
static uint16_t sequence_number;

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static srtp_profile_t profile_of(int number) {
  return number == 7   ? srtp_profile_aead_aes_128_gcm
         : number == 8 ? srtp_profile_aead_aes_256_gcm
                       : srtp_profile_aes128_cm_sha1_80;
}

static srtp_t session(int profile, unsigned char *key, srtp_ssrc_type_t ssrcs) {
  srtp_policy_t policy;
  memset(&policy, 0, sizeof policy);
  need(!srtp_crypto_policy_set_from_profile_for_rtp(&policy.rtp, profile_of(profile)), "profile of RTP");
  need(!srtp_crypto_policy_set_from_profile_for_rtcp(&policy.rtcp, profile_of(profile)), "profile of RTCP");
  policy.key = key;
  policy.ssrc.type = ssrcs;
  policy.window_size = WINDOW;
  srtp_t made;
  need(!srtp_create(&made, &policy), "srtp_create");
  return made;
}

static void number(void) {
  for (int index = 0; index < BATCH; index++) {
    sequence_number++;
    packets[index][0] = 0x80;
    packets[index][2] = (unsigned char)(sequence_number >> 8);
    packets[index][3] = (unsigned char)(sequence_number & 0xff);
  }
}

static void run(srtp_t sender, srtp_t receiver, int count, int payload) {
  double protecting = 0, opening = 0;
  need(HEADER + payload + SRTP_MAX_TRAILER_LEN <= MOST, "a payload that fits");
  for (int done = 0; done < count / BATCH; done++) {
    int sizes[BATCH];
    number();
    double start = processor_time();
    for (int index = 0; index < BATCH; index++) {
      sizes[index] = HEADER + payload;
      need(!srtp_protect(sender, packets[index], &sizes[index]), "srtp_protect");
    }
    double middle = processor_time();
    for (int index = 0; index < BATCH; index++)
      need(!srtp_unprotect(receiver, packets[index], &sizes[index]), "srtp_unprotect");
    opening += processor_time() - middle;
    protecting += middle - start;
  }
  double all = count / BATCH * BATCH;
  printf("%f %f\n", protecting / all, opening / all);
  fflush(stdout);
}

int main(int argc, char **argv) {
  unsigned char key[64] = {0};
  need(argc == 3 && strlen(argv[2]) <= 2 * sizeof key, "srtp_alone PROFILE KEY");
  for (size_t index = 0; index < strlen(argv[2]) / 2; index++) sscanf(argv[2] + 2 * index, "%2hhx", &key[index]);
  need(!srtp_init(), "srtp_init");
  int profile = atoi(argv[1]), count, payload;
  srtp_t sender = session(profile, key, ssrc_any_outbound), receiver = session(profile, key, ssrc_any_inbound);
  while (scanf(" repeat %d %d", &count, &payload) == 2) run(sender, receiver, count, payload);
  return 0;
}

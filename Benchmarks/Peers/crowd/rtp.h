// Clients that exchange RTP packets, one in each message: of media, of a bare server, or over UDP.
#pragma once

#include "crowd.h"

extern const struct protocol audio_protocol;     // DEALERs of media or of a bare ROUTER.
extern const struct protocol video_protocol;     // The same; the first one sends video.
extern const struct protocol pipeline_protocol;  // One PUSH that sends video, and PULLs.
extern const struct protocol udp_protocol;       // No connection: a packet in each datagram.

// A line for each client: its ticket in hexadecimal, and the SSRC of what it sends. Makes as many links.
void rtp_read_sessions(const char *path);
// So many clients of zmq_forward, whose tickets say their places, from `first` on.
void rtp_make_sessions(size_t first, size_t count);
// Whether media has answered the ticket.
bool rtp_is_bound(const struct link *link);
// Opus packets, each with its length in front, in two bytes.
void rtp_read_voice(const char *path);
// Sends 20 ms of the voice; `tick` counts them and makes the timestamp.
void rtp_speak(struct link *link, uint64_t tick);
// Sends 20 ms of this sound, `level` in -dBov.
void rtp_send_audio(struct link *link, uint64_t tick, const uint8_t *payload, size_t count, uint8_t level);

// Called with the payload of each audio packet that comes; NULL: they are only counted.
extern void (*rtp_on_audio)(struct link *link, const uint8_t *payload, size_t count);

// talk.c: from mouth to ear. Links in pairs: the first one talks, the second one hears it alone. Prints, pair after
// pair, for each of `marks` the nanoseconds from sending the packet in which the sound becomes loud to getting the
// first one in which it is.
void talk(size_t marks, void (*wait_until)(uint64_t time));

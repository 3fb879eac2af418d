// Clients that exchange RTP packets, one per message: with media, with a bare server, or over UDP.
#pragma once

#include "crowd.h"

extern const struct protocol audio_protocol;     // DEALERs of media or of a bare ROUTER.
extern const struct protocol video_protocol;     // The same, but the first client sends video.
extern const struct protocol pipeline_protocol;  // One PUSH that sends video, and PULLs.
extern const struct protocol udp_protocol;       // No connection: one packet per datagram.

// Reads a line for each client. The line contains the client's ticket in hexadecimal, and the
// client's SSRC. Creates a link for each line.
void rtp_read_sessions(const char *path);
// Creates `count` clients of zmq_forward. The ticket of each client contains the client's place. The places start at
// `first`.
void rtp_make_sessions(size_t first, size_t count);
// Returns whether media has answered the ticket.
bool rtp_is_bound(const struct link *link);
// Reads Opus packets. The length of each packet, in two bytes, precedes the packet.
void rtp_read_voice(const char *path);
// Sends 20 ms of the voice. `tick` counts packets and determines the timestamp.
void rtp_speak(struct link *link, uint64_t tick);
// Sends 20 ms of this sound, with its `level` in -dBov.
void rtp_send_audio(struct link *link, uint64_t tick, const uint8_t *payload, size_t count, uint8_t level);

// Called with the payload of each received audio packet. If this is NULL, the program only counts
// packets.
extern void (*rtp_on_audio)(struct link *link, const uint8_t *payload, size_t count);

// talk.c measures the mouth-to-ear latency. Links are in pairs: the first link of a pair talks, and
// only the second link hears the talk. For each pair, prints `marks` latencies in nanoseconds. Each
// latency starts when the talker sends the packet in which the sound becomes loud, and ends when
// the listener receives the first packet in which the sound is loud.
void talk(size_t marks, void (*wait_until)(uint64_t time));

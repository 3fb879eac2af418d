"""RTP and RTCP (RFC 3550): packets, their numbering, what is sent and what arrives."""

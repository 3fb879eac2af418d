"""RTP and RTCP (RFC 3550): packets, sequence numbers, outgoing streams and reception."""

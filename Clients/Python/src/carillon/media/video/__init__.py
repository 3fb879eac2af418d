"""Video of a session: VP8 (RFC 7741), H.264 (RFC 6184), the sender and the receiver."""

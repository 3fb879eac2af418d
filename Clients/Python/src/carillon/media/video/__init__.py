"""Video of a session: VP8 (RFC 7741), H.264 (RFC 6184), and who sends and receives them."""

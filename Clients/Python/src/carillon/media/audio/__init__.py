"""Audio of a session: Opus (RFC 7587), the jitter buffer, the sender and the receiver."""

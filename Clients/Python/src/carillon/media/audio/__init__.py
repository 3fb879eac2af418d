"""Audio of a session: Opus (RFC 7587), the jitter buffer, and who sends and receives it."""

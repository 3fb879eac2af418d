"""The options of a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import zmq

from carillon.attendees import MediaDirection
from carillon.audio_mode import AudioMode
from carillon.version import VERSION

RECONNECT_SECONDS = 180.0
"""The default of `reconnect_seconds`. The Swift client has the same default."""


@dataclass(frozen=True, kw_only=True)
class SessionOptions:
    """How a session joins a meeting, and the limits of its queues. All options have defaults.

    Raises `ValueError` for a limit below 1 and for a negative time.
    """

    gateway_url: str = ""
    """The gateway's endpoint, `ipc://PATH`, `tcp://HOST:PORT` or `tcp://HOST:PORT?curve=KEY`.

    If empty, the session uses the gateway of the meeting."""
    is_muted: bool = False
    """Whether the session starts muted."""
    audio: MediaDirection = MediaDirection.SEND_RECEIVE
    """Whether the session sends audio, receives it, or both."""
    audio_mode: AudioMode = AudioMode.STEREO_48K
    """The sample rate and the channels of the audio that the session receives."""
    transcript_language: str = ""
    """The language of the transcripts; empty for the spoken language. The program can change
    this language later."""
    spoken_language: str = ""
    """The language that this attendee speaks; if empty, the meeting's language. The program can
    change this language later."""
    start_seconds: float = 15.0
    """The timeout for entering the session, in seconds."""
    reconnect_seconds: float = RECONNECT_SECONDS
    """The time during which a lost session tries to reconnect, in seconds."""
    event_limit: int = 1024
    """The number of events that may wait in one stream of the session, video, media or
    transcripts."""
    message_limit: int = 4096
    """The number of data messages that may wait in one stream."""
    send_limit: int = 1024
    """The number of sent data messages that may wait for an answer."""
    send_limit_bytes: int = 1 << 20
    """The total size of the sent data messages that may wait for an answer, in bytes."""
    client_name: str = f"carillon-python {VERSION}"
    """The name and version of the program, for logs. The session sends only 64 characters."""
    context: zmq.Context[Any] | None = None
    """The ZeroMQ context to use; `None` uses the default context of the process."""

    def __post_init__(self) -> None:
        """Checks the limits and the times."""
        for name in ("event_limit", "message_limit", "send_limit", "send_limit_bytes"):
            if (limit := getattr(self, name)) < 1:
                raise ValueError(f"{name} must be at least 1; got {limit}.")
        for name in ("start_seconds", "reconnect_seconds"):
            if not (seconds := getattr(self, name)) >= 0:
                raise ValueError(f"{name} must be 0 or more; got {seconds}.")

"""What a session may be told when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import zmq

from carillon.attendees import MediaDirection
from carillon.audio_mode import AudioMode
from carillon.version import VERSION

RECONNECT_SECONDS = 180.0
"""How long a lost session is tried for, as the facade has it."""


@dataclass(frozen=True, kw_only=True)
class SessionOptions:
    """How a session joins, and how much of it may wait; every option has a default.

    Raises `ValueError` for an option that no session can have.
    """

    gateway_url: str = ""
    """The gateway's endpoint, `ipc://PATH`, `tcp://HOST:PORT` or `tcp://HOST:PORT?curve=KEY`.

    Empty: the meeting tells it."""
    is_muted: bool = False
    """The session begins muted."""
    audio: MediaDirection = MediaDirection.SEND_RECEIVE
    """What of audio the session uses."""
    audio_mode: AudioMode = AudioMode.STEREO_48K
    """How the session wants what it hears."""
    transcript_language: str = ""
    """The language to read transcripts in; empty: as they were spoken. It can be changed later."""
    spoken_language: str = ""
    """The language that this attendee speaks; empty: the meeting's. It can be changed later."""
    start_seconds: float = 15.0
    """How long entering may take."""
    reconnect_seconds: float = RECONNECT_SECONDS
    """How long a lost session is tried for."""
    event_limit: int = 1024
    """How many events may wait for one consumer of the session, its video, media or transcripts."""
    message_limit: int = 4096
    """How many data messages may wait for one consumer."""
    send_limit: int = 1024
    """How many sent data messages may have no answer yet."""
    send_limit_bytes: int = 1 << 20
    """How many bytes those messages may have together."""
    client_name: str = f"carillon-python {VERSION}"
    """Name and version of the program, for logs; 64 characters of it are sent."""
    context: zmq.Context[Any] | None = None
    """The ZeroMQ context to use; the process's own where none is given."""

    def __post_init__(self) -> None:
        """Refuses what no session can have."""
        for name in ("event_limit", "message_limit", "send_limit", "send_limit_bytes"):
            if (limit := getattr(self, name)) < 1:
                raise ValueError(f"{name} is at least 1; got {limit}.")
        for name in ("start_seconds", "reconnect_seconds"):
            if not (seconds := getattr(self, name)) >= 0:
                raise ValueError(f"{name} is not negative; got {seconds}.")

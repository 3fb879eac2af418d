"""Audio and video of a session: RTP over ZeroMQ, Opus, VP8 and H.264 by PyAV.

```python
async with carillon.join(meeting, attendee) as session:
    await carillon.media.play(session, "hello.wav")
```

The packets and their connection need only `pyzmq`. To encode, decode, play or record, install the
extra: `pip install 'carillon[media]'`.

This package has the connection for packets (`connection`, `format`, `session_media`). `rtp` has the
packets. `audio` and `video` have the codecs, senders and receivers. `files` plays and records
files. `pattern` shows test pictures and counts them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carillon.audio_mode import AudioMode
from carillon.media.connection import MediaConnection, MediaCounters
from carillon.media.errors import MalformedPacketError
from carillon.media.format import (
    MediaEvent,
    MediaFormat,
    MediaMetrics,
    MediaMoved,
    UplinkMetrics,
)
from carillon.media.listener import MediaListener
from carillon.media.session_media import MediaStream, SessionMedia

if TYPE_CHECKING:
    from carillon.media.audio.receiver import AudioReceiver
    from carillon.media.audio.sender import AudioSender
    from carillon.media.files.playing import Played, play
    from carillon.media.files.recording import Recorded, record
    from carillon.media.pattern.camera import show_pattern
    from carillon.media.pattern.viewing import Viewed, view
    from carillon.media.video.receiver import VideoReceiver
    from carillon.media.video.sender import VideoSender

__all__ = [
    "AudioMode",
    "AudioReceiver",
    "AudioSender",
    "MalformedPacketError",
    "MediaConnection",
    "MediaCounters",
    "MediaEvent",
    "MediaFormat",
    "MediaListener",
    "MediaMetrics",
    "MediaMoved",
    "MediaStream",
    "Played",
    "Recorded",
    "SessionMedia",
    "UplinkMetrics",
    "VideoReceiver",
    "VideoSender",
    "Viewed",
    "play",
    "record",
    "show_pattern",
    "view",
]

_WITH_EXTRA = {
    "AudioReceiver": "audio.receiver",
    "AudioSender": "audio.sender",
    "Played": "files.playing",
    "Recorded": "files.recording",
    "VideoReceiver": "video.receiver",
    "VideoSender": "video.sender",
    "Viewed": "pattern.viewing",
    "play": "files.playing",
    "record": "files.recording",
    "show_pattern": "pattern.camera",
    "view": "pattern.viewing",
}
"""The names that need PyAV and NumPy, with their modules."""


def __getattr__(name: str) -> Any:
    if name not in _WITH_EXTRA:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_WITH_EXTRA[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("av", "numpy"):
            raise
        raise ImportError(
            f"{name} needs PyAV and NumPy; install the extra: pip install 'carillon[media]'"
        ) from error

"""How the packets of a session look, and where they go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from carillon.audio_mode import AudioMode
from carillon.errors import CarillonError, StatusCode
from carillon.v1 import media_pb2
from carillon.wire_enum import WireEnum

MODES = WireEnum(
    {
        AudioMode.MONO_16K: media_pb2.AUDIO_MODE_MONO_16K,
        AudioMode.MONO_48K: media_pb2.AUDIO_MODE_MONO_48K,
        AudioMode.STEREO_48K: media_pb2.AUDIO_MODE_STEREO_48K,
    },
    unknown=AudioMode.STEREO_48K,
)

DEFAULT_PACKET_BYTES = 1_200
"""What a packet has at most where media does not say it."""


@dataclass(frozen=True)
class MediaFormat:
    """How packets look, as media said it."""

    payloads: dict[str, int]
    """Payload types by encoding in lower case: `opus`, `vp8`, `h264`."""
    audio_level_extension_id: int
    """The id of the header extension that audio carries; 0: it carries none."""
    audio_send_ssrc: int
    audio_receive_ssrc: int
    """The SSRC of the mix that this session hears."""
    max_packet_bytes: int = DEFAULT_PACKET_BYTES
    audio_mode: AudioMode = AudioMode.STEREO_48K

    def payload_type(self, encoding: str) -> int:
        """Raises `CarillonError` `FAILED_PRECONDITION` where media does not take the encoding."""
        try:
            return self.payloads[encoding.lower()]
        except KeyError:
            known = ", ".join(self.payloads) or "none"
            raise CarillonError(
                StatusCode.FAILED_PRECONDITION,
                message=f"Media does not take {encoding} here; it takes {known}.",
            ) from None

    def encoding(self, payload_type: int) -> str:
        """The encoding in lower case; empty for a type that media has not named."""
        for encoding, number in self.payloads.items():
            if number == payload_type:
                return encoding
        return ""

    @classmethod
    def of(cls, packed: media_pb2.MediaFormat) -> Self:
        """The format as media sent it."""
        return cls(
            payloads={each.encoding.lower(): each.payload_type for each in packed.payloads},
            audio_level_extension_id=packed.audio_level_extension_id,
            audio_send_ssrc=packed.audio_send_ssrc,
            audio_receive_ssrc=packed.audio_receive_ssrc,
            max_packet_bytes=packed.max_packet_bytes or DEFAULT_PACKET_BYTES,
            audio_mode=MODES.read(packed.audio_mode),
        )


@dataclass(frozen=True)
class MediaEvent:
    """Any of the events of `Session.media.events`."""


@dataclass(frozen=True)
class MediaMoved(MediaEvent):
    """The place that the session's packets go to from now on.

    It comes first, and when media's owner changes.
    """

    endpoint: str
    ticket: bytes = field(repr=False)
    """Proves whose packets they are. Secret."""
    format: MediaFormat
    term: int

    @classmethod
    def of(cls, packed: media_pb2.MediaMoved) -> Self:
        """The move as it arrived."""
        return cls(packed.endpoint, packed.ticket, MediaFormat.of(packed.format), packed.term)


@dataclass(frozen=True)
class UplinkMetrics:
    """How what this session sends arrives, over the last second."""

    packets: int
    loss: float
    """The part of the expected packets that was missing after the jitter buffer, 0-1."""
    jitter: float
    """The interarrival jitter of RFC 3550, in seconds."""
    bits_per_second: int
    frames_per_second: int
    """How many frames came in a second; 0 for audio."""
    round_trip: float | None
    """The round trip in seconds; `None`: it is not known."""

    @classmethod
    def of(cls, packed: media_pb2.UplinkMetrics) -> Self:
        """The metrics as they arrived, in parts of one and in seconds."""
        return cls(
            packed.packets,
            packed.loss_ppm / 1_000_000,
            packed.jitter_us / 1_000_000,
            packed.bits_per_second,
            packed.frames_per_second,
            packed.rtt_us / 1_000_000 if packed.rtt_us else None,
        )


@dataclass(frozen=True)
class MediaMetrics(MediaEvent):
    """What only the server can measure of this session's media; comes once a second."""

    audio_send: UplinkMetrics | None
    """`None`: it sends no audio."""
    video_send: UplinkMetrics | None
    """All its video. `None`: it sends none."""
    available_send_bits_per_second: int
    """0: not known."""
    available_receive_bits_per_second: int
    """0: not known."""
    dropped_packets: int
    """Toward this session, over the last second: it was too slow."""
    audio_receive_concealed_packets: int = 0
    """Audio packets of other talkers that the server concealed in the mix, over the last second.

    What an `AudioReceiver` conceals itself is in its own counters.
    """

    @classmethod
    def of(cls, packed: media_pb2.MediaMetrics) -> Self:
        """The metrics as they arrived; what was not measured is `None`."""
        return cls(
            UplinkMetrics.of(packed.audio_send) if packed.HasField("audio_send") else None,
            UplinkMetrics.of(packed.video_send) if packed.HasField("video_send") else None,
            packed.available_send_bits_per_second,
            packed.available_receive_bits_per_second,
            packed.dropped_packets,
            packed.audio_receive_concealed_packets,
        )

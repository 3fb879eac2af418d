"""The format of a session's packets, their endpoint, and the metrics about the packets."""

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
"""The size limit of a packet in bytes, if the `media` service sets none."""


@dataclass(frozen=True)
class MediaFormat:
    """The format of the packets, as the `media` service set it."""

    payloads: dict[str, int]
    """The payload types by encoding in lower case: `opus`, `vp8`, `h264`."""
    audio_level_extension_id: int
    """The id of the header extension with the audio level; 0 if packets carry no audio level."""
    audio_send_ssrc: int
    audio_receive_ssrc: int
    """The SSRC of the mix that this session receives."""
    max_packet_bytes: int = DEFAULT_PACKET_BYTES
    audio_mode: AudioMode = AudioMode.STEREO_48K

    def payload_type(self, encoding: str) -> int:
        """Returns the payload type of an encoding.

        Raises `CarillonError` `FAILED_PRECONDITION` if the `media` service does not support the
        encoding.
        """
        try:
            return self.payloads[encoding.lower()]
        except KeyError:
            known = ", ".join(self.payloads) or "none"
            raise CarillonError(
                StatusCode.FAILED_PRECONDITION,
                message=f"Media does not accept {encoding} here; send one of {known}.",
            ) from None

    def encoding(self, payload_type: int) -> str:
        """Returns the encoding of a payload type in lower case; empty for an unknown type."""
        for encoding, number in self.payloads.items():
            if number == payload_type:
                return encoding
        return ""

    @classmethod
    def of(cls, packed: media_pb2.MediaFormat) -> Self:
        """Returns the format of a wire message."""
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
    """The base class of the events of `Session.media.events`."""


@dataclass(frozen=True)
class MediaMoved(MediaEvent):
    """The session's packets now go to this endpoint.

    This is the first media event. The server repeats this event when another instance takes over
    the meeting's media.
    """

    endpoint: str
    ticket: bytes = field(repr=False)
    """The secret that identifies the session to the `media` service."""
    format: MediaFormat
    term: int

    @classmethod
    def of(cls, packed: media_pb2.MediaMoved) -> Self:
        """Returns the move of a wire message."""
        return cls(packed.endpoint, packed.ticket, MediaFormat.of(packed.format), packed.term)


@dataclass(frozen=True)
class UplinkMetrics:
    """The server's reception of this session's packets in the last second."""

    packets: int
    loss: float
    """The fraction of the expected packets that were missing after the jitter buffer, 0-1."""
    jitter: float
    """The interarrival jitter of RFC 3550, in seconds."""
    bits_per_second: int
    frames_per_second: int
    """The frame rate; 0 for audio."""
    round_trip: float | None
    """The round-trip time in seconds; `None` if unknown."""

    @classmethod
    def of(cls, packed: media_pb2.UplinkMetrics) -> Self:
        """Returns the metrics of a wire message, converted to fractions and seconds."""
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
    """The server's measurements of this session's media, once a second."""

    audio_send: UplinkMetrics | None
    """The metrics of the audio that the session sends; `None` if there is none."""
    video_send: UplinkMetrics | None
    """The metrics of all video that the session sends; `None` if there is none."""
    available_send_bits_per_second: int
    """The estimated bandwidth from the session to the server; 0 if unknown."""
    available_receive_bits_per_second: int
    """The estimated bandwidth from the server to the session; 0 if unknown."""
    dropped_packets: int
    """The packets to this session that the server dropped in the last second.

    The server drops packets if the session reads too slowly."""
    audio_receive_concealed_packets: int = 0
    """The audio packets of other talkers that the server concealed in the mix, in the last second.

    The counters of an `AudioReceiver` contain the packets that the receiver conceals itself.
    """

    @classmethod
    def of(cls, packed: media_pb2.MediaMetrics) -> Self:
        """Returns the metrics of a wire message. Streams without a measurement are `None`."""
        return cls(
            UplinkMetrics.of(packed.audio_send) if packed.HasField("audio_send") else None,
            UplinkMetrics.of(packed.video_send) if packed.HasField("video_send") else None,
            packed.available_send_bits_per_second,
            packed.available_receive_bits_per_second,
            packed.dropped_packets,
            packed.audio_receive_concealed_packets,
        )

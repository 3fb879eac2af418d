"""Attendees: their ids, volume, signal strength and capabilities.

The *original SDK* is the published SDK that `docs/clients.md` describes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from carillon.v1 import common_pb2
from carillon.wire_enum import WireEnum


class VolumeLevel(IntEnum):
    """The volume level of an attendee. The numbers are those of the original SDK."""

    MUTED = -1
    NOT_SPEAKING = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3


class SignalStrength(IntEnum):
    """The signal strength of an attendee. The numbers are those of the original SDK."""

    NONE = 0
    LOW = 1
    HIGH = 2


class MediaDirection(Enum):
    """What an attendee may do with one kind of media."""

    SEND_RECEIVE = "SendReceive"
    SEND = "Send"
    RECEIVE = "Receive"
    NONE = "None"


@dataclass(frozen=True)
class AttendeeInfo:
    """The identity of an attendee, from the server. Both ids are empty for a service."""

    attendee_id: str = ""
    external_user_id: str = ""
    display_name: str = ""
    """The name that people read, in any writing system; empty if the attendee has none."""

    @property
    def name(self) -> str:
        """The first of display name, external user id and attendee id that is not empty."""
        return self.display_name or self.external_user_id or self.attendee_id

    @classmethod
    def of(cls, packed: common_pb2.AttendeeInfo) -> AttendeeInfo:
        """Returns the attendee of a wire message."""
        return cls(packed.attendee_id, packed.external_user_id, packed.display_name)


@dataclass(frozen=True)
class Capabilities:
    """What an attendee may do."""

    audio: MediaDirection = MediaDirection.SEND_RECEIVE
    video: MediaDirection = MediaDirection.SEND_RECEIVE
    content: MediaDirection = MediaDirection.SEND_RECEIVE


@dataclass(frozen=True)
class Attendee:
    """The state of one participant of the roster at one moment."""

    attendee_id: str
    """The participant id: `<id>`, or `<id>#content` for the content share of an attendee."""
    external_user_id: str
    is_muted: bool = False
    volume: VolumeLevel = VolumeLevel.NOT_SPEAKING
    """The volume level; `MUTED` whenever `is_muted`."""
    signal: SignalStrength | None = None
    """The signal strength; `None` before the first measurement."""
    is_muted_by_operator: bool = False
    """Whether an operator muted the attendee, who then cannot unmute itself."""
    capabilities: Capabilities = Capabilities()
    joined_at_ms: int = 0
    """The server's time of the join, in milliseconds since the Unix epoch."""
    display_name: str = ""
    """The name that people read, in any writing system; empty if the attendee has none."""

    @property
    def name(self) -> str:
        """The first of display name, external user id and attendee id that is not empty."""
        return self.display_name or self.external_user_id or self.attendee_id


DIRECTIONS = WireEnum(
    {
        MediaDirection.SEND_RECEIVE: common_pb2.MEDIA_DIRECTION_SEND_RECEIVE,
        MediaDirection.SEND: common_pb2.MEDIA_DIRECTION_SEND,
        MediaDirection.RECEIVE: common_pb2.MEDIA_DIRECTION_RECEIVE,
        MediaDirection.NONE: common_pb2.MEDIA_DIRECTION_NONE,
    },
    unknown=MediaDirection.SEND_RECEIVE,
)


def read_volume(level: int, *, is_muted: bool = False) -> VolumeLevel | None:
    """Returns the volume level for a number of `common.proto`; `None` for an unknown number.

    Only `is_muted` yields `MUTED`: a level on the wire neither mutes nor unmutes.
    """
    if is_muted:
        return VolumeLevel.MUTED
    if common_pb2.VOLUME_LEVEL_NOT_SPEAKING <= level <= common_pb2.VOLUME_LEVEL_HIGH:
        return VolumeLevel(level - 2)
    return None


def read_signal(strength: int) -> SignalStrength | None:
    """Returns the signal strength for a number of `common.proto`; `None` for an unknown number."""
    if common_pb2.SIGNAL_STRENGTH_NONE <= strength <= common_pb2.SIGNAL_STRENGTH_HIGH:
        return SignalStrength(strength - 1)
    return None


def read_capabilities(capabilities: common_pb2.Capabilities) -> Capabilities:
    """Returns the capabilities of a wire message. A missing or unknown direction allows all."""
    return Capabilities(
        DIRECTIONS.read(capabilities.audio),
        DIRECTIONS.read(capabilities.video),
        DIRECTIONS.read(capabilities.content),
    )

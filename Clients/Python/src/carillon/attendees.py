"""An attendee as the roster shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from carillon.v1 import common_pb2
from carillon.wire_enum import WireEnum


class VolumeLevel(IntEnum):
    """How loud an attendee is, with the facade's numbers."""

    MUTED = -1
    NOT_SPEAKING = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3


class SignalStrength(IntEnum):
    """How well an attendee is connected, with the facade's numbers."""

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
    """Who sent or said something, as the server has it; a service has neither id."""

    attendee_id: str = ""
    external_user_id: str = ""
    display_name: str = ""
    """What people call the attendee, in any script; empty where it has no such name."""

    @property
    def name(self) -> str:
        """What to call the attendee: the first of display name, external user id and id."""
        return self.display_name or self.external_user_id or self.attendee_id

    @classmethod
    def of(cls, packed: common_pb2.AttendeeInfo) -> AttendeeInfo:
        """The attendee as it was sent."""
        return cls(packed.attendee_id, packed.external_user_id, packed.display_name)


@dataclass(frozen=True)
class Capabilities:
    """What an attendee may do."""

    audio: MediaDirection = MediaDirection.SEND_RECEIVE
    video: MediaDirection = MediaDirection.SEND_RECEIVE
    content: MediaDirection = MediaDirection.SEND_RECEIVE


@dataclass(frozen=True)
class Attendee:
    """One participant of the roster, at one moment."""

    attendee_id: str
    """A participant id: `<id>`, or `<id>#content` for the content share of an attendee."""
    external_user_id: str
    is_muted: bool = False
    volume: VolumeLevel = VolumeLevel.NOT_SPEAKING
    """`MUTED` whenever `is_muted`."""
    signal: SignalStrength | None = None
    """`None` until it was measured."""
    is_muted_by_operator: bool = False
    """It cannot unmute itself."""
    capabilities: Capabilities = Capabilities()
    joined_at_ms: int = 0
    """Milliseconds since the Unix epoch, as the server has it."""
    display_name: str = ""
    """What people call the attendee, in any script; empty where it has no such name."""

    @property
    def name(self) -> str:
        """What to call the attendee: the first of display name, external user id and id."""
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
    """The facade's volume for a `common.proto` number; `None` for one that says nothing here.

    Mute has one source, `MuteChanged`: a level alone neither mutes nor unmutes.
    """
    if is_muted:
        return VolumeLevel.MUTED
    if common_pb2.VOLUME_LEVEL_NOT_SPEAKING <= level <= common_pb2.VOLUME_LEVEL_HIGH:
        return VolumeLevel(level - 2)
    return None


def read_signal(strength: int) -> SignalStrength | None:
    """The facade's signal strength for a `common.proto` number; `None` for one unknown here."""
    if common_pb2.SIGNAL_STRENGTH_NONE <= strength <= common_pb2.SIGNAL_STRENGTH_HIGH:
        return SignalStrength(strength - 1)
    return None


def read_capabilities(capabilities: common_pb2.Capabilities) -> Capabilities:
    """The capabilities that were sent; what is not said, or not known here, allows everything."""
    return Capabilities(
        DIRECTIONS.read(capabilities.audio),
        DIRECTIONS.read(capabilities.video),
        DIRECTIONS.read(capabilities.content),
    )

"""The values of data messages that attendees send to each other on topics."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from carillon.attendees import AttendeeInfo
from carillon.v1 import messaging_pb2


@dataclass(frozen=True)
class DataMessage:
    """A message that another attendee sent, or a rejected message of this session (`throttled`)."""

    topic: str
    data: bytes
    """The bytes as the sender sent them; may be empty."""
    sender: AttendeeInfo
    timestamp_ms: int = 0
    """The time at which the server accepted the message, in milliseconds since the Unix epoch.

    This time never decreases from one message to the next.
    """
    lifetime_ms: int = 0
    """The time for which late joiners get the message, in milliseconds; 0 if they do not get the
    message."""
    sequence: int = 0
    """The message's number in the log of the meeting, from 1. All receivers get the same order."""
    message_id: str = ""
    """The id of the message, unique in the meeting."""
    recipients: tuple[str, ...] = ()
    """The attendee ids of the recipients; empty for all attendees."""
    throttled: bool = False
    """Whether the server rejected the message, which then is `ThrottledError.returned`.

    Such a message has no `sequence`.
    """

    def text(self) -> str | None:
        """Returns the data as text; `None` if the bytes are not UTF-8."""
        try:
            return self.data.decode()
        except UnicodeDecodeError:
            return None

    def json(self) -> list[Any] | dict[str, Any] | None:
        """Returns the data parsed as JSON; `None` if the data is not a JSON array or object."""
        try:
            value = json.loads(self.data.decode(), parse_constant=_refuse)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, (list, dict)) else None

    @classmethod
    def of(cls, message: messaging_pb2.DataMessage) -> DataMessage:
        """Converts a wire message to a `DataMessage`."""
        return cls(
            topic=message.topic,
            data=message.data,
            sender=AttendeeInfo.of(message.sender),
            timestamp_ms=message.timestamp_ms,
            lifetime_ms=message.lifetime_ms,
            sequence=message.sequence,
            message_id=message.message_id,
            recipients=tuple(message.recipients),
        )


def _refuse(constant: str) -> None:
    """Rejects `NaN` and `Infinity`, which Python accepts although JSON does not have them."""
    raise ValueError(f"{constant} is not valid JSON; send a number or null.")


@dataclass(frozen=True)
class Accepted:
    """The server stored a sent message on disk, and delivers it once to each attendee present."""

    sequence: int
    """The number of the message in the log of the meeting."""
    message_id: str
    """The id of the message, as its receivers see it."""
    timestamp_ms: int
    """The time at which the server accepted the message, in milliseconds since the Unix epoch."""
    epoch: int
    """The epoch of the log. Do not compare sequences of different epochs."""
    is_repeat: bool
    """Whether the server had already stored the message at an earlier attempt."""

    @classmethod
    def of(cls, accepted: messaging_pb2.AcceptedAt) -> Accepted:
        """Converts a wire message to an `Accepted`."""
        return cls(
            accepted.sequence,
            accepted.message_id,
            accepted.timestamp_ms,
            accepted.epoch,
            accepted.is_repeat,
        )

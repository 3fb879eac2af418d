"""Data messages: what attendees tell each other on topics."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from carillon.attendees import AttendeeInfo
from carillon.v1 import messaging_pb2


@dataclass(frozen=True)
class DataMessage:
    """A message that somebody else sent, or an own one that came back (`throttled`)."""

    topic: str
    data: bytes
    """The bytes as they were sent: any, or none."""
    sender: AttendeeInfo
    timestamp_ms: int = 0
    """The time at which the server accepted it, in milliseconds since the Unix epoch.

    It never decreases from one message to the next.
    """
    lifetime_ms: int = 0
    """How long it is kept for those who join later; 0: it went to those who were there."""
    sequence: int = 0
    """Its place in the meeting's log, from 1: all receivers have the same order."""
    message_id: str = ""
    """Unique in the meeting."""
    recipients: tuple[str, ...] = ()
    """Attendee ids of those it was sent to; empty: everybody."""
    throttled: bool = False
    """It was refused: see `ThrottledError`, whose `returned` it is. It has no place then."""

    def text(self) -> str | None:
        """The data as text; `None` when the bytes are not UTF-8."""
        try:
            return self.data.decode()
        except UnicodeDecodeError:
            return None

    def json(self) -> list[Any] | dict[str, Any] | None:
        """The data read as JSON; `None` when it is none, or neither an array nor an object."""
        try:
            value = json.loads(self.data.decode(), parse_constant=_refuse)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, (list, dict)) else None

    @classmethod
    def of(cls, message: messaging_pb2.DataMessage) -> DataMessage:
        """The message as it arrived."""
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
    """Python reads `NaN` and `Infinity`, which are no JSON."""
    raise ValueError(f"{constant} is no JSON.")


@dataclass(frozen=True)
class Accepted:
    """A sent message is on disk, and reaches everybody who is present once."""

    sequence: int
    """Its place in the meeting's log."""
    message_id: str
    """The id as its receivers see it."""
    timestamp_ms: int
    """The time at which it was accepted, in milliseconds since the Unix epoch."""
    epoch: int
    """The numbering of the log: sequences of different epochs say nothing of each other."""
    is_repeat: bool
    """An earlier attempt, whose answer was lost, had stored it already."""

    @classmethod
    def of(cls, accepted: messaging_pb2.AcceptedAt) -> Accepted:
        """The answer as it arrived."""
        return cls(
            accepted.sequence,
            accepted.message_id,
            accepted.timestamp_ms,
            accepted.epoch,
            accepted.is_repeat,
        )

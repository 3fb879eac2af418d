"""Data messages: what attendees tell each other on topics."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from carillon.errors import MessagesLostError
from carillon.streams import BoundedStream
from carillon.v1 import messaging_pb2


@dataclass(frozen=True)
class Sender:
    """Whom a message comes from, as the server has it. A service has neither id."""

    attendee_id: str = ""
    external_user_id: str = ""


@dataclass(frozen=True)
class DataMessage:
    """A message that somebody else sent, or an own one that came back (`throttled`)."""

    topic: str
    data: bytes
    """As sent: any bytes, or none."""
    sender: Sender
    timestamp_ms: int = 0
    """When the server accepted it, in milliseconds since the Unix epoch; it never decreases."""
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
            sender=Sender(message.sender.attendee_id, message.sender.external_user_id),
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
    """As its receivers see it."""
    timestamp_ms: int
    """When it was accepted, in milliseconds since the Unix epoch."""
    epoch: int
    """The numbering of the log: sequences of different epochs say nothing of each other."""
    is_repeat: bool
    """An earlier attempt, whose answer was lost, had stored it already."""

    @classmethod
    def of(cls, accepted: messaging_pb2.AcceptedAt) -> Accepted:
        return cls(
            accepted.sequence,
            accepted.message_id,
            accepted.timestamp_ms,
            accepted.epoch,
            accepted.is_repeat,
        )


class MessageStream(BoundedStream[DataMessage]):
    """The messages of one topic, or of all (`None`), in the order of the log.

    It ends with the session, whose `status` says how. At most `limit` messages wait; one more, and
    the consumer gets those that wait and then `MessagesLostError`. Nothing is left out silently.
    One task reads it at a time.
    """

    def __init__(
        self, topic: str | None, limit: int, on_close: Callable[[BoundedStream[Any]], None]
    ) -> None:
        super().__init__((), limit, on_close)
        self.topic = topic

    def push(self, item: DataMessage) -> None:
        """Adds a message if its topic is asked for; called by the session."""
        if self.topic in (None, item.topic):
            super().push(item)

    def _overflow_error(self, item: DataMessage) -> MessagesLostError:
        return MessagesLostError(self._limit, item.sequence)

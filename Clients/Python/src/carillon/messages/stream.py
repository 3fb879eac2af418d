"""What one consumer reads of the data messages."""

from __future__ import annotations

from typing import Any

from carillon.messages.errors import MessagesLostError
from carillon.messages.values import DataMessage
from carillon.streams import BoundedStream, Subscribers


class MessageStream(BoundedStream[DataMessage]):
    """The messages of one topic, or of all (`None`), in the order of the log.

    It ends with the session, whose `status` says how. At most `limit` messages wait; one more, and
    the consumer gets those that wait and then `MessagesLostError`. Nothing is left out silently.
    One task reads it at a time.
    """

    def __init__(self, topic: str | None, limit: int, subscribers: Subscribers[Any]) -> None:
        super().__init__((), limit, subscribers)
        self.topic = topic

    def push(self, item: DataMessage) -> None:
        """Adds a message if its topic is asked for; called by the session."""
        if self.topic in (None, item.topic):
            super().push(item)

    def _overflow_error(self, item: DataMessage) -> MessagesLostError:
        return MessagesLostError(self._limit, item.sequence)

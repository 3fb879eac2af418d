"""The stream of data messages of one consumer."""

from __future__ import annotations

from typing import Any

from carillon.messages.errors import MessagesLostError
from carillon.messages.values import DataMessage
from carillon.streams import BoundedStream, Subscribers


class MessageStream(BoundedStream[DataMessage]):
    """The messages of one topic, or of all topics (`None`), in the order of the log.

    The stream ends when the session ends; the session's `status` is the reason. At most `limit`
    messages wait. If one more arrives, the consumer gets the waiting messages and then
    `MessagesLostError`. The session drops no message without that error. Only one task may read the
    stream at a time.
    """

    def __init__(self, topic: str | None, limit: int, subscribers: Subscribers[Any]) -> None:
        super().__init__((), limit, subscribers)
        self.topic = topic

    def push(self, item: DataMessage) -> None:
        """Adds a message if it has the topic of this stream. Called by the session."""
        if self.topic in (None, item.topic):
            super().push(item)

    def _overflow_error(self, item: DataMessage) -> MessagesLostError:
        return MessagesLostError(self._limit, item.sequence)

"""The data messages that a session receives. The inbox passes each message on once and in order."""

from __future__ import annotations

from carillon.events import MESSAGES
from carillon.messages.stream import MessageStream
from carillon.messages.values import DataMessage
from carillon.positions import Position, ReadPosition
from carillon.session_part import SessionComponent
from carillon.streams import Subscribers
from carillon.v1 import gateway_pb2


class Inbox(SessionComponent[DataMessage]):
    """Reads items of the session stream, and adds new messages to the program's message streams.

    Messages that arrive while the program enters the session form a backlog. A stream that the
    program opens immediately after entering starts with the backlog.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(Subscribers(backlog_limit=limit))
        self._limit = limit
        self._read = ReadPosition()

    def open(self, topic: str | None) -> MessageStream:
        """Opens a stream of the backlog and of all later messages on a topic, or on all topics."""
        stream = MessageStream(topic, self._limit, self._subscribers)
        self._subscribers.add(stream, MessageStream.push)
        return stream

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Passes on the new messages of an item.

        An item may combine many events, each with its position. A message belongs to the epoch of
        the position that has the message's sequence. A message without a position belongs to the
        last epoch.
        """
        positions = [position for position in item.positions if position.stream == MESSAGES]
        epochs = {position.sequence: position.epoch for position in positions}
        last_epoch = positions[-1].epoch if positions else self._read.last.epoch
        for event in item.events:
            if event.WhichOneof("event") != "data_message":
                continue
            message = event.data_message
            epoch = epochs.get(message.sequence, last_epoch)
            if self._read.advance(Position(epoch, message.sequence)):
                self._subscribers.publish(DataMessage.of(message))
        if positions:
            self._read.advance(Position(positions[-1].epoch, positions[-1].sequence))

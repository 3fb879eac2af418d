"""The data messages a session gets, handed on once each and in order."""

from __future__ import annotations

from typing import Any

from carillon.events import MESSAGES
from carillon.messages import DataMessage, MessageStream
from carillon.streams import BoundedStream
from carillon.v1 import gateway_pb2


class Inbox:
    """Reads items of the session stream, leaves out what is known, and fills the streams.

    What comes while the session is being entered waits for the streams that are made right after.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._streams: list[MessageStream] = []
        self._place = (0, 0)
        """Epoch and sequence of the last message."""
        self._early: list[DataMessage] | None = []
        self._is_over = False
        self.slow_streams = 0
        """How many streams ended because their consumer was too slow."""

    def open(self, topic: str | None) -> MessageStream:
        """A stream of what comes from now on, and of what came early."""
        stream = MessageStream(topic, self._limit, self._forget)
        early = self._early or []
        for message in early[: self._limit]:
            stream.push(message)
        if len(early) > self._limit:
            stream.overflow(early[self._limit])
        if self._is_over:
            stream.close()
        elif not stream.was_too_slow:
            self._streams.append(stream)
        return stream

    def forget_early(self) -> None:
        """Streams that are made from now on begin with what comes from now on."""
        self._early = None

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Hands on what is new in an item.

        A packed event has its position with it, and an item may be many of them: each sequence
        belongs to the epoch it is named with, all others to the last one.
        """
        positions = [position for position in item.positions if position.stream == MESSAGES]
        epochs = {position.sequence: position.epoch for position in positions}
        last_epoch = positions[-1].epoch if positions else self._place[0]
        for event in item.events:
            if event.WhichOneof("event") != "data_message":
                continue
            message = event.data_message
            if self._advance(epochs.get(message.sequence, last_epoch), message.sequence):
                self._hand_on(DataMessage.of(message))
        if positions:
            self._advance(positions[-1].epoch, positions[-1].sequence)

    def close(self) -> None:
        """The session is over: what waits can still be read."""
        self._is_over = True
        for stream in list(self._streams):
            stream.close()

    def _advance(self, epoch: int, sequence: int) -> bool:
        """Whether this is behind all that came before."""
        if epoch == self._place[0] and sequence <= self._place[1]:
            return False
        self._place = (epoch, sequence)
        return True

    def _hand_on(self, message: DataMessage) -> None:
        if self._early is not None and len(self._early) <= self._limit:
            self._early.append(message)
        for stream in list(self._streams):
            stream.push(message)

    def _forget(self, stream: BoundedStream[Any]) -> None:
        if stream.was_too_slow:
            self.slow_streams += 1
        if stream in self._streams:
            self._streams.remove(stream)

"""What the parts of a session have in common: each outlives the connections."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from carillon.errors import Status
from carillon.streams import Subscribers
from carillon.v1 import gateway_pb2

Event = TypeVar("Event")


class SessionComponent(ABC, Generic[Event]):
    """The messages, say, or the video of a session: what it follows, and what was chosen there.

    After a lost connection the session is put together again in three steps, the same for every
    part: `declare` writes into the Start what was chosen, the gateway sends snapshots and what was
    missed, and `take` tells what is new in them. So no part knows how many connections there were.
    """

    def __init__(self, subscribers: Subscribers[Event]) -> None:
        self._subscribers = subscribers

    @property
    def slow_streams(self) -> int:
        """How many streams have ended because they were read too slowly."""
        return self._subscribers.slow_streams

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """Writes into a Start what was chosen. A request with a session id resumes one."""

    @abstractmethod
    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Tells what is new in an item of the session stream."""

    def forget_backlog(self) -> None:
        """Streams that are made from now on begin with what is known now."""
        self._subscribers.forget_backlog()

    def close(self, status: Status) -> None:
        """The session is over: what waits can still be read. Idempotent."""
        self._subscribers.close()

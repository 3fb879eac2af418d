"""The base class of a session's components, which remain after a connection has ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from carillon.errors import Status
from carillon.streams import Subscribers
from carillon.v1 import gateway_pb2

Event = TypeVar("Event")


class SessionComponent(ABC, Generic[Event]):
    """One component of a session, for example its messages or its video, with state and choices.

    A reconnect restores each component in the same three steps. `declare` writes the choices into
    the `Start`, the gateway sends snapshots and the missed events, and `take` publishes the
    changes. So no component needs a reference to a connection.
    """

    def __init__(self, subscribers: Subscribers[Event]) -> None:
        self._subscribers = subscribers

    @property
    def slow_streams(self) -> int:
        """The number of streams that ended because the program read them too slowly."""
        return self._subscribers.slow_streams

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """Writes the choices into a `Start`. A request with a session id resumes that session."""

    @abstractmethod
    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Applies an item of the session stream, and publishes the changes."""

    def forget_backlog(self) -> None:
        """Drops the backlog. Later streams start with the current state."""
        self._subscribers.forget_backlog()

    def close(self, status: Status) -> None:
        """Closes the streams. The program can still read waiting items. Idempotent."""
        self._subscribers.close()

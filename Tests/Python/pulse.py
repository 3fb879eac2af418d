"""Steady traffic in a healthy meeting: twenty beats a second, and the delay of each."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Awaitable, Sequence
from types import TracebackType
from typing import Any, Self

from carillon import Session
from carillon.dealer import Dealer, DealerOptions
from carillon.endpoint import Endpoint
from carillon.media import MediaMoved
from carillon.messages import MessageStream

INTERVAL_SECONDS = 0.05
_PATIENCE_SECONDS = 30.0
"""The timeout for the last beats. The test reaches this timeout only after a lost beat."""


class Pulse:
    """A series of numbered beats. Each listener must receive every beat once and in order."""

    def __init__(self, listeners: int) -> None:
        self._sent: list[float] = []
        self._next = [0] * listeners
        """The next beat that each listener must receive."""
        self._delays: list[float] = []
        self._faults: list[str] = []
        self._news = asyncio.Event()

    async def beat(self, work: asyncio.Future[Any]) -> list[float]:
        """Sends beats until the work is done, and returns the delay of each beat to each listener,
        in seconds. Fails after a lost or duplicated beat.
        """
        loop = asyncio.get_running_loop()
        first, due = len(self._delays), loop.time()
        while not work.done():
            self._sent.append(loop.time())
            self._send(len(self._sent) - 1)
            due = max(due + INTERVAL_SECONDS, loop.time())
            await asyncio.wait([work], timeout=due - loop.time())
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                while self._is_expecting and not self._faults:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            self._faults.append(f"{self._next} of {len(self._sent)} beats were heard.")
        assert not self._faults, self._faults
        return self._delays[first:]

    @property
    def _is_expecting(self) -> bool:
        return any(number < len(self._sent) for number in self._next)

    def _fail(self, fault: str) -> None:
        self._faults.append(fault)
        self._news.set()

    def _send(self, number: int) -> None:
        raise NotImplementedError

    def _hear(self, listener: int, number: int) -> None:
        expected = self._next[listener]
        if number != expected:
            self._fail(f"Listener {listener} hears {number} where {expected} comes next.")
        self._next[listener] = max(expected, number + 1)
        self._delays.append(asyncio.get_running_loop().time() - self._sent[number])
        self._news.set()


class MessagePulse(Pulse):
    """Sends each beat as a data message from one attendee to others."""

    _TOPIC = "pulse"

    def __init__(self, sender: Session, *listeners: Session) -> None:
        super().__init__(len(listeners))
        self._sender = sender
        self._tasks: set[asyncio.Future[Any]] = set()
        for index, listener in enumerate(listeners):
            self._begin(self._listen(index, listener.messages(self._TOPIC)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, work: Awaitable[Any]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._fail(f"{error!r}")

    def _send(self, number: int) -> None:
        self._begin(self._sender.send(self._TOPIC, f"{number}"))

    async def _listen(self, index: int, stream: MessageStream) -> None:
        async for message in stream:
            self._hear(index, int(message.data))


class TicketPulse(Pulse):
    """Sends a session's ticket as each beat. Media echoes the ticket each time."""

    def __init__(self, moved: MediaMoved) -> None:
        super().__init__(1)
        self._ticket = moved.ticket
        self._echoes = itertools.count()
        # Media identifies the connection by the first ticket, so libzmq must not replace the
        # connection.
        options = DealerOptions(maximum_message_bytes=1 << 16, linger_ms=0, reconnects=False)
        self._connected = asyncio.Event()
        self._dealer = Dealer(
            options,
            context=None,
            on_message=self._take,
            on_connected=self._connected.set,
            on_lost=lambda: self._fail("The connection to media is lost."),
        )
        self._dealer.connect(Endpoint.parse(moved.endpoint))

    async def __aenter__(self) -> Self:
        await self._connected.wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._dealer.close()

    def _send(self, number: int) -> None:
        if not self._dealer.send([self._ticket]):
            self._fail(f"Ticket {number} is not taken.")

    def _take(self, frames: list[bytes]) -> None:
        for _ in range(frames.count(self._ticket)):
            self._hear(0, next(self._echoes))


def p99(delays: Sequence[float]) -> float:
    """Returns the 99th percentile of the delays."""
    return sorted(delays)[math.ceil(len(delays) * 0.99) - 1]

"""One connection of a session to a gateway, from its `Start` until its end or loss."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import zmq

from carillon.errors import CarillonError, Status, StatusCode, StatusReason
from carillon.methods import KEEP_ALIVE, START, STOP
from carillon.positions import Positions
from carillon.rpc.channel import Channel
from carillon.rpc.requests import CallOptions
from carillon.v1 import gateway_pb2

_STOP_SECONDS = 2.0

logger = logging.getLogger("carillon.session")

MISSED_KEEP_ALIVES = 3
"""The number of keep-alive intervals without any data after which the client regards a connection
as lost."""


@dataclass(frozen=True)
class Outcome:
    """How a connection ended."""

    status: Status
    is_loss: bool
    """Whether the connection failed; otherwise the gateway ended the session stream."""


class Connection:
    """Opens the session stream, passes its items on, and sends keep-alives.

    The connection calls `on_item` immediately for each item of the stream, in order. The connection
    calls `on_outcome` exactly once, unless the program closes the connection first.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        context: zmq.Context[Any] | None,
        on_item: Callable[[gateway_pb2.SessionEvents], None],
        on_outcome: Callable[[Connection], None],
    ) -> None:
        self.channel = Channel(endpoint, context=context, reconnects=False)
        self.started: gateway_pb2.SessionStarted | None = None
        self.outcome: Outcome | None = None
        self.is_proven = False
        """Whether the gateway answered a keep-alive on this connection."""
        self._on_item = on_item
        self._on_outcome = on_outcome
        self._received_bytes = 0
        self._positions = Positions()
        self._has_roster = False
        self._has_asked = False
        self._news = asyncio.Event()

    @property
    def options(self) -> CallOptions:
        """The options that every call of the session carries."""
        return CallOptions(session_id=self.started.session_id if self.started else b"")

    async def start(self, request: gateway_pb2.StartRequest, timeout: float) -> None:
        """Starts the session, and returns when its roster is complete.

        Raises `CarillonError`: the status with which the gateway rejected the `Start`, or
        `UNAVAILABLE` after `timeout` seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                self.channel.open()
                await self.channel.connected()
                self._has_asked = True
                self.channel.open_session(START, request, self)
                while not self._is_whole and self.outcome is None:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise CarillonError(
                StatusCode.UNAVAILABLE,
                message=f"{self.channel.endpoint} did not start the session in time; join again.",
            ) from None
        if self.outcome is not None and not self._is_whole:
            raise CarillonError.of(self.outcome.status)

    async def stop(self) -> None:
        """Sends `Stop` to the gateway. This method only logs a missing answer."""
        try:
            request = gateway_pb2.StopRequest()
            await self.channel.unary(STOP, request, timeout=_STOP_SECONDS, options=self.options)
        except CarillonError as error:
            logger.info("The gateway did not answer Stop: %s", error)

    async def give_up(self) -> None:
        """Stops a session whose `Start` may still be in flight.

        The gateway may still open this session, and would later report the session as lost. So this
        method waits up to two seconds for the start and then sends `Stop`. The connection passes no
        more items on.
        """
        self._on_item = lambda _: None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                while self._has_asked and self.started is None and self.outcome is None:
                    self._news.clear()
                    await self._news.wait()
        if self.started is not None and self.outcome is None:
            await self.stop()

    @property
    def _is_whole(self) -> bool:
        return self.started is not None and self._has_roster

    async def run(self) -> None:
        """Sends keep-alives and watches for silence until the connection has an outcome."""
        async with asyncio.TaskGroup() as tasks:
            keeping = [
                tasks.create_task(self._send_keep_alives(tasks)),
                tasks.create_task(self._watch_silence()),
            ]
            while self.outcome is None:
                self._news.clear()
                await self._news.wait()
            self.channel.close()  # This also cancels the keep-alives that wait for an answer.
            for task in keeping:
                task.cancel()

    def close(self) -> None:
        """Closes the socket without a call of `on_outcome`. Idempotent."""
        if self.outcome is None:
            self.outcome = Outcome(
                Status(StatusCode.CANCELLED, message="The connection was closed."), is_loss=True
            )
            self._news.set()
        self.channel.close()

    # SessionReader

    def on_item(self, item: gateway_pb2.SessionEvents, frame_bytes: int) -> None:
        """Passes an item on, unless the connection has ended."""
        if self.outcome is not None:
            return
        self._received_bytes += frame_bytes
        for event in item.events:
            kind = event.WhichOneof("event")
            if self.started is None:
                if kind != "session_started":
                    self._lose(StatusReason.MALFORMED, "The stream does not begin the session.")
                    return
                self.started = event.session_started
                self._has_roster = event.session_started.is_recovered
            elif kind == "roster_snapshot":
                self._has_roster = True
        self._positions.note(item.positions)
        self._on_item(item)
        self._news.set()

    def on_end(self, status: Status) -> None:
        """Sets the outcome after the gateway ended the session."""
        self._finish(Outcome(status, is_loss=False))

    def on_failure(self, status: Status) -> None:
        """Sets the outcome after a failure of the connection. The session may still exist."""
        if status.code is StatusCode.INTERNAL_ERROR:
            # The gateway repeats an unreadable item when the client resumes the session.
            status = replace(status, code=StatusCode.UNAVAILABLE)
        self._finish(Outcome(status, is_loss=True))

    def _lose(self, reason: StatusReason, message: str) -> None:
        self._finish(Outcome(Status(StatusCode.UNAVAILABLE, reason=reason, message=message), True))

    def _finish(self, outcome: Outcome) -> None:
        if self.outcome is None:
            self.outcome = outcome
            self._news.set()
            self._on_outcome(self)

    # Keep-alive

    @property
    def _interval(self) -> float:
        milliseconds = self.started.keep_alive_ms if self.started else 0
        return (milliseconds or 1_000) / 1_000

    async def _send_keep_alives(self, tasks: asyncio.TaskGroup) -> None:
        """Sends a keep-alive in each interval, even without an answer to the last keep-alive."""
        while True:
            await asyncio.sleep(self._interval)
            tasks.create_task(self._keep_alive())

    async def _keep_alive(self) -> None:
        request = gateway_pb2.KeepAliveRequest(
            received_bytes=self._received_bytes, positions=self._positions.packed()
        )
        self._positions.clear()
        try:
            await self.channel.unary(
                KEEP_ALIVE,
                request,
                timeout=MISSED_KEEP_ALIVES * self._interval,
                options=self.options,
            )
            self.is_proven = True
        except CarillonError as error:
            # `_watch_silence` handles a missing answer. After any other error, the client cannot
            # resume the session.
            if error.status_code is not StatusCode.DEADLINE_EXCEEDED:
                self._finish(Outcome(error.status, is_loss=True))

    async def _watch_silence(self) -> None:
        loop = asyncio.get_running_loop()
        longest = MISSED_KEEP_ALIVES * self._interval
        while (due := self.channel.last_heard + longest) > (now := loop.time()):
            await asyncio.sleep(due - now)
            if loop.time() > due + self._interval:
                # This process did not run for some time, so data of the gateway may still be
                # unread. The client must read this data before it can say that the gateway was
                # silent.
                await asyncio.sleep(self._interval)
        self._lose(StatusReason.KEEP_ALIVE_LOST, "The gateway was silent for three keep-alives.")

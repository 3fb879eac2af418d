"""A session's connection to the gateway. After a loss, a new connection replaces the lost one."""

from __future__ import annotations

import asyncio
import logging
from enum import Enum
from typing import Protocol

from carillon.connection import Connection
from carillon.errors import (
    CarillonError,
    SessionStatus,
    Status,
    StatusCode,
    StatusReason,
    may_resume,
)
from carillon.gateway_choice import GatewayChoice
from carillon.methods import STOP
from carillon.options import SessionOptions
from carillon.retrying import Backoff
from carillon.v1 import gateway_pb2

logger = logging.getLogger("carillon.session")

_ATTEMPT_SECONDS = 5.0


class ConnectionOwner(Protocol):
    """The owner of a session's connections. The connections report state changes to the owner."""

    def start_request(self) -> gateway_pb2.StartRequest:
        """Returns the request that starts or resumes the session."""

    def on_started(self, connection: Connection, started: gateway_pb2.SessionStarted) -> None:
        """Called after a `Start` succeeded on this connection. The items of the stream follow."""

    def on_item(self, item: gateway_pb2.SessionEvents) -> None:
        """Called for each item of the session stream."""

    def on_suspended(self, status: Status) -> None:
        """Called after the loss of the connection. Either `on_started` or `on_ended` follows."""

    def on_ended(self, status: Status) -> None:
        """Called once, as the last call, when the session has ended."""


class _State(Enum):
    NEW = "new"
    LIVE = "live"
    RECONNECTING = "reconnecting"
    ENDED = "ended"


class ResumingConnection:
    """Runs one connection after another until the session has ended.

    After a loss, this class tries to reconnect for `SessionOptions.reconnect_seconds`.
    """

    def __init__(self, name: str, options: SessionOptions, owner: ConnectionOwner) -> None:
        """Creates the connection. `name` names the session in logs."""
        self._name = name
        self._options = options
        self._owner = owner
        self._gateways = GatewayChoice()
        self._state = _State.NEW
        self._status: Status | None = None
        self._connection: Connection | None = None
        self._settled = asyncio.Event()  # The event is set while calls need not wait.
        self._task: asyncio.Task[None] | None = None

    @property
    def is_new(self) -> bool:
        """Whether the session has been neither started nor ended."""
        return self._state is _State.NEW

    @property
    def is_running(self) -> bool:
        """Whether the session runs: started by the program, not stopped, and not ended."""
        return self._task is not None and self._status is None

    @property
    def status(self) -> Status | None:
        """Why the session ended; `None` before its end."""
        return self._status

    async def live(self) -> Connection:
        """Waits until the connection is live, and returns it.

        Raises `CarillonError` `FAILED_PRECONDITION` if the session is not open or has ended.
        """
        self.require_open()
        await self._settled.wait()
        return self.require_open()

    def require_open(self) -> Connection:
        """Returns the connection, live or not.

        Raises `CarillonError` `FAILED_PRECONDITION` if the session is not open or has ended.
        """
        if self._connection is None or self._state in (_State.NEW, _State.ENDED):
            status = self._status or Status()
            raise CarillonError(
                StatusCode.FAILED_PRECONDITION,
                status.session_status,
                status.reason,
                "The session is not open; call join() for a new session.",
            )
        return self._connection

    async def start(self, endpoint: str) -> None:
        """Starts the session, and returns when it has started. Call `stop` to end it."""
        self._gateways = GatewayChoice(endpoint)
        deadline = asyncio.get_running_loop().time() + self._options.start_seconds
        connection = await self._connect_by(deadline, Backoff())
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run(connection), name="carillon session")

    async def leave(self) -> None:
        """Sends `Stop` to the gateway if the session is connected."""
        if self._state is not _State.LIVE or self._connection is None:
            return
        await self._connection.stop()

    def end(self, status: Status) -> None:
        """Ends the session with a status. Only the first call has an effect."""
        if self._status is None:
            self._status = status
            self._state = _State.ENDED
            self._settled.set()
            self._owner.on_ended(status)

    async def stop(self) -> None:
        """Closes the connection, and returns when its task has ended. Idempotent."""
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait([task])
        if self._connection is not None:
            self._connection.close()

    def abandon_soon(self) -> None:
        """In the next turn of the loop, ends a session to which the program no longer refers.

        Any thread may call this method. It does nothing after the end of the loop: the tasks of a
        closed loop have ended and closed the connection.
        """
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._abandon)

    def _abandon(self) -> None:
        """Sends `Stop` to the gateway without waiting for the answer, and ends the session."""
        if self._state is _State.LIVE and self._connection is not None:
            connection = self._connection
            connection.channel.post(STOP, gateway_pb2.StopRequest(), options=connection.options)
        self.end(Status())
        if self._task is not None:
            self._task.cancel()  # The task closes the connection.

    # One connection after the other

    async def _run(self, connection: Connection) -> None:
        try:
            pauses = Backoff()
            while True:
                await connection.run()
                connection.close()
                if self._status is not None:
                    return
                # The pauses between attempts continue to grow until the gateway has answered a
                # keep-alive on a connection.
                if connection.is_proven:
                    pauses.reset()
                connection = await self._reconnect(pauses)
        except CarillonError as error:
            self.end(error.status)
        except Exception:
            logger.exception("The session of %s failed", self._name)
            self.end(
                Status(
                    StatusCode.INTERNAL_ERROR,
                    SessionStatus.AUDIO_DISCONNECTED,
                    message="A defect in the client ended the session; its log has the cause.",
                )
            )
        finally:
            connection.close()

    async def _reconnect(self, pauses: Backoff) -> Connection:
        seconds = self._options.reconnect_seconds
        deadline = asyncio.get_running_loop().time() + seconds
        try:
            await asyncio.sleep(min(pauses.next_seconds(), seconds))
            return await self._connect_by(deadline, pauses)
        except CarillonError as error:
            if not may_resume(error.status):
                raise
            raise CarillonError(
                StatusCode.UNAVAILABLE,
                SessionStatus.AUDIO_DISCONNECTED,
                error.reason,
                f"The session was not resumed within {seconds:g} s: {error.message}",
            ) from error

    async def _connect_by(self, deadline: float, pauses: Backoff) -> Connection:
        """Retries until a `Start` succeeds or fails permanently, or the deadline passes."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                return await self._connect(min(_ATTEMPT_SECONDS, deadline - loop.time()))
            except CarillonError as error:
                pause = error.retry_after_ms / 1_000 or pauses.next_seconds()
                if not may_resume(error.status) or loop.time() + pause >= deadline:
                    raise
                logger.info("Start failed; trying again: %s", error)
            await asyncio.sleep(pause)

    async def _connect(self, timeout: float) -> Connection:
        connection = Connection(
            self._gateways.next,
            context=self._options.context,
            on_item=self._take,
            on_outcome=self._lose,
        )
        self._connection = connection
        try:
            await connection.start(self._owner.start_request(), timeout)
        except asyncio.CancelledError:
            try:
                await connection.give_up()
            finally:
                connection.close()
            raise
        except BaseException as error:
            connection.close()
            if isinstance(error, CarillonError):
                if connection.outcome is None or connection.outcome.is_loss:
                    self._gateways.lose()
                self._suspend(error.status)
            raise
        return connection

    # Callbacks of a connection

    def _take(self, item: gateway_pb2.SessionEvents) -> None:
        for event in item.events:
            kind = event.WhichOneof("event")
            if kind == "session_started":
                self._gateways.take(event.session_started.gateways)
                self._begin(event.session_started)
            elif kind == "gateways_changed":
                self._gateways.take(event.gateways_changed.endpoints)
        self._owner.on_item(item)

    def _begin(self, started: gateway_pb2.SessionStarted) -> None:
        if self._connection is not None and self._status is None:
            self._state = _State.LIVE
            self._settled.set()
            self._owner.on_started(self._connection, started)

    def _lose(self, connection: Connection) -> None:
        """Handles the end of a connection: suspends the session for a reconnect, or ends it."""
        outcome = connection.outcome
        if connection is not self._connection or outcome is None:
            return
        if outcome.is_loss or may_resume(outcome.status):
            is_sent_away = outcome.status.reason is StatusReason.DRAINING
            if self._state is _State.LIVE and (outcome.is_loss or is_sent_away):
                self._gateways.lose()
            self._suspend(outcome.status)
        elif self._state is _State.LIVE:
            self.end(outcome.status)

    def _suspend(self, status: Status) -> None:
        if self._state is _State.LIVE:
            self._state = _State.RECONNECTING
            self._settled.clear()
            self._owner.on_suspended(status)

"""A connection to one endpoint, and the calls that are open on it."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

import zmq

from carillon.dealer import Dealer, DealerOptions
from carillon.endpoint import Endpoint
from carillon.errors import CarillonError, Status, StatusCode
from carillon.loose import LooseReference
from carillon.methods import Reply, Request, StreamMethod, UnaryMethod
from carillon.rpc.call_table import CallTable
from carillon.rpc.calls import OpenCall, SessionCall, SessionReader, Stream, UnaryCall
from carillon.rpc.requests import CallOptions, pack_call, pack_cancel
from carillon.unclosed import MadeAt


class Channel:
    """A connection to one endpoint.

    The channel reconnects automatically after a loss, unless `reconnects` is false. Calls wait for
    the connection within their timeout. The loss of the connection fails all open calls with
    `UNAVAILABLE`; the peer may still have executed them.

    The channel reads messages immediately and passes them to `CallTable`. If Python collects an
    open channel, the channel closes and emits a `ResourceWarning`.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        context: zmq.Context[zmq.Socket[bytes]] | None = None,
        reconnects: bool = True,
        maximum_message_bytes: int = 64 << 20,
    ) -> None:
        """Creates a channel without connecting. Connect it with `open` or `async with`.

        `endpoint` is `ipc://PATH`, `tcp://HOST:PORT`, or `tcp://HOST:PORT?curve=KEY` for an
        encrypted connection. `context` defaults to the context of the process. Raises
        `CarillonError` `INVALID_ARGUMENT` for an invalid endpoint.
        """
        self._dealer: Dealer | None = None
        self._parsed = Endpoint.parse(endpoint)
        self.endpoint = endpoint
        self.last_heard = 0.0
        """The time of the last message, on the clock of the event loop."""
        self._context = context
        self._options = DealerOptions(
            maximum_message_bytes=maximum_message_bytes,
            # This time suffices to send a last `Stop` or `CANCEL`, without a long delay at exit.
            linger_ms=500,
            reconnects=reconnects,
        )
        self._connected = asyncio.Event()
        self._loss: Status | None = None
        self._made_at = MadeAt.here()
        self._reference = LooseReference[Channel](self)
        self._calls = CallTable(endpoint, self._reference.calling(Channel._send_cancel))

    # Lifecycle

    async def __aenter__(self) -> Self:
        self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def open(self) -> None:
        """Starts to connect, on the running event loop.

        Raises `CarillonError` `INVALID_ARGUMENT` if libzmq rejects the address.
        """
        self._loop = asyncio.get_running_loop()
        self.last_heard = self._loop.time()
        self._dealer = Dealer(
            self._options,
            context=self._context,
            on_message=self._reference.calling(Channel._receive),
            on_connected=self._reference.calling(Channel._connect),
            on_lost=self._reference.calling(Channel._lose),
        )
        try:
            self._dealer.connect(self._parsed)
        except zmq.ZMQError as error:
            self.close()
            raise CarillonError(
                StatusCode.INVALID_ARGUMENT,
                message=f"{self.endpoint} cannot be reached: {error}.",
            ) from error

    def close(self) -> None:
        """Closes the socket. Open calls fail with `CANCELLED`. Idempotent."""
        self._close(Status(StatusCode.CANCELLED, message="The channel was closed."))

    def _close(self, status: Status) -> None:
        dealer, self._dealer = self._dealer, None
        if self._loss is None:
            self._loss = status
        if dealer is not None:
            dealer.close()
        self._connected.set()  # This wakes the tasks that wait for the connection.
        self._calls.fail_all(status)

    def __del__(self) -> None:
        if self._dealer is not None:
            self._made_at.warn(self, "call close() or use async with")
            self._dealer.soon(self._dealer.close)

    def __repr__(self) -> str:
        return f"<Channel to {self.endpoint}>"

    def held(self) -> AbstractContextManager[None]:
        """Returns a context that keeps the channel alive while a task waits in it."""
        return self._reference.held()

    @property
    def is_connected(self) -> bool:
        """Whether the channel is connected."""
        return self._dealer is not None and self._connected.is_set()

    async def connected(self) -> None:
        """Waits until the channel is connected.

        Raises `CarillonError` if the channel has closed or has lost its connection permanently.
        """
        while not self.is_connected:
            with self.held():
                await self._connected.wait()
            if self._loss is not None:
                raise CarillonError.of(self._loss)

    # Calls

    async def unary(
        self,
        method: UnaryMethod[Request, Reply],
        request: Request,
        *,
        timeout: float = 5.0,
        options: CallOptions = CallOptions(),
    ) -> Reply:
        """Calls a method and returns its reply.

        Cancelling the awaiting task cancels the call at the peer. Raises `CarillonError`:
        `DEADLINE_EXCEEDED` if no reply arrives within `timeout` seconds, `UNAVAILABLE` if the
        channel did not reach the endpoint within that time, or the status of the reply.
        """
        deadline = asyncio.get_running_loop().time() + timeout
        await self._connected_by(deadline)
        call = UnaryCall(method)
        call_id = self._calls.begin(call)
        try:
            self._send(call_id, method.key, request, deadline, options)
            async with asyncio.timeout_at(deadline):
                with self.held():
                    return await call.reply
        except TimeoutError:
            self._send_cancel(call_id)
            raise CarillonError(
                StatusCode.DEADLINE_EXCEEDED,
                message=f"{method.name}: no answer within {timeout:g} s.",
            ) from None
        except asyncio.CancelledError:
            self._send_cancel(call_id)
            raise
        finally:
            self._calls.forget(call_id)

    def post(
        self,
        method: UnaryMethod[Request, Reply],
        request: Request,
        *,
        options: CallOptions = CallOptions(),
    ) -> None:
        """Calls a method without waiting for the reply.

        This method drops the call if the socket does not accept it.
        """
        self._send(self._calls.next_id(), method.key, request, None, options)

    def stream(
        self,
        method: StreamMethod[Request, Reply],
        request: Request,
        *,
        timeout: float | None = None,
        options: CallOptions = CallOptions(),
        limit: int = 1024,
    ) -> Stream[Reply]:
        """Opens a stream: `async with channel.stream(…) as items: async for item in items: …`.

        `timeout`, in seconds, limits the wait for the connection, and not the stream. If more than
        `limit` items wait, the channel cancels the stream, and the stream's reader gets
        `RESOURCE_EXHAUSTED` after the waiting items.
        """

        async def send(call: OpenCall) -> int:
            if timeout is None:
                await self.connected()
            else:
                await self._connected_by(asyncio.get_running_loop().time() + timeout)
            call_id = self._calls.begin(call)
            self._send(call_id, method.key, request, None, options)
            return call_id

        return Stream(method, send, self, limit)

    def open_session(
        self, method: StreamMethod[Request, Reply], request: Request, reader: SessionReader[Reply]
    ) -> None:
        """Opens the connection's session stream, whose items and end have call id 0."""
        call_id = self._calls.begin_session(SessionCall(method, reader))
        self._send(call_id, method.key, request, None, CallOptions())

    async def _connected_by(self, deadline: float) -> None:
        try:
            async with asyncio.timeout_at(deadline):
                await self.connected()
        except TimeoutError:
            raise CarillonError(
                StatusCode.UNAVAILABLE,
                message=f"{self.endpoint} was not reached in time; {self._parsed.advice()}",
            ) from None

    def cancel_call(self, call_id: int) -> None:
        """Cancels an open call, here and at the peer. Called by `Stream`."""
        if self._calls.forget(call_id):
            self._send_cancel(call_id)

    def cancel_call_soon(self, call_id: int) -> None:
        """Cancels an open call in the next turn of the loop. Any thread may call this method."""
        if self._dealer is not None:
            self._dealer.soon(lambda: self.cancel_call(call_id))

    def _send_cancel(self, call_id: int) -> None:
        self._transmit(pack_cancel(call_id))

    def _send(
        self,
        call_id: int,
        key: int,
        request: Request,
        deadline: float | None,
        options: CallOptions,
    ) -> None:
        seconds = None if deadline is None else deadline - self._loop.time()
        if not self._transmit(pack_call(call_id, key, request, seconds, options)):
            status = self._loss or Status(
                StatusCode.UNAVAILABLE, message=f"{self.endpoint} takes nothing now; try again."
            )
            self._calls.fail(call_id, status)

    def _transmit(self, frame: bytes) -> bool:
        return self._dealer is not None and self._dealer.send([frame])

    def _receive(self, frames: list[bytes]) -> None:
        self.last_heard = self._loop.time()
        self._calls.take(frames)

    # The connection

    def _connect(self) -> None:
        self.last_heard = self._loop.time()
        self._connected.set()

    def _lose(self) -> None:
        was_connected = self._connected.is_set()
        if self._dealer is None or (self._options.reconnects and not was_connected):
            return  # The socket tries to connect again, and all calls continue.
        # The channel still handles messages that arrived before the loss, for example the end of
        # the session.
        self._dealer.drain()
        what = "was lost" if was_connected else "could not be made"
        advice = "try again." if was_connected else self._parsed.advice()
        status = Status(
            StatusCode.UNAVAILABLE, message=f"The connection to {self.endpoint} {what}; {advice}"
        )
        if self._options.reconnects:
            self._connected.clear()
            self._calls.fail_all(status)
        elif self.is_open:
            self._close(status)

    @property
    def is_open(self) -> bool:
        """Whether the channel is open, and has not lost its connection permanently."""
        return self._dealer is not None

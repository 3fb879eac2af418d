"""The data messages of a session that have no answer yet."""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import dataclass, replace
from itertools import islice

from carillon.attendees import AttendeeInfo
from carillon.connection import Connection
from carillon.errors import CarillonError, Status, StatusCode, may_repeat
from carillon.messages.errors import OutboxFullError, ThrottledError
from carillon.messages.values import Accepted, DataMessage
from carillon.methods import SEND_DATA_MESSAGE
from carillon.retrying import Backoff
from carillon.v1 import messaging_pb2

logger = logging.getLogger("carillon.session")

REPEAT_SECONDS = 180.0
"""How long the server knows a repeat after it has stored a message."""

_CALL_SECONDS = 5.0
_WINDOW = 32  # A connection may have 256 open calls, of all kinds.

_LOST_CODES = {StatusCode.CANCELLED, StatusCode.INTERNAL_ERROR}
"""What open calls fail with when their connection is closed, or bytes came that nobody can read."""


@dataclass(eq=False)
class _Letter:
    request: messaging_pb2.SendDataMessageRequest
    key: str
    """Idempotency key: the same for each attempt. Of up to 15 characters it costs the server no
    memory of its own."""
    answer: asyncio.Future[Accepted]
    deadline: float | None = None
    """When the server begins to forget the key, on the clock of the event loop. Set with the first
    attempt."""
    attempt: asyncio.Task[None] | None = None


class Outbox:
    """Sends messages in the order they were given, each until it is answered.

    Up to `_WINDOW` are under way at a time. After an attempt that is worth another one nothing more
    is sent until all that are under way have their outcome; then the first without an answer is
    tried alone, and with its success the others follow. So a repeat neither passes an earlier
    message nor is passed by a later one that was not under way with it.

    Without a connection everything waits, within `limit` messages and `limit_bytes` bytes. The
    same limits hold for those under way.
    """

    def __init__(self, limit: int, limit_bytes: int, sender: AttendeeInfo) -> None:
        self.repeat_seconds = REPEAT_SECONDS
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._joined = self._sender = sender
        self._letters: dict[str, _Letter] = {}
        self._bytes = 0
        self._connection: Connection | None = None
        self._end: Status | None = None
        self._window = _WINDOW
        """How many may be under way: none until all have an outcome, then one, then all."""
        self._pauses = Backoff()
        self._timer: asyncio.TimerHandle | None = None
        self._attempts: set[asyncio.Task[None]] = set()

    def send_as(self, attendee: AttendeeInfo | None) -> None:
        """Messages are sent as this attendee from now on; `None`: as whom the session joined."""
        self._sender = attendee or self._joined

    async def send(self, request: messaging_pb2.SendDataMessageRequest) -> Accepted:
        """Returns when the message is accepted.

        Whoever cancels this gives the message up: one that was under way may still be delivered.
        """
        size = request.ByteSize()
        if len(self._letters) >= self._limit or self._bytes + size > self._limit_bytes:
            raise OutboxFullError(self._limit, self._limit_bytes)
        answer: asyncio.Future[Accepted] = asyncio.get_running_loop().create_future()
        letter = _Letter(request, secrets.token_urlsafe(11), answer)
        self._letters[letter.key] = letter
        self._bytes += size
        self._send_on()
        try:
            return await answer
        except asyncio.CancelledError:
            self._remove(letter)
            if letter.attempt is not None:
                letter.attempt.cancel()
            else:
                self._send_on()
            raise

    # The session's connection

    def attach(self, connection: Connection) -> None:
        """The session is live on this connection."""
        self._connection = connection
        self._stop_timer()
        if not self._attempts:
            self._try_again()

    def detach(self) -> None:
        """The connection is lost; attempts that are open on it fail by themselves."""
        self._connection = None
        self._stop_timer()
        if self._attempts:
            self._window = 0

    def close(self, status: Status) -> None:
        """The session is over: what was not sent fails.

        What is under way has its outcome when the connection is closed; an answer that has come by
        then counts.
        """
        self.detach()
        self._end = status
        for letter in list(self._letters.values()):
            if letter.attempt is None:
                self._settle(letter, self._end_error(letter, status))

    async def stop(self) -> None:
        """Returns when nothing is under way. Call it when the session's connection is closed."""
        if self._attempts:
            await asyncio.wait(self._attempts)

    def _end_error(self, letter: _Letter, end: Status) -> CarillonError:
        is_unsent = letter.deadline is None
        what = "was not sent" if is_unsent else "may or may not have been delivered"
        return CarillonError(
            StatusCode.FAILED_PRECONDITION,
            end.session_status,
            end.reason,
            f"The session is over; the message {what}.",
        )

    # Attempts

    def _send_on(self) -> None:
        """Begins what may be under way now: of those without an answer the first so many."""
        connection = self._connection
        if connection is None:
            return
        for letter in list(islice(self._letters.values(), self._window)):
            if letter.attempt is None:
                self._begin(letter, connection)

    def _begin(self, letter: _Letter, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        if letter.deadline is None:
            letter.deadline = loop.time() + self.repeat_seconds
        timeout = min(_CALL_SECONDS, letter.deadline - loop.time())
        if timeout <= 0:
            # From now on a repeat might be a second message.
            error = CarillonError(
                StatusCode.DEADLINE_EXCEEDED,
                message=f"No answer in {self.repeat_seconds:g} s; the message may or may not have "
                "been delivered.",
            )
            self._settle(letter, error)
            loop.call_soon(self._send_on)
            return
        letter.attempt = asyncio.create_task(
            self._attempt(letter, connection, timeout), name="carillon send"
        )
        self._attempts.add(letter.attempt)
        letter.attempt.add_done_callback(self._end_attempt)

    async def _attempt(self, letter: _Letter, connection: Connection, timeout: float) -> None:
        try:
            reply = await connection.channel.unary(
                SEND_DATA_MESSAGE,
                letter.request,
                timeout=timeout,
                options=replace(connection.options, idempotency_key=letter.key),
            )
        except CarillonError as error:
            if not _is_worth_another(error, connection):
                self._succeed()
                self._settle(letter, error)
            elif self._end is not None:
                self._settle(letter, self._end_error(letter, self._end))
            else:
                self._window = 0
        except Exception:
            logger.exception("A message of %s could not be sent", self._sender.attendee_id)
            failure = CarillonError(
                StatusCode.INTERNAL_ERROR,
                message="A defect in the client kept the message back; its log has the cause.",
            )
            self._settle(letter, failure)
        else:
            self._succeed()
            self._settle(letter, self._read(letter, reply))
        finally:
            letter.attempt = None

    def _end_attempt(self, attempt: asyncio.Task[None]) -> None:
        self._attempts.discard(attempt)
        if self._window > 0:
            self._send_on()
        elif not self._attempts and self._connection is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._pauses.next_seconds(), self._try_again)

    def _try_again(self) -> None:
        self._timer = None
        if self._window == 0:
            self._window = 1
        self._send_on()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _succeed(self) -> None:
        """There was an answer. While others are still awaited after a failure it opens nothing."""
        if self._window > 0:
            self._window = _WINDOW
            self._pauses.reset()

    def _read(
        self, letter: _Letter, reply: messaging_pb2.SendDataMessageReply
    ) -> Accepted | CarillonError:
        match reply.WhichOneof("outcome"):
            case "accepted":
                return Accepted.of(reply.accepted)
            case "throttled":
                request = letter.request
                returned = DataMessage(
                    topic=request.topic,
                    data=request.data,
                    sender=self._sender,
                    lifetime_ms=request.lifetime_ms,
                    recipients=tuple(request.recipients),
                    throttled=True,
                )
                return ThrottledError(reply.throttled.retry_after_ms, returned)
            case _:
                return CarillonError(
                    StatusCode.UNKNOWN,
                    message="The gateway's answer is neither of those this version knows; the "
                    "message may or may not have been delivered.",
                )

    def _settle(self, letter: _Letter, outcome: Accepted | CarillonError) -> None:
        self._remove(letter)
        if letter.answer.done():
            return
        if isinstance(outcome, Accepted):
            letter.answer.set_result(outcome)
        else:
            letter.answer.set_exception(outcome)

    def _remove(self, letter: _Letter) -> None:
        if self._letters.pop(letter.key, None) is not None:
            self._bytes -= letter.request.ByteSize()


def _is_worth_another(error: CarillonError, connection: Connection) -> bool:
    """The message may not have been stored, and the same attempt may succeed later."""
    if connection.outcome is not None and error.status_code in _LOST_CODES:
        return True
    return may_repeat(error.status)

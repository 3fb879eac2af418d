"""The data messages of a session that wait for an answer."""

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
"""The time for which the server recognizes a repeat of a stored message, in seconds."""

_CALL_SECONDS = 5.0
_WINDOW = 32  # A connection may have 256 open calls of all kinds.

_LOST_CODES = {StatusCode.CANCELLED, StatusCode.INTERNAL_ERROR}
"""The codes with which open calls fail when the connection ends or bytes are unreadable."""


@dataclass(eq=False)
class _Letter:
    request: messaging_pb2.SendDataMessageRequest
    key: str
    """The idempotency key, the same for each attempt. The server allocates no memory for a key of
    up to 15 characters."""
    answer: asyncio.Future[Accepted]
    deadline: float | None = None
    """The time at which the server may forget the key, on the clock of the event loop. The first
    attempt sets this time."""
    attempt: asyncio.Task[None] | None = None


class Outbox:
    """Sends messages in the order of the calls, and retries each message until the server answers.

    Up to `_WINDOW` messages are in flight at a time. After a temporary failure, the outbox sends
    nothing more until all messages in flight have an outcome. Then the outbox retries only the
    first unanswered message, and sends the others when that retry succeeds. So messages keep their
    order, except messages that were in flight together.

    Without a connection, all messages wait. At most `limit` messages with `limit_bytes` bytes may
    wait or be in flight.
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
        """The number of messages that may be in flight: 0 after a failure, then 1 for a retry."""
        self._pauses = Backoff()
        self._timer: asyncio.TimerHandle | None = None
        self._attempts: set[asyncio.Task[None]] = set()

    def send_as(self, attendee: AttendeeInfo | None) -> None:
        """Sets the attendee that sends later messages. `None` restores the attendee who joined."""
        self._sender = attendee or self._joined

    async def send(self, request: messaging_pb2.SendDataMessageRequest) -> Accepted:
        """Sends a message, and returns when the server has accepted it.

        Cancelling the call discards the message. The server may still deliver a message in flight.
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
        """Starts to send on a connection."""
        self._connection = connection
        self._stop_timer()
        if not self._attempts:
            self._try_again()

    def detach(self) -> None:
        """Stops sending on a lost connection, whose open attempts fail on their own."""
        self._connection = None
        self._stop_timer()
        if self._attempts:
            self._window = 0

    def close(self, status: Status) -> None:
        """Ends the outbox at the end of the session. Messages that are not in flight fail.

        A message in flight gets its outcome at the end of the connection: the answer if one has
        arrived, otherwise an error.
        """
        self.detach()
        self._end = status
        for letter in list(self._letters.values()):
            if letter.attempt is None:
                self._settle(letter, self._end_error(letter, status))

    async def stop(self) -> None:
        """Waits until nothing is in flight. Call this method after the end of the connection."""
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
        """Starts attempts for the first unanswered messages that fit in the window."""
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
            # The server may have forgotten the message's idempotency key, so a repeat could reach
            # the recipients twice.
            error = CarillonError(
                StatusCode.DEADLINE_EXCEEDED,
                message=f"No answer within {self.repeat_seconds:g} s; the message may or may not "
                "have been delivered.",
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
                message="A defect in the client kept the message back; see the client's log.",
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
        """Restores the full send window after an answer, unless a failure has set it to 0."""
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
                    message="This version does not know the gateway's answer; upgrade the client. "
                    "The message may or may not have been delivered.",
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
    """Returns whether to retry: perhaps the server lacks the message, and a retry may help."""
    if connection.outcome is not None and error.status_code in _LOST_CODES:
        return True
    return may_repeat(error.status)

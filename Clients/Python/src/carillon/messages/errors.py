"""The errors of data messages."""

from __future__ import annotations

from enum import Enum

from carillon.errors import CarillonError, SessionStatus, StatusCode, StatusReason
from carillon.messages.values import DataMessage


class MessagesLostError(CarillonError):
    """The consumer of a message stream was too slow: more messages waited than allowed.

    The stream yields the waiting messages, raises this error, and ends. The session continues: call
    `messages()` again for later messages. `sequence` is the sequence of the first lost message.
    """

    def __init__(self, limit: int, sequence: int) -> None:
        super().__init__(
            StatusCode.RESOURCE_EXHAUSTED,
            SessionStatus.OK,
            StatusReason.SLOW_CONSUMER,
            f"More than {limit} messages waited to be read; read faster or raise message_limit.",
        )
        self.limit = limit
        self.sequence = sequence


class MessageProblem(Enum):
    """The reason why a data message is invalid, in the order of the checks."""

    NEGATIVE_LIFETIME = "negative lifetime"
    INVALID_TOPIC = "invalid topic"
    INVALID_DATA = "invalid data"
    INVALID_DATA_LENGTH = "invalid data length"
    INVALID_RECIPIENTS = "invalid recipients"


class InvalidMessageError(CarillonError, ValueError):
    """A data message is invalid, so the session cannot send it. `problem` is the reason."""

    def __init__(self, problem: MessageProblem, message: str) -> None:
        super().__init__(StatusCode.INVALID_ARGUMENT, message=message)
        self.problem = problem


class OutboxFullError(CarillonError):
    """The session did not send a data message, because too many messages or bytes are in flight."""

    def __init__(self, limit: int, limit_bytes: int) -> None:
        super().__init__(
            StatusCode.RESOURCE_EXHAUSTED,
            message=f"At most {limit} messages with {limit_bytes} bytes may wait for their answer; "
            "send it when others have theirs, or raise send_limit and send_limit_bytes.",
        )
        self.limit = limit
        self.limit_bytes = limit_bytes


class ThrottledError(CarillonError):
    """The server rejected a data message, because the meeting has too many messages.

    The message is neither stored nor delivered. `returned` is the message, with `throttled` set. A
    retry can succeed after `retry_after_ms`. If an attendee keeps sending far above the limit, the
    server removes the attendee from the meeting.
    """

    def __init__(self, retry_after_ms: int, returned: DataMessage) -> None:
        super().__init__(
            StatusCode.RESOURCE_EXHAUSTED,
            message=f"Too many messages; send it again in {retry_after_ms} ms.",
        )
        self.retry_after_ms = retry_after_ms
        self.returned = returned

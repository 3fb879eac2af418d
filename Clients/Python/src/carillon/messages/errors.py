"""What can go wrong with data messages."""

from __future__ import annotations

from enum import Enum

from carillon.errors import CarillonError, SessionStatus, StatusCode, StatusReason
from carillon.messages.values import DataMessage


class MessagesLostError(CarillonError):
    """The consumer of a message stream let more messages wait than its limit.

    It comes after the messages that were waiting, and it is the end of that stream. The session
    goes on: call `messages()` again for what comes from now on. What is missing begins with
    `sequence`.
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
    """What is wrong with a data message, in the order of the checks."""

    NEGATIVE_LIFETIME = "negative lifetime"
    INVALID_TOPIC = "invalid topic"
    INVALID_DATA = "invalid data"
    INVALID_DATA_LENGTH = "invalid data length"
    INVALID_RECIPIENTS = "invalid recipients"


class InvalidMessageError(CarillonError, ValueError):
    """A data message that can never be sent; `problem` says what is wrong with it."""

    def __init__(self, problem: MessageProblem, message: str) -> None:
        super().__init__(StatusCode.INVALID_ARGUMENT, message=message)
        self.problem = problem


class OutboxFullError(CarillonError):
    """Too many data messages wait for their answer, or too many bytes; this one was not sent."""

    def __init__(self, limit: int, limit_bytes: int) -> None:
        super().__init__(
            StatusCode.RESOURCE_EXHAUSTED,
            message=f"At most {limit} messages with {limit_bytes} bytes may wait for their answer; "
            "send it when others have theirs, or raise send_limit and send_limit_bytes.",
        )
        self.limit = limit
        self.limit_bytes = limit_bytes


class ThrottledError(CarillonError):
    """The meeting had too many data messages: this one is neither stored nor delivered.

    `returned` is the message, with `throttled` set. To send it again can succeed after
    `retry_after_ms`. Who goes on sending much more than is allowed is thrown out of the meeting.
    """

    def __init__(self, retry_after_ms: int, returned: DataMessage) -> None:
        super().__init__(
            StatusCode.RESOURCE_EXHAUSTED,
            message=f"Too many messages; send it again in {retry_after_ms} ms.",
        )
        self.retry_after_ms = retry_after_ms
        self.returned = returned

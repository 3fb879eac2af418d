"""Data messages that attendees send to each other on topics."""

from carillon.messages.errors import (
    InvalidMessageError,
    MessageProblem,
    MessagesLostError,
    OutboxFullError,
    ThrottledError,
)
from carillon.messages.stream import MessageStream
from carillon.messages.values import Accepted, DataMessage

__all__ = [
    "Accepted",
    "DataMessage",
    "InvalidMessageError",
    "MessageProblem",
    "MessageStream",
    "MessagesLostError",
    "OutboxFullError",
    "ThrottledError",
]

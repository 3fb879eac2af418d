"""The checks that the session makes before it sends a data message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from carillon.messages.errors import InvalidMessageError, MessageProblem
from carillon.v1 import messaging_pb2

Payload = str | bytes | bytearray | memoryview | list[Any] | tuple[Any, ...] | dict[str, Any]
"""The types of data in messages: text as UTF-8, bytes unchanged, lists and dictionaries as JSON."""

MAXIMUM_DATA_BYTES = 2048
"""The size limit of the data, in bytes, if the server sets none."""

MAXIMUM_RECIPIENTS = 250

_TOPIC = re.compile(r"[A-Za-z0-9_-]{1,36}")
_RECIPIENT = re.compile(r"[A-Za-z0-9-]{1,64}")
_MAXIMUM_LIFETIME_MS = (1 << 31) - 1


def make_request(
    topic: str,
    data: Payload,
    lifetime_ms: int,
    recipients: Iterable[str],
    *,
    maximum_bytes: int = MAXIMUM_DATA_BYTES,
) -> messaging_pb2.SendDataMessageRequest:
    """Returns the request that sends a message.

    Raises `InvalidMessageError` for the first check that fails.
    """
    if lifetime_ms < 0:
        raise InvalidMessageError(
            MessageProblem.NEGATIVE_LIFETIME,
            f"The lifetime must not be negative; got {lifetime_ms}.",
        )
    if not isinstance(topic, str) or not _TOPIC.fullmatch(topic):
        raise InvalidMessageError(
            MessageProblem.INVALID_TOPIC,
            f"A topic has 1-36 of the characters A-Z a-z 0-9 _ and -; got {topic!r}.",
        )
    packed = _pack(data)
    if len(packed) > maximum_bytes:
        raise InvalidMessageError(
            MessageProblem.INVALID_DATA_LENGTH,
            f"A message has at most {maximum_bytes} bytes, not {len(packed)}.",
        )
    return messaging_pb2.SendDataMessageRequest(
        topic=topic,
        data=packed,
        # The field has 31 bits on the wire. The server's maximum lifetime is far below the largest
        # number of 31 bits.
        lifetime_ms=min(int(lifetime_ms), _MAXIMUM_LIFETIME_MS),
        recipients=_read_recipients(recipients),
    )


def _pack(data: Payload) -> bytes:
    try:
        match data:
            case str():
                return data.encode()
            case bytes() | bytearray() | memoryview():
                return bytes(data)
            case list() | tuple() | dict():
                text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
                return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidMessageError(
            MessageProblem.INVALID_DATA, f"The data cannot be sent: {error}."
        ) from error
    raise InvalidMessageError(
        MessageProblem.INVALID_DATA,
        f"Send text, bytes, a list or a dictionary, not {type(data).__name__}.",
    )


def _read_recipients(recipients: Iterable[str]) -> list[str]:
    found = [recipients] if isinstance(recipients, str) else list(recipients)
    if isinstance(recipients, str) or not all(
        isinstance(each, str) and _RECIPIENT.fullmatch(each) for each in found
    ):
        raise InvalidMessageError(
            MessageProblem.INVALID_RECIPIENTS,
            f"Recipients are a list of attendee ids; got {found}.",
        )
    if len(found) > MAXIMUM_RECIPIENTS:
        raise InvalidMessageError(
            MessageProblem.INVALID_RECIPIENTS,
            f"A message has at most {MAXIMUM_RECIPIENTS} recipients, not {len(found)}; "
            "name none to reach everybody.",
        )
    return found

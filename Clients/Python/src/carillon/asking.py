"""Calls of the facade that are repeated while what they need is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from carillon.errors import CarillonError, StatusCode
from carillon.methods import UnaryMethod

Request = TypeVar("Request", bound=Message)
Reply = TypeVar("Reply", bound=Message)
Result = TypeVar("Result")

_PATIENCE_SECONDS = 15.0
"""Longer than a restart of the service behind the gateway takes."""
_PAUSE_SECONDS = 0.2
_REPEATABLE = {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED, StatusCode.ABORTED}


class Ask(Protocol):
    """Calls a method of the facade; waits while there is no connection, and repeats then."""

    async def __call__(self, method: UnaryMethod[Request, Reply], request: Request) -> Reply: ...


class PatientAsk:
    """Repeats a call for a while when the service behind the gateway is away."""

    def __init__(self, ask: Ask, require_open: Callable[[], Any]) -> None:
        self._ask = ask
        self._require_open = require_open

    async def __call__(self, method: UnaryMethod[Request, Reply], request: Request) -> Reply:
        """Raises `CarillonError`: `FAILED_PRECONDITION` when the session is not open, or over."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _PATIENCE_SECONDS
        while True:
            self._require_open()
            try:
                return await self._ask(method, request)
            except CarillonError as error:
                if error.status_code not in _REPEATABLE or loop.time() > deadline:
                    raise
            await asyncio.sleep(_PAUSE_SECONDS)


def valid(pack: Callable[..., Result], *arguments: object) -> Result:
    """Numbers and texts that do not fit the wire are refused as the server would."""
    try:
        return pack(*arguments)
    except (KeyError, TypeError, ValueError) as error:
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT, message=f"This cannot be sent: {error}"
        ) from error

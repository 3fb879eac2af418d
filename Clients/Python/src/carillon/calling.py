"""Calls of the facade, repeated while what they need is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from google.protobuf.message import Message

from carillon.connection import Connection
from carillon.errors import CarillonError, StatusCode, may_repeat
from carillon.methods import UnaryMethod
from carillon.retrying import Backoff

Request = TypeVar("Request", bound=Message)
Reply = TypeVar("Reply", bound=Message)
Result = TypeVar("Result")

CALL_SECONDS = 5.0
"""How long one attempt may take."""
PATIENCE_SECONDS = 15.0
"""How long a call is repeated: longer than a restart of the service behind the gateway takes."""


class FacadeCalls:
    """Calls of a session, each made until it has an answer that counts.

    A call whose connection is lost is made again on the next one, for as long as the session lives.
    One that the server could not serve now is made again for `PATIENCE_SECONDS`, after pauses that
    grow. All methods that are called so are idempotent.
    """

    def __init__(self, connection: Callable[[], Awaitable[Connection]]) -> None:
        """`connection` waits for a live one; it raises when the session is not open, or over."""
        self._connection = connection

    async def __call__(self, method: UnaryMethod[Request, Reply], request: Request) -> Reply:
        """Returns the reply.

        Raises `CarillonError`: what was answered, or `FAILED_PRECONDITION` when the session is not
        open, or over.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE_SECONDS
        pauses = Backoff()
        while True:
            connection = await self._connection()
            try:
                return await connection.channel.unary(
                    method, request, timeout=CALL_SECONDS, options=connection.options
                )
            except CarillonError as error:
                if connection.outcome is not None:
                    continue
                if not may_repeat(error.status) or loop.time() > deadline:
                    raise
            await asyncio.sleep(pauses.next_seconds())


def valid(pack: Callable[..., Result], *arguments: object) -> Result:
    """What a function packs; numbers and texts that do not fit are refused as the server would.

    Raises `CarillonError` `INVALID_ARGUMENT`.
    """
    try:
        return pack(*arguments)
    except (KeyError, TypeError, ValueError) as error:
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT, message=f"This cannot be sent: {error}"
        ) from error

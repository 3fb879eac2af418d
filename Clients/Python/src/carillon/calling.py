"""Calls of `AudioVideoFacade`, which are retried while the gateway or a service is unavailable."""

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
"""The timeout of one attempt, in seconds."""
PATIENCE_SECONDS = 15.0
"""The time during which the session retries a call, in seconds. A service restarts in less time."""


class FacadeCalls:
    """The calls of a session, each retried until it succeeds or fails permanently.

    After the loss of a connection, the session sends its calls again on the next connection, until
    the session ends. After a temporary error, the session retries a call for `PATIENCE_SECONDS`,
    with growing pauses. All methods that are called this way are idempotent.
    """

    def __init__(self, connection: Callable[[], Awaitable[Connection]]) -> None:
        """Creates the calls of a session.

        `connection` waits for a live connection, and raises an error if the session is not open or
        has ended.
        """
        self._connection = connection

    async def __call__(self, method: UnaryMethod[Request, Reply], request: Request) -> Reply:
        """Calls a method and returns its reply.

        Raises `CarillonError`: the status of the answer, or `FAILED_PRECONDITION` if the session is
        not open or has ended.
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
    """Returns the message that a function packs from the arguments.

    Raises `CarillonError` `INVALID_ARGUMENT` if a value does not fit the wire. The server reports
    the same error.
    """
    try:
        return pack(*arguments)
    except (KeyError, TypeError, ValueError) as error:
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT, message=f"The request cannot be sent: {error}"
        ) from error

"""Attendees who join meetings of a house, and Carillon's own REST operations."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import carillon
from ControlAPI.house import House, Key
from ControlAPI.signed import Signed, sign
from eventually import due, eventually

PATIENCE = 60.0


def ask(
    house: House, key: Key, method: str, path: str, body: dict[str, Any] | None = None
) -> tuple[int, dict[str, Any]]:
    """Calls an operation of /carillon/v1 with a signed request."""
    packed = b"" if body is None else json.dumps(body).encode()
    request = sign(house, key, method=method, target=f"/carillon/v1/{path}", body=packed)
    status, _, answer = request.send()
    return status, answer


def get(house: House, key: Key, path: str) -> dict[str, Any]:
    status, answer = ask(house, key, "GET", path)
    assert status == 200, answer
    return answer


def act(
    house: House, token: str | None, method: str, path: str, body: dict[str, Any] | None = None
) -> tuple[int, dict[str, Any]]:
    """Calls an operation of /carillon/v1/host, with a host token or with none."""
    packed = b"" if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    status, _, answer = Signed(house, method, f"/carillon/v1/host/{path}", packed, headers).send()
    return status, answer


@asynccontextmanager
async def visit(
    meeting: dict[str, Any], attendee: dict[str, Any], *, is_muted: bool = True
) -> AsyncIterator[carillon.Session]:
    """Joins the meeting and yields the session."""
    options = carillon.SessionOptions(is_muted=is_muted)
    joining = carillon.join(
        carillon.Meeting.from_json(meeting), carillon.Credentials.from_json(attendee), options
    )
    async with joining as session:
        yield session


async def ended(session: carillon.Session) -> carillon.Status:
    """Waits for the end of a session that the server ends."""
    async with due("the end of a session", PATIENCE):
        async for event in session.events():
            if isinstance(event, carillon.Ended):
                return event.status
    raise AssertionError("The session did not say how it ended.")


async def until(what: str, condition: Any) -> Any:
    """Polls a condition of another process, in a thread, until the condition holds."""
    return await eventually(what, partial(asyncio.to_thread, condition), PATIENCE, 0.05)

"""What commands print: JSON, one object a line."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from typing import Any

from carillon.describe import describe_event
from carillon.errors import EventsLostError
from carillon.events import Reconnected, Reconnecting, StreamGap
from carillon.session import Session

Write = Callable[[dict[str, Any]], None]


def write(line: dict[str, Any]) -> None:
    """Prints a line on standard output at once."""
    print(json.dumps(line, ensure_ascii=False), flush=True)


def write_aside(line: dict[str, Any]) -> None:
    """Prints a line on standard error, where standard output is a file of captions."""
    print(json.dumps(line, ensure_ascii=False), file=sys.stderr, flush=True)


async def print_connection(session: Session, write: Write) -> None:
    """Says how the connection fares, until the session ends."""
    while True:
        with contextlib.suppress(EventsLostError):
            async for event in session.events():
                if isinstance(event, Reconnecting | Reconnected | StreamGap):
                    write(describe_event(event))
            return

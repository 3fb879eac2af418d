"""What commands print: JSON, one object a line."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from typing import Any, TextIO

from carillon.commands.reader import go_on_unread
from carillon.describe import describe_event
from carillon.errors import EventsLostError
from carillon.events import Reconnected, Reconnecting, StreamGap
from carillon.session import Session

Write = Callable[[dict[str, Any]], None]


def write(line: dict[str, Any]) -> None:
    """Prints a line on standard output at once."""
    write_text(_json(line, sys.stdout) + "\n")


def write_text(text: str) -> None:
    """Prints a text on standard output at once, as long as somebody reads it."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        go_on_unread()


def write_aside(line: dict[str, Any]) -> None:
    """Prints a line on standard error, where standard output is a file of captions."""
    with contextlib.suppress(BrokenPipeError):  # There is nowhere left to complain.
        print(_json(line, sys.stderr), file=sys.stderr, flush=True)


def _json(line: dict[str, Any], stream: TextIO) -> str:
    """The line, with JSON's own escapes where the stream's encoding lacks a character of it."""
    text = json.dumps(line, ensure_ascii=False)
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(line)
    return text


async def print_connection(session: Session, write: Write) -> None:
    """Says how the connection fares, until the session ends."""
    while True:
        with contextlib.suppress(EventsLostError):
            async for event in session.events():
                if isinstance(event, Reconnecting | Reconnected | StreamGap):
                    write(describe_event(event))
            return

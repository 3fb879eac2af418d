"""The output of commands: JSON, one object per line."""

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
    """Prints a line on standard output, without buffering."""
    write_text(_json(line, sys.stdout) + "\n")


def write_text(text: str) -> None:
    """Prints a text on standard output, unbuffered, unless the reader has closed this output."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        go_on_unread()


def write_aside(line: dict[str, Any]) -> None:
    """Prints a line on standard error, for commands that write captions to standard output."""
    with contextlib.suppress(BrokenPipeError):  # The reader of the output may have ended.
        print(_json(line, sys.stderr), file=sys.stderr, flush=True)


def _json(line: dict[str, Any], stream: TextIO) -> str:
    """Returns the line as JSON, in ASCII if the stream's encoding lacks one of the characters."""
    text = json.dumps(line, ensure_ascii=False)
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(line)
    return text


async def print_connection(session: Session, write: Write) -> None:
    """Writes the events of the connection until the session ends."""
    while True:
        with contextlib.suppress(EventsLostError):
            async for event in session.events():
                if isinstance(event, Reconnecting | Reconnected | StreamGap):
                    write(describe_event(event))
            return

"""Who reads what a command prints: a terminal of any locale, or a pipe whose reader may go."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import stat
import sys
from collections.abc import Callable

_OUTPUT = 1

_stops: list[Callable[[], object]] = []


def escape_what_cannot_be_shown() -> None:
    """Has characters that the locale lacks printed as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_as_utf8() -> None:
    """Has standard output in UTF-8 from now on, unless it is a terminal."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def when_unread(stop: Callable[[], object]) -> None:
    """Calls `stop` when nobody reads standard output any more, on the running event loop."""
    _stops.append(stop)
    with contextlib.suppress(OSError):
        # The end of a pipe is told to who waits for input from it, which never comes.
        if stat.S_ISFIFO(os.fstat(_OUTPUT).st_mode):
            asyncio.get_running_loop().add_reader(_OUTPUT, go_on_unread)


def go_on_unread() -> None:
    """Drops what is printed from now on: its reader has gone. Who waits for that is told."""
    with contextlib.suppress(RuntimeError):  # There may be no loop any more.
        asyncio.get_running_loop().remove_reader(_OUTPUT)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _OUTPUT)
    os.close(nowhere)
    while _stops:
        _stops.pop()()

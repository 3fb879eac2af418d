"""The reader of standard output: a terminal of any locale, or a program that may close the pipe."""

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
    """Makes both outputs escape each character that the locale lacks, so printing cannot fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_as_utf8() -> None:
    """Switches standard output to UTF-8, unless it is a terminal."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def when_unread(stop: Callable[[], object]) -> None:
    """Calls `stop` on the running event loop when the reader closes standard output."""
    _stops.append(stop)
    with contextlib.suppress(OSError):
        # When the reader closes the pipe, the system reports the output as readable, although there
        # is nothing to read.
        if stat.S_ISFIFO(os.fstat(_OUTPUT).st_mode):
            asyncio.get_running_loop().add_reader(_OUTPUT, go_on_unread)


def go_on_unread() -> None:
    """Discards all later output, and calls the functions that `when_unread` registered."""
    with contextlib.suppress(RuntimeError):  # The loop may have ended.
        asyncio.get_running_loop().remove_reader(_OUTPUT)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _OUTPUT)
    os.close(nowhere)
    while _stops:
        _stops.pop()()

"""Reading standard input line by line."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import threading
from collections.abc import Iterator


def read_standard_input(lines: asyncio.Queue[bytes | None]) -> None:
    """Puts each line in the queue, and `None` at the end. Waits while the queue is full."""
    loop = asyncio.get_running_loop()

    def put(line: bytes | None) -> None:
        asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()

    def read() -> None:
        # The loop may have closed while the thread waited.
        with contextlib.suppress(RuntimeError, concurrent.futures.CancelledError):
            for line in read_lines(0):
                put(line)
            put(None)

    threading.Thread(target=read, daemon=True, name="standard input").start()


def read_lines(descriptor: int) -> Iterator[bytes]:
    """Yields lines without their line endings.

    This function reads without a buffer, because a thread that waits here must not delay the exit.
    """
    waiting = b""
    with contextlib.suppress(OSError):  # Standard input may be closed.
        while chunk := os.read(descriptor, 4096):
            *lines, waiting = (waiting + chunk).split(b"\n")
            yield from lines
    if waiting:
        yield waiting

"""`camera`: sends a test pattern as the camera."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from carillon import media
from carillon.attendees import MediaDirection
from carillon.commands.joining import (
    add_codec,
    add_command,
    exit_code,
    make_session,
    write_started,
)
from carillon.commands.leaving import on_signal
from carillon.commands.printing import write


def add(commands: Any) -> None:
    """Adds the command and its options."""
    command = add_command(commands, "camera", "join a meeting, muted, and show a test pattern")
    add_codec(command)
    command.add_argument("--seconds", type=float, metavar="N", help="leave after N seconds")
    command.set_defaults(run=camera, mute=True)


async def camera(arguments: argparse.Namespace) -> int:
    """Sends a test pattern until the session ends, `--seconds` pass, or a signal arrives.

    Returns the exit status.
    """
    show_pattern = media.show_pattern
    session = make_session(arguments, MediaDirection.NONE)
    async with session:
        stopped = asyncio.Event()
        on_signal(stopped.set)
        write_started(session)
        showing = asyncio.create_task(
            show_pattern(session, codec=arguments.codec, seconds=arguments.seconds)
        )
        stopping = asyncio.create_task(stopped.wait())
        await asyncio.wait([showing, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in (showing, stopping):
            task.cancel()
        await asyncio.wait([showing, stopping])
        if not showing.cancelled():
            write({"event": "shown", "frames": showing.result()})
    return exit_code(session)

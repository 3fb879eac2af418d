"""`play`: plays the audio and video of a file into the meeting."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict
from typing import Any

from carillon import media
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
    command = add_command(commands, "play", "join a meeting and play a file into it")
    add_codec(command)
    command.add_argument("file", metavar="FILE", help="audio, video, or both")
    command.set_defaults(run=play, mute=False)


async def play(arguments: argparse.Namespace) -> int:
    """Plays a file into the meeting.

    Returns the exit status, 0 if the command played the whole file.
    """
    play_file = media.play  # If packages are missing, this fails before the join.
    session = make_session(arguments)
    async with session:
        if playing := asyncio.current_task():
            on_signal(playing.cancel)
        write_started(session)
        try:
            played = await play_file(session, arguments.file, codec=arguments.codec)
        except ValueError as error:  # PyAV raises ValueError for invalid files, too.
            write({"event": "refused", "message": str(error)})
            return 1
        write({"event": "played", "file": arguments.file} | asdict(played))
    return exit_code(session)

"""`record`: the meeting's audio and video into a file."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict
from typing import Any

from carillon import media
from carillon.commands.joining import add_command, exit_code, make_session, write_started
from carillon.commands.leaving import leave_when, on_signal
from carillon.commands.printing import write
from carillon.describe import describe_event
from carillon.events import Ended


def add(commands: Any) -> None:
    """Adds the command and its flags."""
    command = add_command(commands, "record", "join a meeting, muted, and record it into a file")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after so long")
    command.add_argument("--from", metavar="ID", help="whose video; without it, who is shown first")
    command.add_argument("file", metavar="FILE", help=".wav, .webm, .mp4 …")
    command.set_defaults(run=record, mute=True)


async def record(arguments: argparse.Namespace) -> int:
    """Records the meeting into a file until it ends, its time is over, or a signal comes."""
    record_file = media.record
    session = make_session(arguments)
    async with session:
        stopped = asyncio.Event()
        on_signal(stopped.set)
        write_started(session)
        leaving = asyncio.create_task(leave_when(session, stopped, None))
        try:
            await session.media.open()
            write({"event": "recording", "file": arguments.file})
            recorded = await record_file(
                session,
                arguments.file,
                seconds=arguments.seconds,
                attendee_id=getattr(arguments, "from"),
            )
        except ValueError as error:
            write({"event": "refused", "message": str(error)})
            return 1
        finally:
            leaving.cancel()
        write({"event": "recorded", "file": arguments.file} | asdict(recorded))
        await session.leave()
        if session.status is not None:
            write(describe_event(Ended(session.status)))
    return exit_code(session)

"""`record`: records the meeting's audio and video to a file."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from carillon import media
from carillon.commands.joining import add_command, attending, exit_code, make_session
from carillon.commands.printing import write


def add(commands: Any) -> None:
    """Adds the command and its options."""
    command = add_command(commands, "record", "join a meeting, muted, and record it into a file")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after N seconds")
    command.add_argument(
        "--from", metavar="ID", help="record this attendee's video (default: the first one)"
    )
    command.add_argument("file", metavar="FILE", help=".wav, .webm, .mp4 …")
    command.set_defaults(run=record, mute=True)


async def record(arguments: argparse.Namespace) -> int:
    """Records the meeting to a file until the session ends, `--seconds` pass, or a signal arrives.

    Returns the exit status.
    """
    record_file = media.record
    session = make_session(arguments)
    async with attending(session, None, is_for_reader=False):
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
        write({"event": "recorded", "file": arguments.file} | asdict(recorded))
        await session.leave()
    return exit_code(session)

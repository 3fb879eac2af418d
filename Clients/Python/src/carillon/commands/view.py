"""`view`: counts the pictures of the tiles in a meeting."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from carillon import media
from carillon.attendees import MediaDirection
from carillon.commands.joining import add_command, attending, exit_code, make_session
from carillon.commands.printing import write


def add(commands: Any) -> None:
    """Adds the command and its options."""
    command = add_command(commands, "view", "join a meeting, muted, and count what it shows")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after N seconds")
    command.add_argument("--from", metavar="ID", help="show only this attendee's video")
    command.set_defaults(run=view, mute=True)


async def view(arguments: argparse.Namespace) -> int:
    """Decodes the tiles, and prints the number of pictures of each tile once a second.

    Returns the exit status.
    """
    view_tiles = media.view
    session = make_session(arguments, MediaDirection.NONE)

    def tell(viewed: media.Viewed) -> None:
        write({"event": "viewed"} | asdict(viewed))

    async with attending(session, arguments.seconds):
        await view_tiles(session, tell, attendee_id=getattr(arguments, "from"))
    return exit_code(session)

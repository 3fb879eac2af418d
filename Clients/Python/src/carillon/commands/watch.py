"""`watch`: prints events of the session, and executes commands from standard input."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from carillon.commands.joining import add_command, exit_code, make_session, write_started
from carillon.commands.leaving import on_signal
from carillon.commands.printing import write
from carillon.commands.reader import when_unread
from carillon.commands.standard_input import read_standard_input
from carillon.describe import describe_event, describe_roster, describe_status
from carillon.errors import CarillonError, EventsLostError
from carillon.session import Session


def add(commands: Any) -> None:
    """Adds the command and its options."""
    command = add_command(commands, "watch", "join a meeting and print its events")
    command.add_argument("--mute", action="store_true", help="join muted")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after N seconds")
    command.set_defaults(run=watch)


async def watch(arguments: argparse.Namespace) -> int:
    """Prints events and executes commands from standard input. Returns the exit status."""
    session = make_session(arguments)
    async with session:
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        read_standard_input(lines)
        on_signal(lambda: lines.put_nowait(b"leave"))
        when_unread(lambda: lines.put_nowait(b"leave"))
        write_started(session)
        async with asyncio.TaskGroup() as tasks:
            helpers = [tasks.create_task(obey(session, lines))]
            if arguments.seconds is not None:
                helpers.append(tasks.create_task(leave_after(session, arguments.seconds)))
            await print_events(session)
            for helper in helpers:
                helper.cancel()
    return exit_code(session)


async def print_events(session: Session) -> None:
    """Prints the events of the session until the session ends."""
    while True:
        try:
            async for event in session.events():
                write(describe_event(event))
            return
        except EventsLostError as error:
            write({"event": "events_lost"} | describe_status(error.status))


async def leave_after(session: Session, seconds: float) -> None:
    """Leaves the meeting after `seconds`."""
    await asyncio.sleep(seconds)
    await session.leave()


async def obey(session: Session, lines: asyncio.Queue[bytes | None]) -> None:
    """Executes commands: `mute`, `unmute`, `leave`, `roster`. Ignores the end of the input."""
    while True:
        command = (await lines.get() or b"").decode(errors="replace").strip()
        try:
            match command:
                case "":
                    pass
                case "mute":
                    await session.mute()
                case "unmute":
                    await session.unmute()
                case "leave":
                    await session.leave()
                case "roster":
                    write({"event": "roster", "attendees": describe_roster(session)})
                case _:
                    write({"event": "unknown_command", "command": command})
        except CarillonError as error:
            write({"event": "failed", "command": command} | describe_status(error.status))

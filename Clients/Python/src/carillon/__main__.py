"""`python -m carillon watch`: joins a meeting and prints its events as JSON, one object a line."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from carillon.attendees import Attendee
from carillon.control import Credentials
from carillon.errors import CarillonError, EventsLostError, Status
from carillon.events import (
    AttendeeEvent,
    CapabilitiesChanged,
    Ended,
    Event,
    Reconnected,
    Reconnecting,
)
from carillon.session import Session, join


def describe_attendee(attendee: Attendee) -> dict[str, Any]:
    return {
        "attendee_id": attendee.attendee_id,
        "external_user_id": attendee.external_user_id,
        "is_muted": attendee.is_muted,
        "is_muted_by_operator": attendee.is_muted_by_operator,
        "volume": attendee.volume.name,
        "signal": attendee.signal.name if attendee.signal is not None else None,
    }


def describe_status(status: Status) -> dict[str, Any]:
    return {
        "code": status.code.name,
        "session_status": status.session_status.value,
        "session_status_name": status.session_status.name,
        "reason": status.reason.name,
        "message": status.message,
    }


def describe_event(event: Event) -> dict[str, Any]:
    """An event as a line says it; `event` is its kind in lower case with underscores."""
    name = type(event).__name__
    line: dict[str, Any] = {
        "event": "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")
    }
    match event:
        case Reconnecting(status) | Ended(status):
            line |= describe_status(status)
        case Reconnected(is_resumed, is_recovered):
            line |= {"is_resumed": is_resumed, "is_recovered": is_recovered}
        case CapabilitiesChanged(attendee, capabilities):
            line |= describe_attendee(attendee)
            line["capabilities"] = {
                "Audio": capabilities.audio.value,
                "Video": capabilities.video.value,
                "Content": capabilities.content.value,
            }
        case AttendeeEvent(attendee):
            line |= describe_attendee(attendee)
    return line


def describe_roster(session: Session) -> list[dict[str, Any]]:
    return [describe_attendee(attendee) for attendee in session.roster.values()]


def write(line: dict[str, Any]) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


async def watch(arguments: argparse.Namespace) -> int:
    """Returns 0 when the session ended by itself or on request, 1 with a status that is not OK."""
    token = Path(arguments.token_file).read_text().strip()
    session = join(
        arguments.meeting,
        Credentials(arguments.attendee, token, arguments.external_user_id),
        gateway_url=arguments.gateway,
        is_muted=arguments.mute,
        reconnect_timeout=arguments.reconnect_seconds,
    )
    try:
        async with session:
            commands = listen()
            write(
                {
                    "event": "started",
                    "meeting_id": session.meeting_id,
                    "attendee_id": session.attendee_id,
                    "gateway": session.gateway,
                    "roster": describe_roster(session),
                }
            )
            async with asyncio.TaskGroup() as tasks:
                helpers = [tasks.create_task(obey(session, commands))]
                if arguments.seconds is not None:
                    helpers.append(tasks.create_task(leave_after(session, arguments.seconds)))
                await print_events(session)
                for helper in helpers:
                    helper.cancel()
    except CarillonError as error:
        write({"event": "failed"} | describe_status(error.status))
        return 1
    return 0 if session.status is None or session.status.is_ok else 1


async def print_events(session: Session) -> None:
    while True:
        try:
            async for event in session.events():
                write(describe_event(event))
            return
        except EventsLostError as error:
            write({"event": "events_lost"} | describe_status(error.status))


async def leave_after(session: Session, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await session.leave()


def listen() -> asyncio.Queue[str]:
    """The lines of standard input, whose end means nothing; a signal to stop counts as `leave`."""
    loop = asyncio.get_running_loop()
    commands: asyncio.Queue[str] = asyncio.Queue()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, commands.put_nowait, "leave")

    def read() -> None:
        for line in read_lines(0):
            try:
                loop.call_soon_threadsafe(commands.put_nowait, line)
            except RuntimeError:  # The loop is closed: nobody listens any more.
                return

    threading.Thread(target=read, daemon=True, name="standard input").start()
    return commands


async def obey(session: Session, commands: asyncio.Queue[str]) -> None:
    """Does what is asked: `mute`, `unmute`, `leave`, `roster`."""
    while True:
        command = await commands.get()
        try:
            match command:
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


def read_lines(descriptor: int) -> Iterator[str]:
    """Lines without their ends. Unbuffered: a thread that waits here must not hold up the exit."""
    waiting = b""
    with contextlib.suppress(OSError):  # There may be no standard input at all.
        while chunk := os.read(descriptor, 4096):
            *lines, waiting = (waiting + chunk).split(b"\n")
            for line in lines:
                if text := line.decode(errors="replace").strip():
                    yield text


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m carillon", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("watch", help="join a meeting and print its events")
    command.add_argument("--gateway", required=True, metavar="URL", help="ZeroMQ endpoint")
    command.add_argument("--meeting", required=True, metavar="ID")
    command.add_argument("--attendee", required=True, metavar="ID")
    command.add_argument("--token-file", required=True, metavar="FILE", help="holds the join token")
    command.add_argument("--external-user-id", default="", metavar="ID")
    command.add_argument("--mute", action="store_true", help="join muted")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after so long")
    command.add_argument("--reconnect-seconds", type=float, default=180.0, metavar="N")
    command.set_defaults(run=watch)
    return parser.parse_args(arguments)


def main() -> int:
    arguments = parse()
    try:
        return int(asyncio.run(arguments.run(arguments)))
    except KeyboardInterrupt:  # Before the session began: nothing is to be left.
        return 130
    except OSError as error:
        print(f"python -m carillon: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

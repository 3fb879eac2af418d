"""Joining a meeting in a command, with the options and output that the commands share."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from carillon.attendees import MediaDirection
from carillon.commands.leaving import leave_when, on_signal
from carillon.commands.printing import Write, write
from carillon.commands.reader import when_unread
from carillon.control import Credentials
from carillon.describe import describe_event, describe_roster
from carillon.events import Ended
from carillon.options import SessionOptions
from carillon.session import Session, join
from carillon.video.values import VideoCodec


def add_command(commands: Any, name: str, summary: str) -> argparse.ArgumentParser:
    """Adds a command with the options that name the meeting and the attendee."""
    command: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=summary)
    command.add_argument(
        "--gateway", required=True, metavar="URL", help="the gateway's ZeroMQ endpoint"
    )
    command.add_argument("--meeting", required=True, metavar="ID", help="id of the meeting")
    command.add_argument("--attendee", required=True, metavar="ID", help="id of the attendee")
    command.add_argument(
        "--token-file", required=True, metavar="FILE", help="file with the join token"
    )
    command.add_argument(
        "--external-user-id", default="", metavar="ID", help="the attendee's external user id"
    )
    command.add_argument(
        "--reconnect-seconds",
        type=float,
        default=180.0,
        metavar="N",
        help="try to reconnect for N seconds",
    )
    return command


def add_codec(command: argparse.ArgumentParser) -> None:
    """Adds the option for the codec of the video that a command sends."""
    command.add_argument(
        "--codec",
        type=_sent_codec,
        default=VideoCodec.VP8,
        metavar="NAME",
        help="codec of the video: VP8 or H264",
    )


def _sent_codec(name: str) -> VideoCodec:
    """Returns the codec that has the given name.

    Raises `argparse.ArgumentTypeError` if this client cannot send video in this codec.
    """
    try:
        codec = VideoCodec(name.upper())
    except ValueError:
        codec = None
    if codec not in (VideoCodec.VP8, VideoCodec.H264):
        raise argparse.ArgumentTypeError(f"cannot send {name}; use VP8 or H264")
    return codec


def make_session(
    arguments: argparse.Namespace, audio: MediaDirection = MediaDirection.SEND_RECEIVE
) -> Session:
    """Creates the session that the options describe.

    Raises `OSError` if this process cannot read the token file.
    """
    token = Path(arguments.token_file).read_text().strip()
    return join(
        arguments.meeting,
        Credentials(arguments.attendee, token, arguments.external_user_id),
        SessionOptions(
            gateway_url=arguments.gateway,
            is_muted=arguments.mute,
            audio=audio,
            reconnect_seconds=arguments.reconnect_seconds,
            transcript_language=getattr(arguments, "language", ""),
        ),
    )


def write_started(session: Session, write: Write = write) -> None:
    """Writes that the session has started, with the roster."""
    write(
        {
            "event": "started",
            "meeting_id": session.meeting_id,
            "attendee_id": session.attendee_id,
            "gateway": session.gateway,
            "roster": describe_roster(session),
        }
    )


@asynccontextmanager
async def attending(
    session: Session, seconds: float | None, tell: Write = write, *, is_for_reader: bool = True
) -> AsyncIterator[None]:
    """Enters a session, and leaves it on a signal or after `seconds`; `None` for no limit.

    With `is_for_reader`, this function also leaves when the reader closes standard output. The
    function writes that the session has started. If the session has ended by the end of the block,
    the function also writes the `Ended` event.
    """
    async with session:
        stopped = asyncio.Event()
        on_signal(stopped.set)
        if is_for_reader:
            when_unread(stopped.set)
        write_started(session, tell)
        leaving = asyncio.create_task(leave_when(session, stopped, seconds))
        try:
            yield
        finally:
            leaving.cancel()
            await asyncio.wait([leaving])
        if session.status is not None:
            tell(describe_event(Ended(session.status)))


def exit_code(session: Session) -> int:
    """Returns 1 if the session ended with a status other than `OK`, otherwise 0."""
    return 0 if session.status is None or session.status.is_ok else 1

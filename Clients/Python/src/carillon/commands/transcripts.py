"""`transcripts`: prints transcripts as JSON or as captions."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from carillon.captions.writing import CaptionFormat, CaptionWriter
from carillon.commands.joining import add_command, attending, exit_code, make_session
from carillon.commands.printing import Write, print_connection, write, write_aside, write_text
from carillon.commands.reader import print_as_utf8
from carillon.describe import describe_status, describe_transcript_event
from carillon.errors import EventsLostError
from carillon.session import Session
from carillon.transcripts.streams import TranscriptStream
from carillon.transcripts.values import Transcript, TranscriptEvent


def add(commands: Any) -> None:
    """Adds the command and its options."""
    command = add_command(
        commands,
        "transcripts",
        "join a meeting, muted, and print what is said, as it is transcribed",
    )
    command.add_argument(
        "--format",
        type=CaptionFormat,
        default=CaptionFormat.JSON,
        metavar="NAME",
        help="json (default), or text, vtt or srt, which contain only final results",
    )
    command.add_argument(
        "--partials", action="store_true", help="also print partial results, as JSON"
    )
    command.add_argument(
        "--language",
        default="",
        metavar="CODE",
        help="receive transcripts in this language, such as en-US",
    )
    command.add_argument("--seconds", type=float, metavar="N", help="leave after N seconds")
    command.set_defaults(run=transcripts, mute=True)


async def transcripts(arguments: argparse.Namespace) -> int:
    """Prints transcripts as JSON, or as captions. With captions, other output is on standard error.

    Returns the exit status.
    """
    session = make_session(arguments)
    tell = write if arguments.format is CaptionFormat.JSON else write_aside
    stream = session.transcripts.events()
    async with attending(session, arguments.seconds, tell), asyncio.TaskGroup() as tasks:
        tasks.create_task(print_transcripts(session, stream, arguments, tell))
        tasks.create_task(print_connection(session, tell))
    return exit_code(session)


async def print_transcripts(
    session: Session, stream: TranscriptStream, arguments: argparse.Namespace, tell: Write
) -> None:
    """Prints the events of a stream.

    Opens another stream if the command read this stream too slowly.
    """
    writer = CaptionWriter(arguments.format)
    if arguments.format is CaptionFormat.VTT:  # A WebVTT file is UTF-8 in every locale.
        print_as_utf8()
    write_text(writer.header)
    while True:
        try:
            async for event in stream:
                print_transcript(event, arguments, writer, tell)
            return
        except EventsLostError as error:
            stream = session.transcripts.events()
            tell({"event": "transcripts_lost"} | describe_status(error.status))


def print_transcript(
    event: TranscriptEvent, arguments: argparse.Namespace, writer: CaptionWriter, tell: Write
) -> None:
    """Prints a transcript as captions or JSON, and a status as JSON."""
    if isinstance(event, Transcript) and arguments.format is not CaptionFormat.JSON:
        write_text("".join(map(writer.feed, event.results)))
        return
    for line in describe_transcript_event(event):
        if arguments.partials or not line.get("is_partial", False):
            tell(line)

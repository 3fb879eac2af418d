"""`python -m carillon`: joins a meeting, and prints what happens as JSON, one object a line."""

from __future__ import annotations

import argparse
import asyncio
import base64
import binascii
import concurrent.futures
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from carillon import media
from carillon.captions import CaptionFormat, CaptionWriter
from carillon.control import Credentials
from carillon.describe import (
    describe_event,
    describe_message,
    describe_roster,
    describe_status,
    describe_transcript_event,
)
from carillon.errors import CarillonError, EventsLostError, MessagesLostError, ThrottledError
from carillon.events import Ended, Reconnected, Reconnecting, StreamGap
from carillon.messages import MessageStream
from carillon.session import Session, join
from carillon.transcript_streams import TranscriptStream
from carillon.transcripts import Transcript, TranscriptEvent
from carillon.video import VideoCodec


Write = Callable[[dict[str, Any]], None]


def write(line: dict[str, Any]) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


def write_aside(line: dict[str, Any]) -> None:
    """Where standard output is a file of captions."""
    print(json.dumps(line, ensure_ascii=False), file=sys.stderr, flush=True)


def make_session(arguments: argparse.Namespace) -> Session:
    token = Path(arguments.token_file).read_text().strip()
    return join(
        arguments.meeting,
        Credentials(arguments.attendee, token, arguments.external_user_id),
        gateway_url=arguments.gateway,
        is_muted=arguments.mute,
        reconnect_timeout=arguments.reconnect_seconds,
        transcript_language=getattr(arguments, "language", ""),
    )


def write_started(session: Session, write: Write = write) -> None:
    write(
        {
            "event": "started",
            "meeting_id": session.meeting_id,
            "attendee_id": session.attendee_id,
            "gateway": session.gateway,
            "roster": describe_roster(session),
        }
    )


def exit_code(session: Session) -> int:
    """0 when the session ended by itself or on request, 1 with a status that is not OK."""
    return 0 if session.status is None or session.status.is_ok else 1


# watch


async def watch(arguments: argparse.Namespace) -> int:
    """Prints events, and does what standard input says."""
    session = make_session(arguments)
    async with session:
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        read_standard_input(lines)
        on_signal(lambda: lines.put_nowait(b"leave"))
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


async def obey(session: Session, lines: asyncio.Queue[bytes | None]) -> None:
    """Does what is asked: `mute`, `unmute`, `leave`, `roster`. The end of input means nothing."""
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


def on_signal(stop: Callable[[], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)


# tail


async def tail(arguments: argparse.Namespace) -> int:
    """Prints messages, those that are kept first, and how the connection does."""
    session = make_session(arguments)
    topics: list[str | None] = list(arguments.topic) or [None]
    streams = [session.messages(topic) for topic in dict.fromkeys(topics)]
    async with session:
        stopped = asyncio.Event()
        on_signal(stopped.set)
        write_started(session)
        async with asyncio.TaskGroup() as tasks:
            leaving = tasks.create_task(leave_when(session, stopped, arguments.seconds))
            printing = [tasks.create_task(print_messages(session, stream)) for stream in streams]
            printing.append(tasks.create_task(print_connection(session, write)))
            await asyncio.wait(printing)
            leaving.cancel()
        if session.status is not None:
            write(describe_event(Ended(session.status)))
    return exit_code(session)


async def leave_when(session: Session, stopped: asyncio.Event, seconds: float | None) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopped.wait()
    await session.leave()


async def print_messages(session: Session, stream: MessageStream) -> None:
    while True:
        try:
            async for message in stream:
                write(describe_message(message))
            return
        except MessagesLostError as error:
            stream = session.messages(stream.topic)
            line = {"event": "messages_lost", "topic": stream.topic, "sequence": error.sequence}
            write(line | describe_status(error.status))


async def print_connection(session: Session, write: Write) -> None:
    while True:
        with contextlib.suppress(EventsLostError):
            async for event in session.events():
                if isinstance(event, Reconnecting | Reconnected | StreamGap):
                    write(describe_event(event))
            return


# transcripts


async def transcripts(arguments: argparse.Namespace) -> int:
    """Prints what is said, as JSON, or as captions with all else on standard error."""
    session = make_session(arguments)
    tell = write if arguments.format is CaptionFormat.JSON else write_aside
    stream = session.transcripts.events()
    async with session:
        stopped = asyncio.Event()
        on_signal(stopped.set)
        write_started(session, tell)
        async with asyncio.TaskGroup() as tasks:
            leaving = tasks.create_task(leave_when(session, stopped, arguments.seconds))
            printing = [
                tasks.create_task(print_transcripts(session, stream, arguments, tell)),
                tasks.create_task(print_connection(session, tell)),
            ]
            await asyncio.wait(printing)
            leaving.cancel()
        if session.status is not None:
            tell(describe_event(Ended(session.status)))
    return exit_code(session)


async def print_transcripts(
    session: Session, stream: TranscriptStream, arguments: argparse.Namespace, tell: Write
) -> None:
    writer = CaptionWriter(arguments.format)
    print(writer.header, end="", flush=True)
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
    if isinstance(event, Transcript) and arguments.format is not CaptionFormat.JSON:
        print("".join(map(writer.feed, event.results)), end="", flush=True)
        return
    for line in describe_transcript_event(event):
        if arguments.partials or not line.get("is_partial", False):
            tell(line)


# send


async def send(arguments: argparse.Namespace) -> int:
    """Sends a text, or each line of standard input; 0 when all were accepted."""
    session = make_session(arguments)
    are_accepted = True
    async with session:
        if sending := asyncio.current_task():
            on_signal(sending.cancel)
        async for data in payloads(arguments.text):
            are_accepted = await send_one(session, data, arguments) and are_accepted
            if session.status is not None:
                break
    return 0 if are_accepted else 1


async def send_one(session: Session, data: bytes, arguments: argparse.Namespace) -> bool:
    try:
        if arguments.base64:
            data = base64.b64decode(data, validate=True)
        accepted = await session.send(arguments.topic, data, arguments.lifetime_ms, arguments.to)
    except binascii.Error as error:
        write({"event": "refused", "message": f"This is no base64: {error}."})
    except ThrottledError as error:
        line = {"event": "throttled", "retry_after_ms": error.retry_after_ms}
        write(line | describe_status(error.status))
    except CarillonError as error:
        write({"event": "refused"} | describe_status(error.status))
    else:
        write({"event": "accepted"} | asdict(accepted))
        return True
    return False


async def payloads(text: str | None) -> AsyncIterator[bytes]:
    """What is to be sent: the text, or else each line of standard input, without its end."""
    if text is not None:
        yield os.fsencode(text)
        return
    lines: asyncio.Queue[bytes | None] = asyncio.Queue(64)
    read_standard_input(lines)
    while (line := await lines.get()) is not None:
        yield line


# play and record


async def play(arguments: argparse.Namespace) -> int:
    """Plays a file into the meeting; 0 when it was played to its end."""
    play_file = media.play  # Before joining: it says what is not installed.
    session = make_session(arguments)
    async with session:
        if playing := asyncio.current_task():
            on_signal(playing.cancel)
        write_started(session)
        try:
            played = await play_file(session, arguments.file, codec=arguments.codec)
        except ValueError as error:  # What is no media file is one for PyAV, too.
            write({"event": "refused", "message": str(error)})
            return 1
        write({"event": "played", "file": arguments.file} | asdict(played))
    return exit_code(session)


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


# Standard input


def read_standard_input(lines: asyncio.Queue[bytes | None]) -> None:
    """Puts each line in the queue, and `None` at the end; reads no faster than there is room."""
    loop = asyncio.get_running_loop()

    def put(line: bytes | None) -> None:
        asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()

    def read() -> None:
        # The loop may be closed by then: nobody listens any more.
        with contextlib.suppress(RuntimeError, concurrent.futures.CancelledError):
            for line in read_lines(0):
                put(line)
            put(None)

    threading.Thread(target=read, daemon=True, name="standard input").start()


def read_lines(descriptor: int) -> Iterator[bytes]:
    """Lines without their ends. Unbuffered: a thread that waits here must not hold up the exit."""
    waiting = b""
    with contextlib.suppress(OSError):  # There may be no standard input at all.
        while chunk := os.read(descriptor, 4096):
            *lines, waiting = (waiting + chunk).split(b"\n")
            yield from lines
    if waiting:
        yield waiting


# The command line


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m carillon", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = add_command(commands, "watch", "join a meeting and print its events")
    command.add_argument("--mute", action="store_true", help="join muted")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after so long")
    command.set_defaults(run=watch)

    command = add_command(commands, "tail", "join a meeting, muted, and print its data messages")
    command.add_argument(
        "--topic", action="append", default=[], metavar="TOPIC", help="only these; may be repeated"
    )
    command.add_argument("--seconds", type=float, metavar="N", help="leave after so long")
    command.set_defaults(run=tail, mute=True)

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
        help="json, the default, or of what is final only: text, vtt, srt",
    )
    command.add_argument("--partials", action="store_true", help="what is not final, too, as JSON")
    command.add_argument("--language", default="", metavar="CODE", help="read in this language")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after so long")
    command.set_defaults(run=transcripts, mute=True)

    command = add_command(commands, "send", "join a meeting, muted, and send data messages")
    command.add_argument("--topic", required=True, metavar="TOPIC")
    command.add_argument(
        "--lifetime-ms", type=int, default=0, metavar="N", help="keep it so long for late joiners"
    )
    command.add_argument(
        "--to", action="append", default=[], metavar="ID", help="only to these; may be repeated"
    )
    command.add_argument("--base64", action="store_true", help="the text is bytes in base64")
    command.add_argument("text", nargs="?", help="without it: each line of standard input")
    command.set_defaults(run=send, mute=True)

    command = add_command(commands, "play", "join a meeting and play a file into it")
    command.add_argument(
        "--codec",
        type=lambda name: VideoCodec(name.upper()),
        default=VideoCodec.VP8,
        metavar="NAME",
        help="of the video: VP8, or H264",
    )
    command.add_argument("file", metavar="FILE", help="audio, video, or both")
    command.set_defaults(run=play, mute=False)

    command = add_command(commands, "record", "join a meeting, muted, and record it into a file")
    command.add_argument("--seconds", type=float, metavar="N", help="leave after so long")
    command.add_argument("--from", metavar="ID", help="whose video; without it, who is shown first")
    command.add_argument("file", metavar="FILE", help=".wav, .webm, .mp4 …")
    command.set_defaults(run=record, mute=True)
    return parser.parse_args(arguments)


def add_command(commands: Any, name: str, summary: str) -> argparse.ArgumentParser:
    """A command with the flags that say which meeting to join and as whom."""
    command: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=summary)
    command.add_argument("--gateway", required=True, metavar="URL", help="ZeroMQ endpoint")
    command.add_argument("--meeting", required=True, metavar="ID")
    command.add_argument("--attendee", required=True, metavar="ID")
    command.add_argument("--token-file", required=True, metavar="FILE", help="holds the join token")
    command.add_argument("--external-user-id", default="", metavar="ID")
    command.add_argument("--reconnect-seconds", type=float, default=180.0, metavar="N")
    return command


def main() -> int:
    arguments = parse()
    try:
        return int(asyncio.run(arguments.run(arguments)))
    except CarillonError as error:
        is_json = getattr(arguments, "format", CaptionFormat.JSON) is CaptionFormat.JSON
        tell = write if is_json else write_aside
        tell({"event": "failed"} | describe_status(error.status))
        return 1
    except (KeyboardInterrupt, asyncio.CancelledError):  # Nothing is to be told any more.
        return 130
    except (ImportError, OSError) as error:
        print(f"python -m carillon: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

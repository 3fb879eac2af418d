"""`send`: sends data messages from the command line or standard input."""

from __future__ import annotations

import argparse
import asyncio
import base64
import binascii
import os
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

from carillon.commands.joining import add_command, make_session
from carillon.commands.leaving import on_signal
from carillon.commands.printing import write
from carillon.commands.standard_input import read_standard_input
from carillon.describe import describe_status
from carillon.errors import CarillonError
from carillon.messages.errors import ThrottledError
from carillon.session import Session


def add(commands: Any) -> None:
    """Adds the command and its options."""
    command = add_command(commands, "send", "join a meeting, muted, and send data messages")
    command.add_argument("--topic", required=True, metavar="TOPIC", help="topic of the messages")
    command.add_argument(
        "--lifetime-ms",
        type=int,
        default=0,
        metavar="N",
        help="keep the message for N ms for attendees who join later",
    )
    command.add_argument(
        "--to",
        action="append",
        default=[],
        metavar="ID",
        help="send only to this attendee; may be repeated",
    )
    command.add_argument(
        "--base64", action="store_true", help="decode the text from base64 before sending"
    )
    command.add_argument(
        "text", nargs="?", help="the message (default: each line of standard input)"
    )
    command.set_defaults(run=send, mute=True)


async def send(arguments: argparse.Namespace) -> int:
    """Sends a text, or each line of standard input.

    Returns 0 if the server accepted all messages, else 1.
    """
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
    """Sends one message and writes the outcome. Returns whether the server accepted the message."""
    try:
        if arguments.base64:
            data = base64.b64decode(data, validate=True)
        accepted = await session.send(arguments.topic, data, arguments.lifetime_ms, arguments.to)
    except binascii.Error as error:
        write({"event": "refused", "message": f"The text is not base64: {error}."})
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
    """Yields the text, or each line of standard input without its line ending."""
    if text is not None:
        yield os.fsencode(text)
        return
    lines: asyncio.Queue[bytes | None] = asyncio.Queue(64)
    read_standard_input(lines)
    while (line := await lines.get()) is not None:
        yield line

"""`tail`: prints data messages."""

from __future__ import annotations

import argparse
import asyncio
from typing import Any

from carillon.commands.joining import add_command, attending, exit_code, make_session
from carillon.commands.printing import print_connection, write
from carillon.describe import describe_message, describe_status
from carillon.messages.errors import MessagesLostError
from carillon.messages.stream import MessageStream
from carillon.session import Session


def add(commands: Any) -> None:
    """Adds the command and its options."""
    command = add_command(commands, "tail", "join a meeting, muted, and print its data messages")
    command.add_argument(
        "--topic",
        action="append",
        default=[],
        metavar="TOPIC",
        help="print only messages of this topic; may be repeated",
    )
    command.add_argument("--seconds", type=float, metavar="N", help="leave after N seconds")
    command.set_defaults(run=tail, mute=True)


async def tail(arguments: argparse.Namespace) -> int:
    """Prints messages, stored ones first, and the events of the connection.

    Returns the exit status.
    """
    session = make_session(arguments)
    topics: list[str | None] = list(arguments.topic) or [None]
    streams = [session.messages(topic) for topic in dict.fromkeys(topics)]
    async with attending(session, arguments.seconds), asyncio.TaskGroup() as tasks:
        for stream in streams:
            tasks.create_task(print_messages(session, stream))
        tasks.create_task(print_connection(session, write))
    return exit_code(session)


async def print_messages(session: Session, stream: MessageStream) -> None:
    """Prints the messages of a stream.

    Opens another stream if the command read this stream too slowly.
    """
    while True:
        try:
            async for message in stream:
                write(describe_message(message))
            return
        except MessagesLostError as error:
            stream = session.messages(stream.topic)
            line = {"event": "messages_lost", "topic": stream.topic, "sequence": error.sequence}
            write(line | describe_status(error.status))

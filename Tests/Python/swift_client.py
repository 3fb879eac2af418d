"""`carillon join` as a process: an attendee that uses the Swift client."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from carillon import Credentials
from eventually import eventually
from installation import BINARIES, Process
from test_end_to_end import LiveMeeting

_SECONDS = 60.0


class SwiftClient:
    """A process of `carillon join --output json`, and the objects that it has printed so far."""

    def __init__(self, process: Process, credentials: Credentials) -> None:
        self.process = process
        self.attendee_id = credentials.attendee_id

    @property
    def printed(self) -> list[dict[str, Any]]:
        lines = self.process.log.splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]

    def printed_of(self, event: str, attendee_id: str | None = None) -> list[dict[str, Any]]:
        """Returns the objects of one kind, optionally only those about one attendee."""
        return [
            each
            for each in self.printed
            if each["event"] == event and attendee_id in (None, each.get("attendee_id"))
        ]

    async def until(self, what: str, condition: Callable[[], object]) -> None:
        """Waits until a condition about the printed objects is true."""

        def holds() -> bool:
            assert self.process.is_running, self.process.log
            return bool(condition())

        await eventually(what, holds, _SECONDS, every=0.05)


@asynccontextmanager
async def swift_client(tea: LiveMeeting, name: str, *options: str) -> AsyncIterator[SwiftClient]:
    """Runs `carillon join` with more options, and makes it leave the meeting at the end."""
    credentials = await tea.create(name)
    token_file = tea.installation.directory / f"{name}.token"
    token_file.write_text(credentials.join_token)
    place = f"ipc://{tea.installation.client_socket}"
    command = [str(BINARIES / "carillon"), "join", tea.meeting.meeting_id, "--user", name]
    command += ["--attendee", credentials.attendee_id, "--token-file", str(token_file)]
    command += ["--gateway", place, "--mute", "--output", "json", *options]
    process = Process(name, command, tea.installation.directory / f"{name}.log")
    client = SwiftClient(process, credentials)
    await process.start()
    try:
        await client.until(f"the start of {name}", lambda: client.printed_of("started"))
        yield client
    except BaseException:
        print(process.log)
        raise
    finally:
        await process.terminate()

"""`carillon up --with-bot`: a visitor of the page meets the bot immediately."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from eventually import eventually
from installation import BINARIES, Process
from Web.scripted_site import WEB
from Web.signaling_client import SECONDS, Frame, SignalingClient

pytestmark = pytest.mark.seconds(400)

BOT = "Carillon bot"
READY_SECONDS = 90.0


@dataclass
class House:
    """`carillon up --with-bot`, and the fields of its log line about readiness."""

    directory: Path
    ready: dict[str, str]

    @property
    def run(self) -> Path:
        return self.directory / "run"

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request as the page does, and returns the JSON response."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(
            self.ready["rest"] + path, data=data, headers=headers, method=method
        )

        def send() -> bytes:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return bytes(answer.read())

        return json.loads(await asyncio.to_thread(send) or b"null")

    async def carillon(self, *words: str) -> None:
        """Runs an operator command."""
        command = [str(BINARIES / "carillon"), *words, "--runtime-dir", str(self.run)]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
        assert await process.wait() == 0

    async def come(self, name: str) -> tuple[str, SignalingClient]:
        """Joins through the lobby. Returns the meeting's id and an unconnected client."""
        entry = {"Meeting": "demo", "Name": name, "Create": True}
        answer = await self.call("POST", "/carillon/v1/web/join", entry)
        meeting, attendee = answer["Meeting"], answer["Attendee"]
        url = meeting["MediaPlacement"]["SignalingUrl"]
        return meeting["MeetingId"], SignalingClient(url, attendee["JoinToken"])

    def gateway_pid(self) -> int:
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if words[0].endswith(b"/gateway") and str(self.run).encode() in words:
                    return int(entry.name)
        raise AssertionError("no gateway runs")


@asynccontextmanager
async def house() -> AsyncIterator[House]:
    with tempfile.TemporaryDirectory(prefix="c-") as name:
        directory = Path(name)
        command: list[str | Path] = [BINARIES / "carillon", "up", "--with-bot", "--output", "json"]
        places: list[str | Path] = [
            "--runtime-dir",
            directory / "run",
            "--data-dir",
            directory / "data",
        ]
        log = directory / "up.log"
        up = Process("up", [*command, *places, "--rest-port", "0", "--web-root", WEB], log)
        await up.start()
        try:
            ready = await ready_line(up)
            assert f"endpoint={ready['rest']}/ lobby=open" in up.log
            yield House(directory, ready)
        except BaseException:
            print(up.log)
            raise
        finally:
            code = await up.terminate()
        assert code == 0, up.log


async def ready_line(up: Process) -> dict[str, str]:
    def ready() -> dict[str, str] | None:
        assert up.is_running, up.log
        lines = (line for line in up.log.splitlines() if line.startswith("{"))
        return next((json.loads(line) for line in lines), None)

    return await eventually("the line of who is ready", ready, READY_SECONDS, every=0.05)


def bot_number(client: SignalingClient) -> int | None:
    """Returns the bot's newest stream, if any."""
    numbers = [each.audio_stream_id for each in client.streams if each.external_user_id == BOT]
    return numbers[-1] if numbers else None


def said_by_bot(client: SignalingClient) -> list[str]:
    return [
        message.data.decode()
        for message in client.messages
        if message.topic == "chat" and message.sender_external_user_id == BOT
    ]


def hears_bot(client: SignalingClient, frames_before: int) -> bool:
    number = bot_number(client)
    return any(
        state.audio_stream_id == number and state.HasField("volume") and state.volume < 42
        for frame in client.frames[frames_before:]
        for state in frame.audio_metadata.attendee_states
    )


async def meets_the_bot(client: SignalingClient, name: str) -> None:
    """Checks that the bot is present, greets, speaks and answers."""
    await client.join()
    await client.until(lambda: bot_number(client) is not None, "the bot")
    await client.until(
        lambda: any(each.startswith(f"Hello {name}!") for each in said_by_bot(client)), "a greeting"
    )
    await client.until(lambda: hears_bot(client, 0), "the bot's voice")
    await client.say("chat", b"who")
    await client.until(
        lambda: any(each.startswith("Beside me") and name in each for each in said_by_bot(client)),
        "an answer",
    )


async def test_the_demo_bot_meets_every_visitor_of_the_page_and_speaks_and_answers() -> None:
    async with house() as up:
        assert up.ready["page"] == up.ready["rest"] + "/#demo"
        meeting, ada = await up.come("Ada")
        async with ada:
            await meets_the_bot(ada, "Ada")
            before = len(ada.frames)
            await ada.say("chat", b"say the meeting will begin in ten minutes")
            await ada.until(
                lambda: "I say: the meeting will begin in ten minutes" in said_by_bot(ada)
            )
            await ada.until(lambda: hears_bot(ada, before), "what it was asked to say")

            # After the meeting ends, the bot joins the next meeting with the same name.
            await up.carillon("meeting", "delete", meeting)

            def is_over(frame: Frame) -> bool:
                return frame.audio_status.audio_status == 410

            await ada.next("AUDIO_STATUS", is_over)
        other, ben = await up.come("Ben")
        assert other != meeting
        async with ben:
            await meets_the_bot(ben, "Ben")


async def test_the_bot_returns_after_the_gateway_was_killed() -> None:
    async with house() as up:
        meeting, ada = await up.come("Ada")
        async with ada:
            await meets_the_bot(ada, "Ada")
            os.kill(up.gateway_pid(), signal.SIGKILL)
            await ada.closed()

        async def comes() -> tuple[str, SignalingClient] | None:
            with suppress(OSError):
                return await up.come("Ben")
            return None

        # `carillon up` restarts the gateway.
        again, ben = await eventually("the gateway to come back", comes, READY_SECONDS, every=0.1)
        assert again == meeting
        async with ben:
            await meets_the_bot(ben, "Ben")

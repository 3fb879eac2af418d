"""`carillon send`, `tail` and `meeting messages` against real processes."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

import carillon
from carillon import Credentials, SessionOptions
from installation import BINARIES, Installation

CARILLON = BINARIES / "carillon"

pytestmark = pytest.mark.skipif(not CARILLON.exists(), reason=f"{CARILLON} is not built")

ENVIRONMENT = {name: text for name, text in os.environ.items() if not name.startswith("CARILLON_")}


@dataclass(frozen=True)
class Answer:
    """The output and the exit status of a command."""

    status: int
    output: str
    error: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.splitlines()]

    @property
    def record(self) -> dict[str, Any]:
        [record] = self.records
        return record

    @property
    def failure(self) -> dict[str, Any]:
        failure = json.loads(self.error)
        assert isinstance(failure, dict)
        return failure


class Tail:
    """A running `carillon tail --output json`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = json.loads(await self._process.stdout.readline())
        assert isinstance(line, dict)
        return line

    async def event(self, name: str) -> dict[str, Any]:
        line = await self.line()
        assert line["event"] == name, line
        return line

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    async def end(self) -> int:
        return await self._process.wait()


class ShellMeeting:
    """A meeting for the commands of the command line."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.meeting = ""

    async def create(self) -> Self:
        self.meeting = (await self.run("meeting", "create")).record["meeting_id"]
        return self

    def _command(self, words: Sequence[str]) -> list[str]:
        return [str(CARILLON), *words, "--runtime-dir", str(self.installation.run)]

    async def run(self, *words: str, stdin: bytes | None = None, form: str = "json") -> Answer:
        process = await asyncio.create_subprocess_exec(
            *self._command(words),
            "--output",
            form,
            stdin=DEVNULL if stdin is None else PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=ENVIRONMENT,
        )
        output, error = await process.communicate(stdin)
        assert process.returncode is not None
        return Answer(process.returncode, output.decode(), error.decode())

    async def send(self, *words: str, stdin: bytes | None = None) -> Answer:
        return await self.run("send", self.meeting, *words, stdin=stdin)

    async def messages(self) -> list[dict[str, Any]]:
        return (await self.run("meeting", "messages", self.meeting)).records

    async def attendee(self, name: str) -> tuple[str, str]:
        """Creates an attendee, and returns its id and its token file."""
        path = str(self.installation.directory / f"{name}.token")
        answer = await self.run(
            "attendee", "create", self.meeting, "--user", name, "--token-file", path
        )
        return answer.record["attendee_id"], path

    @asynccontextmanager
    async def tail(self, *words: str) -> AsyncIterator[Tail]:
        """Runs `carillon tail` during the block. The command receives all messages sent in the
        block."""
        process = await asyncio.create_subprocess_exec(
            *self._command(["tail", self.meeting, *words]),
            "--output",
            "json",
            stdin=DEVNULL,
            stdout=PIPE,
            env=ENVIRONMENT,
        )
        try:
            tail = Tail(process)
            await tail.event("started")
            yield tail
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


@asynccontextmanager
async def shell_meeting(messaging: Sequence[str] = ()) -> AsyncIterator[ShellMeeting]:
    async with Installation(messaging=messaging) as installation:
        yield await ShellMeeting(installation).create()


async def test_messages_arrive_byte_for_byte_and_carillon_send_prints_their_positions() -> None:
    async with (
        shell_meeting() as tea,
        tea.tail("--topic", "a", "--topic", "b", "--count", "4") as tail,
    ):
        file = tea.installation.directory / "message"
        file.write_bytes(bytes(range(256)) * 8)
        answers = [
            await tea.send("--topic", "a", "naïve 🎈", "--as", "ada"),
            await tea.send("--topic", "b", "--json", '{ "a": [1] }'),
            await tea.send("--topic", "a", "-", stdin=b"a\0b\n\xff"),
            await tea.send("--topic", "b", "--file", str(file)),
        ]
        heard = [await tail.event("message") for _ in answers]
        assert [base64.b64decode(each["base64"]) for each in heard] == [
            "naïve 🎈".encode(),
            b'{ "a": [1] }',
            b"a\0b\n\xff",
            bytes(range(256)) * 8,
        ]
        assert [each["text"] for each in heard] == ["naïve 🎈", '{ "a": [1] }', None, None]
        assert heard[0]["sender_external_user_id"] == "ada"
        assert heard[1]["sender_external_user_id"] == "carillon-send"
        for answer, message in zip(answers, heard, strict=True):
            assert answer.status == 0
            assert answer.record == {
                "meeting_id": tea.meeting,
                "topic": message["topic"],
                "outcome": "accepted",
                "sequence": message["sequence"],
                "message_id": message["message_id"],
                "timestamp_ms": message["timestamp_ms"],
            }
        assert [answer.record["sequence"] for answer in answers] == [1, 2, 3, 4]
        assert await tail.end() == 0


TEXTS = ["Łukasz", "花子", "Zoe\u0308", "O'Neil", "שלום 12", "محمد عبد الله", "प्रिया", "👩🏽‍🚀 Kim"]


async def test_texts_in_any_writing_system_are_sent_from_the_shell_and_from_python() -> None:
    async with shell_meeting() as tea, tea.tail("--topic", "chat") as tail:
        attendee, token = await tea.attendee("ada")
        for text in TEXTS:
            answer = await tea.send("--topic", "chat", text)
            assert answer.status == 0, answer.error
        gateway = f"ipc://{tea.installation.run}/gateway-a.client.sock"
        words = ["--gateway", gateway, "--meeting", tea.meeting]
        words += ["--attendee", attendee, "--token-file", token, "--topic", "chat"]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "carillon", "send", *words),
            stdin=PIPE,
            stdout=PIPE,
            env=ENVIRONMENT,
        )
        await process.communicate("".join(f"{text}\n" for text in TEXTS).encode())
        assert process.returncode == 0
        heard = [(await tail.event("message"))["text"] for _ in range(2 * len(TEXTS))]
        assert heard == 2 * TEXTS


async def test_stored_messages_are_listed_and_reach_later_attendees() -> None:
    async with shell_meeting() as tea:
        await tea.send("--topic", "chat", "gone")
        await tea.send("--topic", "chat", "kept", "--lifetime-ms", "60000", "--as", "ada")
        await tea.send("--topic", "other", "-", "--lifetime-ms", "400000", stdin=b"\x1b[2J\n")
        [kept, other] = await tea.messages()
        assert (kept["text"], kept["lifetime_ms"], kept["sequence"]) == ("kept", 60_000, 2)
        assert (other["topic"], other["lifetime_ms"], other["sequence"]) == ("other", 300_000, 3)
        table = (await tea.run("meeting", "messages", tea.meeting, form="text")).output
        assert next(line.split() for line in table.splitlines()) == [
            "sequence",
            "time",
            "sender",
            "topic",
            "data",
        ]
        assert "  ada            chat   kept\n" in table
        assert table.endswith("  carillon-send  other  \\u{1b}[2J\\n\n")
        async with tea.tail("--topic", "chat", "--count", "1") as tail:
            assert await tail.event("message") == {"event": "message"} | kept
            assert await tail.end() == 0


async def test_carillon_tail_in_text_form_prints_only_messages() -> None:
    async with shell_meeting() as tea:
        await tea.send("--topic", "chat", "hello\n", "--lifetime-ms", "60000", "--as", "ada")
        answer = await tea.run("tail", tea.meeting, "--topic", "chat", "--count", "1", form="text")
        assert answer.status == 0
        assert answer.output.split("  ")[1:] == ["ada", "chat", "hello\\n\n"]
        assert answer.error == "started\n"


async def test_all_pages_of_a_long_log_can_be_listed() -> None:
    flags = ["--data-message-burst", "2000"]
    async with shell_meeting(messaging=flags) as tea:
        attendee, path = await tea.attendee("ada")
        credentials = Credentials(attendee, Path(path).read_text().strip())
        url = f"ipc://{tea.installation.client_socket}"
        options = SessionOptions(gateway_url=url)
        async with carillon.join(tea.meeting, credentials, options) as session:
            # All messages together have more than 1 MB. The limit of one page is 1 MB, and so is
            # the limit of the messages that wait for an answer.
            for _ in range(2):
                await asyncio.gather(
                    *(session.send("log", bytes(2000), 60_000) for _ in range(350))
                )
        messages = await tea.messages()
        assert [each["sequence"] for each in messages] == list(range(1, 701))
        assert {each["sender_attendee_id"] for each in messages} == {attendee}


async def test_a_message_for_one_attendee_reaches_no_other_attendee() -> None:
    async with shell_meeting() as tea:
        ada, token = await tea.attendee("ada")
        mine = ["--topic", "chat", "--attendee", ada, "--token-file", token]
        async with tea.tail(*mine) as to_ada, tea.tail("--topic", "chat") as to_all:
            await tea.send("--topic", "chat", "psst", "--to", ada, "--lifetime-ms", "60000")
            await tea.send("--topic", "chat", "hello")
            assert (await to_ada.event("message"))["recipients"] == [ada]
            assert (await to_ada.event("message"))["text"] == "hello"
            assert (await to_all.event("message"))["text"] == "hello"
        [kept] = await tea.messages()
        assert (kept["text"], kept["recipients"]) == ("psst", [ada])


async def test_a_throttled_message_is_not_delivered_and_the_error_names_the_retry_time() -> None:
    flags = ["--data-message-burst", "1", "--data-messages-per-second", "1"]
    async with shell_meeting(messaging=flags) as tea, tea.tail("--topic", "chat") as tail:
        answers = [await tea.send("--topic", "chat", f"{number}") for number in range(3)]
        throttled = [answer for answer in answers if answer.status == 1]
        assert throttled
        for answer in throttled:
            assert answer.error == ""
            assert answer.record["outcome"] == "throttled"
            assert 0 < answer.record["retry_after_ms"] <= 1000
            assert "sequence" not in answer.record
        for number, answer in enumerate(answers):
            if answer.status == 0:
                message = await tail.event("message")
                assert message["text"] == f"{number}"
                assert message["sequence"] == answer.record["sequence"]


async def test_ctrl_c_ends_the_command() -> None:
    async with shell_meeting() as tea, tea.tail("--topic", "chat", "--as", "ada") as tail:
        [entry] = (await tea.run("roster", tea.meeting)).records
        assert entry["external_user_id"] == "ada"
        tail.interrupt()
        assert (await tail.event("ended"))["session_status"] == 0
        assert await tail.end() == 0
        assert (await tea.run("roster", tea.meeting)).records == []


async def test_carillon_tail_gets_the_messages_sent_during_an_outage() -> None:
    async with shell_meeting() as tea, tea.tail("--topic", "chat", "--as", "ada") as tail:
        await tea.send("--topic", "chat", "before")
        assert (await tail.event("message"))["text"] == "before"
        await tea.installation.gateway.kill()
        await tail.event("reconnecting")
        await tea.installation.gateway.start()
        await tea.installation.become_ready()
        await tea.send("--topic", "chat", "after")
        lines = [await tail.line() for _ in range(3)]
        assert [line["event"] for line in lines] == ["reconnected", "messages_resumed", "message"]
        assert lines[1]["recovered"]
        assert lines[2]["text"] == "after"


async def test_carillon_tail_fails_when_the_meeting_ends() -> None:
    async with shell_meeting() as tea, tea.tail("--topic", "chat") as tail:
        await tea.run("meeting", "delete", tea.meeting)
        assert (await tail.event("ended"))["session_status"] == 60
        assert await tail.end() == 1


async def test_a_failed_send_prints_the_reason() -> None:
    async with shell_meeting() as tea:
        too_long = await tea.send("--topic", "chat", "-", stdin=bytes(2049))
        assert (too_long.status, too_long.failure["error"]) == (1, "INVALID_ARGUMENT")
        no_meeting = "00000000-0000-4000-8000-000000000000"
        for words in (
            ["send", no_meeting, "hi", "--topic", "t"],
            ["tail", no_meeting, "--topic", "t"],
            ["meeting", "messages", no_meeting],
        ):
            answer = await tea.run(*words)
            assert (answer.status, answer.failure["error"]) == (1, "NOT_FOUND"), answer
        assert (await tea.send("--topic", "a b", "hi")).status == 64
        assert (await tea.send("--topic", "chat", "hi", "--to", "nobody")).status == 64
        await tea.installation.gateway.kill()
        assert (await tea.send("--topic", "chat", "hi")).status == 69


async def test_carillon_join_shows_messages_of_the_given_topics() -> None:
    async with shell_meeting() as tea:
        await tea.send("--topic", "chat", "kept", "--lifetime-ms", "60000", "--as", "ada")
        process = await asyncio.create_subprocess_exec(
            CARILLON,
            "join",
            tea.meeting,
            "--topic",
            "chat",
            "--output",
            "json",
            "--runtime-dir",
            tea.installation.run,
            stdin=DEVNULL,
            stdout=PIPE,
            env=ENVIRONMENT,
        )
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                event = json.loads(line)
                if event["event"] == "message":
                    break
            assert (event["text"], event["sender_external_user_id"]) == ("kept", "ada")
        finally:
            process.terminate()
            assert await process.wait() == 0

"""`python -m carillon` and the examples, run as processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from carillon.v1 import common_pb2 as common, presence_pb2
from scripted_gateway import (
    ADA,
    GRACE,
    MEETING,
    TOKEN,
    ScriptedGateway,
    data_message,
    entry,
    joined,
    left,
    mute,
)
from test_control import ATTENDEE_JSON, ControlPlane, plane
from transcribed import ORIGIN, partial, result, said, show, snapshot, status, tell

__all__ = ["plane"]

EXAMPLES = Path(__file__).parents[2] / "Clients/Python/examples"
README = EXAMPLES.parent / "README.md"


@asynccontextmanager
async def program(
    *arguments: str, stdin: int = PIPE, stderr: int | None = None
) -> AsyncIterator[Process]:
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=stdin, stdout=PIPE, stderr=stderr, env=environment
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def watch(gateway: ScriptedGateway, directory: Path, *more: str) -> list[str]:
    return command("watch", gateway, directory, *more)


def command(name: str, gateway: ScriptedGateway, directory: Path, *more: str) -> list[str]:
    token = directory / "token"
    token.write_text(TOKEN + "\n")
    return [
        "-m",
        "carillon",
        name,
        "--gateway",
        gateway.endpoint,
        "--meeting",
        MEETING,
        "--attendee",
        ADA,
        "--token-file",
        str(token),
        *more,
    ]


async def line(process: Process) -> dict[str, Any]:
    return await line_of(process.stdout)


async def line_of(stream: asyncio.StreamReader | None) -> dict[str, Any]:
    assert stream is not None
    value = json.loads(await stream.readline())
    assert isinstance(value, dict)
    return value


async def test_carillon_watch_prints_events_and_obeys_commands(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with gateway, program(*watch(gateway, socket_directory, "--mute")) as process:
        assert process.stdin is not None
        request = await gateway.admit(entry(GRACE))
        assert request.is_muted and request.join_token == TOKEN
        started = await line(process)
        assert started["event"] == "started" and started["meeting_id"] == MEETING
        assert [each["attendee_id"] for each in started["roster"]] == [ADA, GRACE]
        first, second = await line(process), await line(process)
        assert (first["event"], second["event"]) == ("joined", "joined")
        assert second["external_user_id"] == "grace" and second["signal"] is None

        process.stdin.write(b"unmute\n")
        call = await gateway.next("SetMuted")
        await gateway.events(mute(GRACE), left(GRACE))
        await call.fail(
            common.STATUS_CODE_FAILED_PRECONDITION, reason=common.STATUS_REASON_MUTED_BY_OPERATOR
        )
        events = [await line(process) for _ in range(4)]
        assert [each["event"] for each in events] == ["muted", "volume_changed", "left", "failed"]
        assert events[1]["volume"] == "MUTED"
        assert events[3]["command"] == "unmute" and events[3]["reason"] == "MUTED_BY_OPERATOR"

        process.stdin.write(b"mute\nroster\nsing\n")
        await (await gateway.next("SetMuted")).reply(presence_pb2.SetMutedReply(is_muted=True))
        roster = await line(process)
        assert roster["event"] == "roster"
        assert [each["attendee_id"] for each in roster["attendees"]] == [ADA]
        assert await line(process) == {"event": "unknown_command", "command": "sing"}

        process.stdin.write(b"leave\n")
        await gateway.next("Stop")
        ended = await line(process)
        assert ended["event"] == "ended" and ended["code"] == "OK"
        assert await process.wait() == 0


async def test_carillon_watch_fails_when_the_meeting_ends(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with gateway, program(*watch(gateway, socket_directory), stdin=DEVNULL) as process:
        await gateway.admit()
        assert [(await line(process))["event"] for _ in range(2)] == ["started", "joined"]
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
            reason=common.STATUS_REASON_MEETING_DELETED,
        )
        ended = await line(process)
        assert ended["session_status"] == 60 and ended["reason"] == "MEETING_DELETED"
        assert await process.wait() == 1


async def test_carillon_watch_prints_why_the_attendee_may_not_join(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with gateway, program(*watch(gateway, socket_directory)) as process:
        await gateway.expect_start()
        await gateway.end(
            common.STATUS_CODE_UNAUTHENTICATED,
            session_status=common.SESSION_STATUS_CODE_AUDIO_AUTHENTICATION_REJECTED,
        )
        failed = await line(process)
        assert failed["event"] == "failed" and failed["session_status"] == 63
        assert await process.wait() == 1


async def test_carillon_watch_leaves_the_meeting_after_a_signal_or_its_time_limit(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with gateway:
        async with program(*watch(gateway, socket_directory)) as process:
            await gateway.admit()
            assert [(await line(process))["event"] for _ in range(2)] == ["started", "joined"]
            process.terminate()
            await gateway.next("Stop")
            assert (await line(process))["event"] == "ended"
            assert await process.wait() == 0
        async with program(*watch(gateway, socket_directory, "--seconds", "0")) as process:
            await gateway.admit()
            await gateway.next("Stop")
            assert await process.wait() == 0


async def test_the_example_prints_who_joins_and_who_leaves(
    gateway: ScriptedGateway, plane: ControlPlane
) -> None:
    placement = {"GatewayUrl": gateway.endpoint}
    plane.answer({"Meeting": {"MeetingId": MEETING, "MediaPlacement": placement}})
    plane.answer({"Attendee": ATTENDEE_JSON})
    async with gateway, program(str(EXAMPLES / "roster_bot.py"), plane.url, MEETING) as process:
        assert process.stdout is not None
        await gateway.admit()
        assert await process.stdout.readline() == b"ada is here\n"
        await gateway.events(joined(GRACE), left(GRACE))
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        )
        output = (await process.stdout.read()).decode().splitlines()
        assert output == [
            "grace is here",
            "grace left",
            "The meeting is over: AUDIO_SERVER_HUNGUP",
        ]
        assert await process.wait() == 0


async def test_the_answering_example_answers(gateway: ScriptedGateway, plane: ControlPlane) -> None:
    placement = {"GatewayUrl": gateway.endpoint}
    plane.answer({"Meeting": {"MeetingId": MEETING, "MediaPlacement": placement}})
    plane.answer({"Attendee": ATTENDEE_JSON})
    async with gateway, program(str(EXAMPLES / "answer_bot.py"), plane.url, MEETING) as process:
        assert (await gateway.admit(entry(GRACE))).is_muted
        await gateway.messages(
            data_message(1, "!who"), data_message(2, "never mind"), data_message(3, b"\xff")
        )
        call = await gateway.next("SendDataMessage")
        assert call.message.topic == "chat" and call.message.data == b"Here are ada, grace"
        await call.accept(4)
        await gateway.messages(data_message(5, "!hello"))
        call = await gateway.next("SendDataMessage")
        assert call.message.data == b"Hello, grace!"
        await call.throttle(10)
        await gateway.messages(data_message(6, "!hello"))
        await (await gateway.next("SendDataMessage")).accept(7)
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        )
        assert await process.wait() == 0


async def test_the_captioning_example_writes_captions(
    gateway: ScriptedGateway, plane: ControlPlane, tmp_path: Path
) -> None:
    placement = {"GatewayUrl": gateway.endpoint}
    plane.answer({"Meeting": {"MeetingId": MEETING, "MediaPlacement": placement}})
    plane.answer({"Attendee": ATTENDEE_JSON})
    plane.answer()
    file = tmp_path / "meeting.vtt"
    arguments = [str(EXAMPLES / "caption_bot.py"), plane.url, MEETING, str(file)]
    async with gateway, program(*arguments) as process:
        assert (await gateway.admit(entry(GRACE))).is_muted
        await tell(gateway, 1, status(), said(partial("a", "he")))
        await tell(gateway, 2, said(result("a", "hello there", 2)))
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        )
        assert await process.wait() == 0
    cue = "00:00:00.000 --> 00:00:01.000\n<v grace>hello there\n\n"
    assert file.read_text() == "WEBVTT\n\n" + cue
    settings = {"EngineTranscribeSettings": {"LanguageCode": "en-US"}}
    path = f"/meetings/{MEETING}/transcription?operation=start"
    assert plane.requests[-1] == ("POST", path, {"TranscriptionConfiguration": settings})


@pytest.mark.parametrize("name", ["roster_bot.py", "answer_bot.py", "caption_bot.py"])
def test_the_readme_shows_the_examples_in_fewer_than_thirty_lines(name: str) -> None:
    example = (EXAMPLES / name).read_text()
    assert len(example.splitlines()) < 30
    assert f"```python\n{example}```" in README.read_text()


# tail and send


async def test_carillon_tail_prints_messages_and_the_state_of_the_connection(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("tail", gateway, socket_directory, "--topic", "chat", "--topic", "polls")
    async with gateway, program(*arguments) as process:
        assert (await gateway.admit()).is_muted
        await gateway.messages(
            data_message(1, "h\u00fc\x00", lifetime_ms=60_000, recipients=[ADA]),
            data_message(2, "not asked for", topic="other"),
        )
        assert (await line(process))["event"] == "started"
        assert await line(process) == {
            "event": "message",
            "topic": "chat",
            "text": "h\u00fc\x00",
            "base64": "aMO8AA==",
            "sender_attendee_id": GRACE,
            "sender_external_user_id": "grace",
            "sender_display_name": "",
            "sequence": 1,
            "message_id": "m-1",
            "timestamp_ms": 1_001,
            "lifetime_ms": 60_000,
            "recipients": [ADA],
        }
        await gateway.messages(data_message(3, b"\xff", topic="polls"))
        binary = await line(process)
        assert (binary["topic"], binary["text"], binary["base64"]) == ("polls", None, "/w==")
        gateway.vanish()
        assert (await line(process))["event"] == "reconnecting"
        gateway.listen()
        await gateway.admit(is_resumed=True, incomplete_streams=["messages"])
        reconnected = await line(process)
        assert reconnected["event"] == "reconnected" and not reconnected["has_all_messages"]
        await gateway.messages(data_message(3, "again", topic="polls"), data_message(4, "new"))
        assert (await line(process))["text"] == "new"
        process.terminate()
        await gateway.next("Stop")
        assert (await line(process))["event"] == "ended"
        assert await process.wait() == 0


async def test_carillon_tail_leaves_after_its_time_limit_and_fails_when_the_meeting_ends(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with gateway:
        timed = command("tail", gateway, socket_directory, "--seconds", "0")
        async with program(*timed) as process:
            await gateway.admit()
            await gateway.next("Stop")
            assert await process.wait() == 0
        async with program(*command("tail", gateway, socket_directory)) as process:
            await gateway.admit()
            await gateway.messages(data_message(1, "any topic", topic="polls"))
            assert [(await line(process))["event"] for _ in range(2)] == ["started", "message"]
            await gateway.end(
                common.STATUS_CODE_NOT_FOUND,
                session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
            )
            assert (await line(process))["session_status"] == 60
            assert await process.wait() == 1


async def test_carillon_send_sends_a_text_and_prints_its_position(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    more = ["--topic", "chat", "--lifetime-ms", "60000", "--to", GRACE, "h\u00fc"]
    async with gateway, program(*command("send", gateway, socket_directory, *more)) as process:
        assert (await gateway.admit()).is_muted
        call = await gateway.next("SendDataMessage")
        assert (call.message.topic, call.message.data) == ("chat", "h\u00fc".encode())
        assert (call.message.lifetime_ms, list(call.message.recipients)) == (60_000, [GRACE])
        await call.accept(8)
        await gateway.next("Stop")
        assert await line(process) == {
            "event": "accepted",
            "sequence": 8,
            "message_id": "m-8",
            "timestamp_ms": 1_008,
            "epoch": 5,
            "is_repeat": False,
        }
        assert await process.wait() == 0


async def test_carillon_send_sends_lines_and_fails_when_one_line_is_rejected(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("send", gateway, socket_directory, "--topic", "chat", "--base64")
    async with gateway, program(*arguments) as process:
        assert process.stdin is not None
        process.stdin.write(b"/wA=\n\nno base64\nAQ==")
        process.stdin.close()
        await gateway.admit()
        first = await gateway.next("SendDataMessage")
        assert first.message.data == b"\xff\x00"
        await first.accept(1)
        empty = await gateway.next("SendDataMessage")
        assert empty.message.data == b""
        await empty.throttle(70)
        last = await gateway.next("SendDataMessage")
        assert last.message.data == b"\x01"
        await last.accept(2)
        lines = [await line(process) for _ in range(4)]
        events = [each["event"] for each in lines]
        assert events == ["accepted", "throttled", "refused", "accepted"]
        assert lines[1]["retry_after_ms"] == 70 and "base64" in lines[2]["message"]
        await gateway.next("Stop")
        assert await process.wait() == 1


async def test_carillon_send_prints_the_fault_of_a_message(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("send", gateway, socket_directory, "--topic", "a b", "x")
    async with gateway, program(*arguments) as process:
        await gateway.admit()
        refused = await line(process)
        assert refused["event"] == "refused" and refused["code"] == "INVALID_ARGUMENT"
        await gateway.next("Stop")
        assert await process.wait() == 1


async def test_carillon_send_leaves_the_meeting_after_sigterm(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("send", gateway, socket_directory, "--topic", "chat", "x")
    async with gateway, program(*arguments) as process:
        await gateway.admit()
        await gateway.next("SendDataMessage")
        process.terminate()
        await gateway.next("Stop")
        assert await process.wait() == 130


# transcripts


async def test_carillon_transcripts_prints_transcripts_and_the_state_of_the_connection(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    more = ["--language", "de-DE", "--partials"]
    arguments = command("transcripts", gateway, socket_directory, *more)
    async with gateway, program(*arguments) as process:
        request = await gateway.admit()
        assert request.is_muted and request.transcript_language == "de-DE"
        await show(gateway, snapshot(status(), partial("a", "he"), sequence=1))
        assert (await line(process))["event"] == "started"
        assert await line(process) == {
            "event": "transcription_status",
            "type": "STARTED",
            "event_time_ms": ORIGIN,
            "transcription_region": "",
            "transcription_configuration": "",
            "message": None,
        }
        open = await line(process)
        assert (open["event"], open["result_id"]) == ("transcript_result", "a")
        assert (open["text"], open["is_partial"], open["revision"]) == ("he", True, 1)
        gateway.vanish()
        assert (await line(process))["event"] == "reconnecting"
        gateway.listen()
        await gateway.admit(is_resumed=True, incomplete_streams=["transcripts"])
        reconnected = await line(process)
        assert reconnected["has_all_messages"] and not reconnected["has_all_transcripts"]
        await tell(gateway, 1, said(partial("a", "he")))
        await tell(gateway, 2, said(result("a", "hello", 2)))
        final = await line(process)
        assert (final["text"], final["is_partial"]) == ("hello", False)
        process.terminate()
        await gateway.next("Stop")
        assert (await line(process))["event"] == "ended"
        assert await process.wait() == 0


async def test_carillon_transcripts_omits_partial_results_and_fails_when_the_meeting_ends(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with gateway, program(*command("transcripts", gateway, socket_directory)) as process:
        await gateway.admit()
        await tell(gateway, 1, said(partial("a", "he"), result("b", "you")))
        assert (await line(process))["event"] == "started"
        assert (await line(process))["text"] == "you"
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        )
        assert (await line(process))["session_status"] == 60
        assert await process.wait() == 1


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("text", "[00:00:00] grace: hello\n"),
        ("vtt", "WEBVTT\n\n00:00:00.000 --> 00:00:00.500\n<v grace>hello\n\n"),
        ("srt", "1\n00:00:00,000 --> 00:00:00,500\ngrace: hello\n\n"),
    ],
)
async def test_with_captions_standard_output_contains_only_captions(
    gateway: ScriptedGateway, socket_directory: Path, format: str, expected: str
) -> None:
    arguments = command("transcripts", gateway, socket_directory, "--format", format)
    async with gateway, program(*arguments, stderr=PIPE) as process:
        await gateway.admit()
        await tell(gateway, 1, status(), said(partial("a", "he")))
        await tell(gateway, 2, said(result("a", "hello", 2)))
        aside = [await line_of(process.stderr) for _ in range(2)]
        assert [each["event"] for each in aside] == ["started", "transcription_status"]
        assert process.stdout is not None
        output = await process.stdout.readexactly(len(expected))
        assert output.decode() == expected
        process.terminate()
        await gateway.next("Stop")
        assert (await line_of(process.stderr))["event"] == "ended"
        assert await process.wait() == 0
        assert await process.stdout.read() == b""


async def test_carillon_transcripts_prints_to_standard_error_why_the_attendee_may_not_join(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("transcripts", gateway, socket_directory, "--format", "vtt")
    async with gateway, program(*arguments, stderr=PIPE) as process:
        await gateway.expect_start()
        await gateway.end(common.STATUS_CODE_UNAUTHENTICATED)
        assert (await line_of(process.stderr))["event"] == "failed"
        assert await process.wait() == 1
        assert process.stdout is not None and await process.stdout.read() == b""


# Terminals of other locales, and readers that close the pipe


LATIN = os.environ | {"PYTHONIOENCODING": "latin-1", "PYTHONUNBUFFERED": "1"}
NAMES = ["Zoë", "Łukasz", "花子", "🎈"]


@asynccontextmanager
async def in_latin_1(*arguments: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=LATIN
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_json_output_is_valid_json_in_every_locale(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("tail", gateway, socket_directory, "--topic", "chat")
    async with gateway, in_latin_1(*arguments) as process:
        await gateway.admit()
        await gateway.messages(*(data_message(i, name) for i, name in enumerate(NAMES, 1)))
        await gateway.end(common.STATUS_CODE_NOT_FOUND)
        output, errors = await process.communicate()
        lines = [json.loads(each) for each in output.decode("latin-1").splitlines()]
        assert [each["text"] for each in lines if each["event"] == "message"] == NAMES
        assert errors == b""


@pytest.mark.parametrize("form", ["text", "vtt", "srt"])
async def test_captions_are_printed_in_every_locale(
    gateway: ScriptedGateway, socket_directory: Path, form: str
) -> None:
    arguments = command("transcripts", gateway, socket_directory, "--format", form)
    async with gateway, in_latin_1(*arguments) as process:
        await gateway.admit(entry(GRACE))
        await tell(gateway, 1, status(), said(result("a", "Zoë 花子", 1)))
        await gateway.end(common.STATUS_CODE_NOT_FOUND)
        output, errors = await process.communicate()
        shown = "Zoë 花子".encode() if form == "vtt" else b"Zo\xeb \\u82b1\\u5b50"
        assert shown in output
        assert b"Traceback" not in errors


async def test_help_is_printed_in_every_locale() -> None:
    for name in ["watch", "tail", "transcripts", "send", "play", "record", "camera", "view"]:
        async with in_latin_1("-m", "carillon", name, "--help") as process:
            output, errors = await process.communicate()
            assert (process.returncode, errors) == (0, b"") and output


async def test_the_roster_example_prints_every_name_in_every_locale(
    gateway: ScriptedGateway, plane: ControlPlane
) -> None:
    placement = {"GatewayUrl": gateway.endpoint}
    plane.answer({"Meeting": {"MeetingId": MEETING, "MediaPlacement": placement}})
    plane.answer({"Attendee": ATTENDEE_JSON})
    arguments = [str(EXAMPLES / "roster_bot.py"), plane.url, MEETING]
    async with gateway, in_latin_1(*arguments) as process:
        zoe = entry(GRACE)
        zoe.attendee.external_user_id = "Zoë 花子"
        await gateway.admit(zoe)
        await gateway.end(common.STATUS_CODE_NOT_FOUND)
        output, errors = await process.communicate()
        assert b"Zo\xeb \\u82b1\\u5b50 is here\n" in output
        assert (process.returncode, errors) == (0, b"")


@asynccontextmanager
async def read_by(reader: str, *arguments: str) -> AsyncIterator[Process]:
    """Runs a program whose output the shell command `reader` reads.

    The shell exits with the status of the program.
    """
    script = f'"$@" | {reader}; exit "${{PIPESTATUS[0]}}"'
    process = await asyncio.create_subprocess_exec(
        *("bash", "-c", script, "bash", sys.executable, *arguments),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


@pytest.mark.parametrize("name", ["tail", "watch", "transcripts"])
async def test_a_program_that_shows_a_meeting_leaves_the_meeting_when_its_output_is_closed(
    gateway: ScriptedGateway, socket_directory: Path, name: str
) -> None:
    arguments = command(name, gateway, socket_directory)
    async with gateway, read_by("head -n 1", *arguments) as process:
        await gateway.admit()
        await gateway.next("Stop")
        output, errors = await process.communicate()
        assert json.loads(output)["event"] == "started"
        assert (process.returncode, errors) == (0, b"")


async def test_a_program_that_sends_continues_when_its_output_is_closed(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("send", gateway, socket_directory, "--topic", "chat", "hello")
    async with gateway, read_by("true", *arguments) as process:
        await gateway.admit()
        await (await gateway.next("SendDataMessage")).accept(1)
        await gateway.next("Stop")
        output, errors = await process.communicate()
        assert (process.returncode, output, errors) == (0, b"", b"")

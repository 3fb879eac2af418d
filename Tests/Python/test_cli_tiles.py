"""`carillon tiles` against real processes."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import pty
import signal
import struct
import termios
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

import carillon
from carillon import Session, VideoLayer
from test_cli_messages import CARILLON, ENVIRONMENT, ShellMeeting, shell_meeting

pytestmark = pytest.mark.skipif(not CARILLON.exists(), reason=f"{CARILLON} is not built")

LAYERS = [VideoLayer(320, 180, 15, 200_000), VideoLayer(1_280, 720, 30, 1_200_000)]
Line = dict[str, Any]


@asynccontextmanager
async def still_meeting() -> AsyncIterator[ShellMeeting]:
    """Runs a meeting without media, because media would report that these cameras send no
    pictures."""
    async with shell_meeting() as tea:
        await tea.installation.media.kill()
        yield tea


@asynccontextmanager
async def joined(tea: ShellMeeting, name: str) -> AsyncIterator[Session]:
    meeting = await tea.installation.control.get_meeting(tea.meeting)
    attendee = await tea.installation.control.create_attendee(meeting, name)
    async with carillon.join(meeting, attendee) as session:
        yield session


class Tiles:
    """A running `carillon tiles`, with the last line about each pair of source and receiver."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.rows: dict[tuple[str, str | None], Line] = {}
        self.lines: list[Line] = []

    async def until(self, condition: Callable[[], bool]) -> None:
        assert self.process.stdout is not None
        while not condition():
            line = read_line(await self.process.stdout.readline())
            self.lines.append(line)
            self.rows[line["external_user_id"], line["receiver_external_user_id"]] = line

    def reason(self, source: str, receiver: str) -> str | None:
        line = self.rows.get((source, receiver))
        return None if line is None or line["is_removed"] else str(line["reason"])

    async def says(self, source: str, receiver: str, reason: str | None) -> None:
        await self.until(lambda: self.reason(source, receiver) == reason)


def read_line(text: bytes) -> Line:
    line = json.loads(text)
    assert isinstance(line, dict)
    return line


@asynccontextmanager
async def tiles(tea: ShellMeeting) -> AsyncIterator[Tiles]:
    process = await asyncio.create_subprocess_exec(
        *(str(CARILLON), "tiles", tea.meeting, "--output", "json"),
        *("--runtime-dir", str(tea.installation.run)),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=DEVNULL,
        env=ENVIRONMENT,
    )
    try:
        yield Tiles(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_the_flag_once_prints_each_receivers_tiles_with_the_reasons() -> None:
    async with still_meeting() as tea, joined(tea, "ada") as ada, joined(tea, "grace") as grace:
        empty = await tea.run("tiles", tea.meeting, "--once")
        assert (empty.status, empty.output) == (0, "")
        published = await ada.video.publish(LAYERS)
        off = (await tea.run("tiles", tea.meeting, "--once")).record
        assert (off["layer"], off["reason"]) == (0, "receiving_off")
        await grace.video.start_remote_video()
        row = (await tea.run("tiles", tea.meeting, "--once")).record
        assert row["tile_id"] == published.tile_id
        assert (row["external_user_id"], row["receiver_external_user_id"]) == ("ada", "grace")
        assert row["attendee_id"] == ada.attendee_id and row["receiver_id"] == grace.attendee_id
        assert [layer["width"] for layer in row["layers"]] == [320, 1_280]
        assert (row["layer"], row["reason"], row["priority"]) == (2, "wanted", "high")
        assert row["bits_per_second"] == 1_200_000 and not row["is_removed"]
        text = (await tea.run("tiles", tea.meeting, "--once", form="text")).output
        header, line = text.splitlines()
        assert header.split() == [
            *("tile", "source", "layers", "receiver", "gets", "why", "priority", "kbit/s"),
            "downlink",
        ]
        assert "180p15/200k 720p30/1200k" in line and "2/2 1280x720" in line


async def test_the_live_output_has_each_change_and_survives_a_killed_video_tiles() -> None:
    async with still_meeting() as tea, joined(tea, "ada") as ada, joined(tea, "grace") as grace:
        await grace.video.start_remote_video()
        async with tiles(tea) as live:
            published = await ada.video.publish(LAYERS)
            await live.says("ada", "grace", "wanted")
            await grace.video.pause(published.tile_id)
            await live.says("ada", "grace", "paused_by_user")
            await tea.installation.video_tiles.kill()
            await tea.installation.video_tiles.start()
            await grace.video.resume(published.tile_id)
            await live.says("ada", "grace", "wanted")
            # If the restart did not change a state, the command does not report the state again.
            assert not any(line["is_removed"] for line in live.lines)
            async with joined(tea, "lin") as lin:
                await lin.video.start_remote_video()
                await live.says("ada", "lin", "wanted")
            await live.says("ada", "lin", None)
            await ada.video.unpublish()
            await live.says("ada", "grace", None)
            live.process.send_signal(signal.SIGINT)
            assert await live.process.wait() == 0


async def test_the_live_output_ends_when_the_meeting_ends_and_reports_an_unknown_meeting() -> None:
    async with still_meeting() as tea:
        async with joined(tea, "ada") as ada, tiles(tea) as live:
            await ada.video.publish(LAYERS)
            await live.until(lambda: ("ada", None) in live.rows)
            await tea.run("meeting", "delete", tea.meeting)
            assert await live.process.wait() == 0
        answer = await tea.run("tiles", tea.meeting, "--once")
        assert answer.status == 1 and answer.failure["error"] == "NOT_FOUND"
        answer = await tea.run("tiles", "no-meeting")
        assert answer.status == 1 and answer.failure["error"] == "INVALID_ARGUMENT"
        await tea.installation.gateway.terminate()
        assert (await tea.run("tiles", tea.meeting, "--once")).status == 69


async def test_replicas_show_the_tiles_of_their_primary() -> None:
    async with still_meeting() as tea, joined(tea, "ada") as ada:
        answer = await tea.run("meeting", "create", "--primary", tea.meeting)
        await ada.video.publish(LAYERS)
        row = (await tea.run("tiles", answer.record["meeting_id"], "--once")).record
        assert (row["external_user_id"], row["receiver_id"]) == ("ada", None)


async def test_on_a_terminal_the_table_is_live_and_the_key_q_ends_the_command() -> None:
    async with still_meeting() as tea, joined(tea, "ada") as ada, joined(tea, "grace") as grace:
        await grace.video.start_remote_video()
        near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 130, 0, 0))
        process = await asyncio.create_subprocess_exec(
            *(str(CARILLON), "tiles", tea.meeting, "--runtime-dir", str(tea.installation.run)),
            stdin=far,
            stdout=far,
            env=ENVIRONMENT | {"TERM": "xterm"},
        )
        os.close(far)
        shown = bytearray()
        news = asyncio.Event()

        def read() -> None:
            try:
                shown.extend(os.read(near, 65_536))
            except OSError:
                asyncio.get_running_loop().remove_reader(near)
            news.set()

        async def shows(text: str) -> None:
            while text.encode() not in shown:
                news.clear()
                await news.wait()

        asyncio.get_running_loop().add_reader(near, read)
        try:
            await shows("nobody publishes video")
            published = await ada.video.publish(LAYERS)
            await shows("2/2 1280x720")
            await grace.video.pause(published.tile_id)
            await shows("paused by user")
            os.write(near, b"q")
            assert await process.wait() == 0
            await shows("\x1b[?1049l")
        finally:
            asyncio.get_running_loop().remove_reader(near)
            if process.returncode is None:
                process.kill()
                await process.wait()
            os.close(near)

"""A program does not crash when the reader of its output ends, and the meeting continues."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ControlAPI.house import CARILLON, READY_SECONDS, ROOT
from ControlAPI.test_operating import (
    Up,
    ask,
    directory,
    environment,
    gateway_process,
    up,
    wait_until,
)

__all__ = ["directory"]

TOOL = [str(CARILLON)]
PYTHON = [sys.executable, "-m", "carillon"]
ENGINE = [str(CARILLON.with_name("carillon-pocketsphinx"))]
SERVICE = ["--runtime-dir", "{directory}/run", "--data-dir", "{directory}/data"]
GUEST = ["--gateway", "{gateway}", "--meeting", "{meeting}", "--attendee", "{attendee}"]
GUEST += ["--token-file", "{token}"]

# Commands that are useless without a reader of their output. They end when nobody reads the output.
END_WITHOUT_READER: dict[str, list[str]] = {
    "top": [*TOOL, "top", "--plain", "--interval-seconds", "1"],
    "events tail": [*TOOL, "events", "tail", "--data-dir", "{directory}/data"],
    "tail": [*TOOL, "tail", "{meeting}", "--topic", "chat"],
    "join": [*TOOL, "join", "{meeting}", "--plain"],
    "tiles": [*TOOL, "tiles", "{meeting}", "--plain"],
    "transcript follow": [*TOOL, "transcript", "follow", "{meeting}"],
    "load": [*TOOL, "load", "--attendees", "5", "--for", "3"],
    "python watch": [*PYTHON, "watch", *GUEST],
    "python tail": [*PYTHON, "tail", *GUEST],
    "python transcripts": [*PYTHON, "transcripts", *GUEST],
}
# Commands that continue without a reader until SIGTERM, each with its exit status.
CONTINUE_WITHOUT_READER: dict[str, tuple[list[str], int]] = {
    "metrics": ([*TOOL, "metrics", "--listen", "0"], 0),
    "demo": ([*TOOL, "demo"], 128 + signal.SIGTERM),
    "engine": ([*ENGINE, "--instance", "pocketsphinx-b", *SERVICE], 0),
    "python engine": (
        [*PYTHON[:2], "carillon.engine", "json:loads", "--name", "mine", *SERVICE[:2]],
        0,
    ),
}


@pytest.fixture
def house(directory: Path) -> Iterator[Up]:
    with up(directory) as running:
        yield running


def operate(house: Up, path: str) -> Any:
    """Returns the answer to a request of the operator's page."""
    key = urllib.parse.unquote(house.ready["operator_page"].partition("#key=")[2])
    status, text = ask(house.ready["rest"], "GET", f"/carillon/v1/{path}", key=key)
    assert status == 200, text
    return json.loads(text)


def present(house: Up, meeting: str) -> int:
    return len(operate(house, f"meetings/{meeting}/roster")["Attendees"])


def reasons(house: Up, meeting: str) -> set[str | None]:
    """Returns the reasons for which sessions ended; `None` for a session that has not ended."""
    sessions = operate(house, f"meetings/{meeting}/attendance")["Sessions"]
    return {each.get("Reason") for each in sessions}


def restarts(house: Up) -> list[str]:
    return [line for line in house.errors if "starting it again" in line]


@contextmanager
def without_reader(
    house: Up, directory: Path, words: list[str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a program in a running meeting and closes the reading ends of its output.

    After the block, asserts that no service restarted and that the program's attendee left the
    meeting.
    """
    guest = {"Meeting": "tea", "Name": "Ada", "Create": True}
    status, text = ask(house.ready["rest"], "POST", "/carillon/v1/web/join", guest)
    assert status == 200, text
    joined = json.loads(text)
    meeting = joined["Meeting"]["MeetingId"]
    token = directory / "token"
    token.write_text(joined["Attendee"]["JoinToken"])
    names = {"meeting": meeting, "attendee": joined["Attendee"]["AttendeeId"], "token": token}
    names |= {"gateway": house.ready["gateway"], "directory": directory}
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *(word.format(**names) for word in words)],
        env=environment(directory, PYTHONPATH=str(ROOT / "Clients/Python/src")),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stderr.close()
        yield process
    finally:
        process.kill()
        process.wait()
    assert house.process.poll() is None and restarts(house) == []
    wait_until(lambda: present(house, meeting) == 0)
    # Each session ended because its client left, and not because the gateway dropped it.
    wait_until(lambda: reasons(house, meeting) <= {"Client"})


@pytest.mark.parametrize("name", END_WITHOUT_READER)
def test_a_command_ends_if_its_output_is_closed(house: Up, directory: Path, name: str) -> None:
    with without_reader(house, directory, END_WITHOUT_READER[name]) as process:
        assert process.wait(READY_SECONDS) == 0


@pytest.mark.parametrize("name", CONTINUE_WITHOUT_READER)
def test_a_program_continues_if_its_output_is_closed(house: Up, directory: Path, name: str) -> None:
    words, status = CONTINUE_WITHOUT_READER[name]
    with without_reader(house, directory, words) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(5)
        process.terminate()
        assert process.wait(READY_SECONDS) == status


def test_a_bot_stays_in_its_meeting_when_nobody_reads_its_log(directory: Path) -> None:
    with up(directory, "--with-bot") as running:
        [meeting] = [each["MeetingId"] for each in operate(running, "meetings")["Meetings"]]
        wait_until(lambda: present(running, meeting) == 1)
        running.lose_readers()
        # The bot loses its connection and reconnects, and nobody reads its log.
        before = gateway_process(directory)
        assert before is not None
        os.kill(before, signal.SIGKILL)

        def is_back() -> bool:
            with suppress(OSError, http.client.HTTPException):
                return gateway_process(directory) != before and present(running, meeting) == 1
            return False

        wait_until(is_back)
        assert running.process.poll() is None
    assert running.process.returncode == 0

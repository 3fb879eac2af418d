"""The live view of `carillon join`, in a terminal of tmux."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from eventually import blocking_eventually

ROOT = Path(__file__).resolve().parents[2]
CARILLON = Path(os.environ.get("CARILLON_BINARIES", ROOT / ".build/debug")) / "carillon"
SECONDS = 30

pytestmark = [
    pytest.mark.skipif(not CARILLON.exists(), reason=f"{CARILLON} is not built"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("CARILLON_")
}


class Installation:
    """`carillon up` in its own directory."""

    def __init__(self, directory: Path) -> None:
        self.run_directory = directory / "run"
        self._log = (directory / "up.log").open("wb")
        self._process = subprocess.Popen(
            [
                CARILLON,
                "up",
                "--output",
                "json",
                "--rest-port",
                "0",
                "--runtime-dir",
                self.run_directory,
                "--data-dir",
                directory / "data",
            ],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=ENVIRONMENT,
        )
        assert self._process.stdout is not None
        ready = self._process.stdout.readline()
        assert json.loads(ready)["event"] == "ready"

    def command(self, *words: str) -> list[str]:
        return [str(CARILLON), *words, "--runtime-dir", str(self.run_directory)]

    def ask(self, *words: str) -> list[dict[str, Any]]:
        """Runs a command, and returns its lines of JSON."""
        output = subprocess.run(
            [*self.command(*words), "--output", "json"],
            check=True,
            capture_output=True,
            timeout=SECONDS,
            env=ENVIRONMENT,
        ).stdout
        return [json.loads(line) for line in output.splitlines()]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(SECONDS)
        self._log.close()


class Pane:
    """A terminal with a shell, which the test types into and reads."""

    def __init__(self, directory: Path, name: str) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(directory / f"{name}.tmux")]
        subprocess.run(
            [
                *self._tmux,
                "new-session",
                "-d",
                "-x",
                "90",
                "-y",
                "24",
                "env",
                "PS1=ready> ",
                "bash",
                "--norc",
                "--noprofile",
            ],
            check=True,
            env=ENVIRONMENT | {"LC_ALL": "C.UTF-8"},
        )
        self.until("ready>")
        self._directory = directory
        self._name = name
        self.before = self.settings("before")

    def settings(self, when: str) -> str:
        """Returns the terminal's settings from stty(1)."""
        path = self._directory / f"{self._name}.{when}"
        self.enter(["stty", "-g", ">", str(path)])
        blocking_eventually(
            "the terminal's settings", lambda: path.exists() and path.stat().st_size
        )
        return path.read_text()

    def _run(self, *words: str) -> str:
        return subprocess.run(
            [*self._tmux, *words], check=True, capture_output=True, text=True, timeout=SECONDS
        ).stdout

    def type(self, text: str) -> None:
        self._run("send-keys", "-l", text)

    def press(self, key: str) -> None:
        self._run("send-keys", key)

    def enter(self, words: list[str]) -> None:
        self.type(" ".join(words))
        self.press("Enter")

    def resize(self, columns: int, rows: int) -> None:
        self._run("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._run("capture-pane", "-p").splitlines()]

    def format(self, name: str) -> str:
        return self._run("display-message", "-p", f"#{{{name}}}").strip()

    def until(self, *texts: str, without: str = "\0") -> list[str]:
        """Waits until the screen shows each text and not `without`, and returns the screen's
        lines."""

        def look() -> list[str] | None:
            lines = self.lines
            screen = "\n".join(lines)
            return (
                lines if all(text in screen for text in texts) and without not in screen else None
            )

        try:
            return blocking_eventually(f"{texts}", look)
        except AssertionError as error:
            raise AssertionError(f"{error}; the screen is\n" + "\n".join(self.lines)) from None

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)


OpenPane = Callable[[str], Pane]


@pytest.fixture(scope="module")
def directory() -> Iterator[Path]:
    """A directory with a short path, because Unix socket paths have at most 107 bytes."""
    directory = Path(tempfile.mkdtemp(prefix="carillon-"))
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="module")
def installation(directory: Path) -> Iterator[Installation]:
    installation = Installation(directory)
    yield installation
    installation.stop()


@pytest.fixture
def meeting(installation: Installation) -> Iterator[str]:
    meeting = installation.ask("meeting", "create")[0]["meeting_id"]
    yield meeting
    subprocess.run(
        installation.command("meeting", "delete", meeting),
        check=False,
        capture_output=True,
        env=ENVIRONMENT,
    )


@pytest.fixture
def panes(directory: Path) -> Iterator[OpenPane]:
    opened: list[Pane] = []

    def open_pane(name: str) -> Pane:
        opened.append(Pane(directory, name))
        return opened[-1]

    yield open_pane
    for pane in opened:
        pane.close()


def row(lines: list[str], name: str) -> str:
    """Returns the line of an attendee in the roster."""
    return next(line for line in lines if line.startswith(f"  {name}"))


def assert_given_back(pane: Pane) -> None:
    """Checks that the terminal has the shell's screen, cursor and settings again."""
    pane.until("ready>", without="l leave")
    assert pane.format("alternate_on") == "0"
    assert pane.format("cursor_flag") == "1"
    assert pane.settings("after") == pane.before


def test_two_people_see_each_other_join_and_mute_and_leave(
    installation: Installation, meeting: str, panes: OpenPane
) -> None:
    ada, ben = panes("ada"), panes("ben")
    ada.enter(installation.command("join", meeting, "--user", "ada"))
    ada.until(f"Meeting {meeting}  connected, 1 attendee", "ada (you) joined", "m mute   l leave")
    ben.enter(installation.command("join", meeting, "--user", "ben", "--mute"))
    ben.until("ben (you)", "  ada", "m unmute")
    assert "muted" in row(ada.until("2 attendees", "ben muted"), "ben")

    ada.press("m")
    assert "muted" in row(ada.until("ada (you) muted", "m unmute"), "ada (you)")
    ben.until("ada muted")
    ada.press("m")
    ben.until("ada unmuted")
    ada.until("m mute ")

    ben.press("q")
    assert_given_back(ben)
    ada.until("1 attendee", "ben left")
    ada.press("l")
    assert_given_back(ada)


def test_an_attendee_cannot_end_an_operators_mute_and_a_deleted_meeting_ends(
    installation: Installation, meeting: str, panes: OpenPane
) -> None:
    ada = panes("ada-muted")
    ada.enter([*installation.command("join", meeting, "--user", "ada"), ";", "echo", "status=$?"])
    ada.until("ada (you) joined")
    attendee = installation.ask("attendee", "list", meeting)[0]["attendee_id"]
    installation.ask("attendee", "mute", meeting, attendee)
    ada.until("ada (you) muted", "m unmute")
    ada.press("m")
    ada.until("an operator has muted you", "m unmute")
    installation.ask("meeting", "delete", meeting)
    ada.until("The session ended with status 60", "status=1")
    assert_given_back(ada)


def test_the_view_fills_a_screen_of_any_size(
    installation: Installation, meeting: str, panes: OpenPane
) -> None:
    ada = panes("ada-resized")
    ada.enter(installation.command("join", meeting, "--user", "ada"))
    ada.until("ada (you) joined")
    for columns, rows in [(50, 10), (120, 30), (30, 4), (90, 24)]:
        ada.resize(columns, rows)

        def is_filled(rows: int = rows) -> bool:
            lines = ada.lines
            return (
                len(lines) == rows
                and lines[0].startswith("Meeting")
                and lines[-1].startswith("m mute   l leave")
            )

        blocking_eventually(f"a screen of {columns} by {rows}", is_filled)
    ada.press("l")
    assert_given_back(ada)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_session_and_restores_the_terminal(
    installation: Installation, meeting: str, panes: OpenPane, number: signal.Signals
) -> None:
    ada = panes(f"ada-{number}")
    ada.enter(installation.command("join", meeting, "--user", "ada"))
    ada.until("ada (you) joined")
    if number == signal.SIGINT:
        ada.press("C-c")
    else:
        shell = ada.format("pane_pid")
        [child] = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", shell], check=True, capture_output=True, text=True
        ).stdout.split()
        os.kill(int(child), number)
    assert_given_back(ada)
    blocking_eventually("the leave", lambda: not installation.ask("roster", meeting))


def test_carillon_join_with_the_flag_plain_prints_lines(
    installation: Installation, meeting: str, panes: OpenPane
) -> None:
    ada = panes("ada-plain")
    ada.enter(installation.command("join", meeting, "--user", "ada", "--plain"))
    ada.until("  started", "  joined  ")
    assert ada.format("alternate_on") == "0"
    ada.press("C-c")
    ada.until("  ended  0")


def test_an_attendee_who_joins_gets_no_former_events(
    installation: Installation, meeting: str
) -> None:
    def visit(user: str, then: Callable[[], None] = lambda: None) -> list[str]:
        """Joins as a user, leaves when the join is printed, and returns all printed lines."""
        words = installation.command("join", meeting, "--user", user, "--plain")
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=ENVIRONMENT
        )
        lines: list[str] = []
        try:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                if "joined" in line and user in line:
                    then()
                    process.send_signal(signal.SIGINT)
                    break
            rest, _ = process.communicate(timeout=SECONDS)
            return lines + rest.splitlines()
        finally:
            process.kill()
            process.wait()

    lines: list[str] = []

    def others() -> None:
        visit("guest1")
        visit("guest2")
        lines.extend(visit("late"))

    visit("host", others)
    heard = [line for line in lines if "joined" in line or "left" in line]
    assert not [line for line in heard if "guest" in line], lines
    assert [line for line in heard if "late" in line], lines

"""Runs one command until it ends or reaches its time limit."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.results import TIMED_OUT

ROOT = Path(__file__).parents[2]
_GRACE_SECONDS = 20.0
"""The time between SIGTERM and SIGKILL, enough for a test runner to write its results."""


class Execution:
    """A finished command.

    - Parameters:
      - log: The file for the command's output.
      - limit: The time limit in seconds. After this time, the run kills the command's process
        group.
      - root: The command's working directory.
      - is_spare: Whether the command runs at low priority.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        *,
        environment: Mapping[str, str],
        limit: float,
        root: Path = ROOT,
        is_spare: bool = False,
    ) -> None:
        began = time.monotonic()
        # When this process ends, the kernel kills the command.
        words = ["setpriv", "--pdeathsig", "KILL", *(["nice", "-n", "19"] if is_spare else [])]
        # A run inside a pytest test must not act as one of pytest's workers.
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        with log.open("wb") as file:
            process = subprocess.Popen(
                [*words, *command],
                cwd=root,
                env={**inherited, **environment},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            is_over = threading.Event()
            watch = threading.Thread(target=_end, args=(process.pid, limit, is_over))
            watch.start()
            # wait4(2) also includes the time of all children for which the process has waited.
            _, status, usage = os.wait4(process.pid, 0)
            is_late = time.monotonic() - began >= limit
            is_over.set()
            watch.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        self.status = TIMED_OUT if is_late else process.returncode
        self.seconds = time.monotonic() - began
        self.cpu_seconds = usage.ru_utime + usage.ru_stime


def _end(group: int, limit: float, is_over: threading.Event) -> None:
    if is_over.wait(limit):
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(group, number)
        except ProcessLookupError:
            return
        if is_over.wait(_GRACE_SECONDS):
            return


def tail(log: Path, lines: int = 25) -> str:
    """Returns the last lines of a log, each cut at 400 characters."""
    with log.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - 64 * 1024))
        text = file.read().decode(errors="replace")
    return "\n".join(line[:400] for line in text.splitlines()[-lines:])

"""Commands that inspect services of another container, where process ids differ.

The services run as usual. The command runs in its own PID namespace, as in another container with
the same runtime directory.
"""

from __future__ import annotations

import asyncio
import json
import signal

import pytest

from eventually import eventually
from installation import BINARIES, Installation

pytestmark = pytest.mark.skipif(
    not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
)

NAMESPACE = ("unshare", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child")


async def contained(installation: Installation, *arguments: str) -> tuple[int, str]:
    """Runs a command in its own PID namespace, and returns its exit code and standard output."""
    process = await asyncio.create_subprocess_exec(
        *(*NAMESPACE, str(BINARIES / "carillon"), *arguments),
        *("--runtime-dir", str(installation.run)),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


@pytest.mark.seconds(90)
async def test_the_report_of_carillon_load_measures_processes_of_other_containers() -> None:
    async with Installation() as installation:
        status, output = await contained(
            installation, *("load", "--attendees", "4", "--for", "3s", "--output", "json")
        )
    assert status == 0
    services = {each["instance"]: each["cpu_percent"] for each in json.loads(output)["services"]}
    assert set(services) == {process.name for process in installation.processes}
    assert all(isinstance(percent, int) for percent in services.values())
    # The gateway uses the processor, because it passes on every message. Transcription is idle.
    assert services["gateway-a"] > services["transcription-a"]


@pytest.mark.seconds(90)
async def test_carillon_doctor_suggests_no_kill_for_a_process_of_another_container() -> None:
    async with Installation() as installation:
        await installation.control.create_meeting("doctor")
        messaging = installation.messaging
        messaging.send(signal.SIGSTOP)

        async def silence() -> dict[str, str] | None:
            _, output = await contained(installation, "doctor", "--output", "json")
            findings = [json.loads(line) for line in output.splitlines()]
            return next(
                (
                    each
                    for each in findings
                    if (each["check"], each.get("subject")) == ("service", messaging.name)
                    and not each["ok"]
                ),
                None,
            )

        try:
            finding = await eventually("messaging to be missed", silence, 30)
        finally:
            messaging.send(signal.SIGCONT)
    assert finding["message"].startswith("a process of another container has sent no heartbeat")
    assert "kill" not in finding["remedy"]

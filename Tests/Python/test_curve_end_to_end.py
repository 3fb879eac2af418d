"""Clients over encrypted TCP, with real processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import carillon
from carillon import SessionOptions
from carillon.control import Meeting
from eventually import eventually
from installation import BINARIES, Installation, free_port

pytestmark = pytest.mark.skipif(
    not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
)


@asynccontextmanager
async def encrypted() -> AsyncIterator[Installation]:
    """Runs an installation whose gateway and media accept clients over encrypted TCP."""
    gateway, media = (["--listen-tcp", f"127.0.0.1:{free_port()}", "--curve"] for _ in range(2))
    async with Installation(gateway=gateway, media=media) as installation:
        yield installation


async def test_a_meeting_contains_the_gateways_key_and_clients_use_this_key() -> None:
    async with encrypted() as installation:
        meeting = await installation.control.create_meeting("tea")
        assert meeting.gateway_url.startswith("tcp://127.0.0.1:")
        assert "?curve=" in meeting.gateway_url
        ada, ben = [await installation.control.create_attendee(meeting, n) for n in ("ada", "ben")]
        async with carillon.join(meeting, ada) as one, carillon.join(meeting, ben) as other:
            heard = other.messages("chat")
            async with asyncio.timeout(60):
                await one.send("chat", b"x" * 2_048)
                assert (await anext(heard)).data == b"x" * 2_048
                # Media has its own key. The gateway sends this key to the client with the ticket.
                connection = await one.media.open()
                assert connection.is_bound


async def test_a_restarted_gateway_has_the_same_key() -> None:
    async with encrypted() as installation:
        before = await installation.control.create_meeting("tea")
        ada = await installation.control.create_attendee(before, "ada")
        async with carillon.join(before, ada) as session:
            heard = session.messages("chat")
            await installation.gateway.kill()
            await installation.gateway.start()
            await installation.become_ready()
            again = await installation.control.create_meeting("coffee")
            assert again.gateway_url == before.gateway_url
            async with asyncio.timeout(60):
                ben = await installation.control.create_attendee(before, "ben")
                async with carillon.join(before, ben) as other:
                    await other.send("chat", b"back", lifetime_ms=60_000)
                    assert (await anext(heard)).data == b"back"


def wrong(meeting: Meeting, kind: str) -> str:
    """Returns the meeting's endpoint without the key, or with another key."""
    address = meeting.gateway_url.partition("?")[0]
    return address if kind == "none" else f"{address}?curve={'a' * 40}"


@pytest.mark.parametrize("kind", ["none", "another"])
async def test_a_client_without_the_right_key_is_refused_in_time_and_counted(kind: str) -> None:
    async with encrypted() as installation:
        meeting = await installation.control.create_meeting("tea")
        ada = await installation.control.create_attendee(meeting, "ada")
        options = SessionOptions(gateway_url=wrong(meeting, kind))
        with pytest.raises(carillon.CarillonError):
            async with asyncio.timeout(60), carillon.join(meeting, ada, options):
                pass
        metrics = await installation.metrics(installation.gateway)
        counted = metrics.by("event", "carillon_gateway_client_connections_total")
        assert counted["accepted"] >= 1
        assert counted["handshake_failed"] + counted["ended"] >= 1


async def keys(directory: Path, *words: str) -> dict[str, str]:
    """Runs `carillon keys` for a directory and returns its output. Fails if the command fails."""
    command = [str(BINARIES / "carillon"), "keys", *words, "--output", "json"]
    process = await asyncio.create_subprocess_exec(
        *(*command, "--key-dir", str(directory)), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    answer: dict[str, str] = json.loads(output)
    return answer


async def test_with_a_list_of_client_keys_a_client_is_admitted_until_its_key_is_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kiosk = (await keys(tmp_path / "kiosk", "init"))["key"]
    (tmp_path / "gateway").mkdir(mode=0o700)
    await keys(tmp_path / "gateway", "allow", "client", kiosk, "kiosk")
    gateway = ["--listen-tcp", f"127.0.0.1:{free_port()}", "--curve"]
    gateway += ["--key-dir", str(tmp_path / "gateway")]
    async with Installation(gateway=gateway) as installation, asyncio.timeout(120):
        meeting = await installation.control.create_meeting("tea")
        ada = await installation.control.create_attendee(meeting, "ada")
        with pytest.raises(carillon.CarillonError):
            async with carillon.join(meeting, ada, SessionOptions(start_seconds=3)):
                pass
        metrics = await installation.metrics(installation.gateway)
        counted = metrics.by("cause", "carillon_gateway_refused_peers_total")
        assert counted["unknown_key"] >= 1
        # A client on the same host needs no key.
        options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
        async with carillon.join(meeting, ada, options) as session:
            await session.send("chat", b"from here")
        monkeypatch.setenv("CARILLON_KEY_DIR", str(tmp_path / "kiosk"))
        async with carillon.join(meeting, ada) as session:
            await session.send("chat", b"from afar")
            await keys(tmp_path / "gateway", "revoke", "kiosk")
            name = "carillon_gateway_client_connections_total"

            async def revoked() -> float:
                return (await installation.metrics(installation.gateway)).by("event", name)[
                    "revoked"
                ]

            await eventually("the connection whose key was revoked to be ended", revoked)
        with pytest.raises(carillon.CarillonError):
            async with carillon.join(meeting, ada, SessionOptions(start_seconds=3)):
                pass


async def test_a_directory_without_a_key_causes_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARILLON_KEY_DIR", str(tmp_path))
    async with encrypted() as installation:
        meeting = await installation.control.create_meeting("tea")
        ada = await installation.control.create_attendee(meeting, "ada")
        with pytest.raises(carillon.CarillonError, match="carillon keys init"):
            async with asyncio.timeout(60), carillon.join(meeting, ada):
                pass

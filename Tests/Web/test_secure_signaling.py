"""Signaling over TLS: the same behavior, with the same limits for clients that do not read."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from carillon.signaling import signaling_pb2 as wire
from eventually import due
from installation import BINARIES, Installation
from Web.raw_socket import RawSocket
from Web.signaling_client import SignalingClient, encoded, face_of

pytestmark = pytest.mark.seconds(240)

PATIENCE_SECONDS = 120.0


def certify(directory: Path) -> tuple[list[str], ssl.SSLContext]:
    """Returns the flags of a gateway with a certificate, and a client context that trusts it."""
    certificate, key = directory / "certificate.pem", directory / "private.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += ["-nodes", "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*made, "-out", certificate, "-keyout", key], check=True, capture_output=True)
    key.chmod(0o600)
    flags = ["--tls-certificate-file", str(certificate), "--tls-key-file", str(key)]
    return flags, ssl.create_default_context(cafile=str(certificate))


async def made(installation: Installation, *words: str) -> Any:
    """Runs an operator command and returns its JSON output."""
    command = [str(BINARIES / "carillon"), *words, "--output", "json"]
    process = await asyncio.create_subprocess_exec(
        *command, "--runtime-dir", str(installation.run), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    return json.loads(output)


def has_more(client: SignalingClient, heard: int) -> bool:
    return len(client.messages) > heard


async def test_over_tls_a_client_that_reads_nothing_is_disconnected_and_others_are_unaffected(
    tmp_path: Path,
) -> None:
    flags, tls = certify(tmp_path)
    async with Installation(gateway=[*flags, "--client-budget-kib", "64"]) as installation:
        meeting = (await made(installation, "meeting", "create"))["meeting_id"]
        url = face_of(installation, meeting).replace("ws://", "wss://")
        tokens = [
            (await made(installation, "attendee", "create", meeting, "--user", name))["join_token"]
            for name in ("ada", "bea", "eve")
        ]
        ada = SignalingClient(url, tokens[0], tls=tls)
        bea = SignalingClient(url, tokens[1], tls=tls)
        async with ada, bea:
            await ada.join()
            await bea.join()
            slow = await RawSocket.open(url, tokens[2], receive_buffer=4_096, tls=tls)
            slow.write(encoded("JOIN", join=wire.SdkJoinFrame(protocol_version=2, flags=2)))
            await bea.until(lambda: any(each.external_user_id == "eve" for each in bea.streams))
            number = next(
                each.audio_stream_id for each in bea.streams if each.external_user_id == "eve"
            )
            ping = encoded("PING_PONG", ping_pong=wire.SdkPingPongFrame(type="PING", ping_id=1))

            def is_gone() -> bool:
                return any(each.audio_stream_id == number and each.dropped for each in bea.streams)

            async with due("the end of who reads nothing", PATIENCE_SECONDS):
                while not is_gone():
                    slow.write(ping)
                    await asyncio.sleep(0.03)  # Ada talks as fast as the meeting allows.
                    heard = len(bea.messages)
                    await ada.say("chat", os.urandom(1_500))
                    await bea.until(partial(has_more, bea, heard))
            # If the gateway has not read all of the client's data, the system closes the connection
            # without a code.
            assert await slow.close_code() in {4508, None}
            slow.abort()

"""The control API over TLS: unmodified clients, and a renewed certificate."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

from carillon import ControlClient
from ControlAPI.house import CARILLON, READY_SECONDS
from ControlAPI.test_command_line import AWS
from eventually import blocking_eventually
from installation import free_port

GATEWAY = CARILLON.with_name("gateway")


class SecureGateway:
    """A gateway with its own certificate. Meetings and attendees need no other service."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.certificate = directory / "certificate.pem"
        self.private_key = directory / "private.pem"
        self.port = free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.log = directory / "log"

    @property
    def flags(self) -> list[str]:
        places = ["--runtime-dir", f"{self.directory}/run", "--data-dir", f"{self.directory}/data"]
        tls = ["--tls-certificate-file", str(self.certificate)]
        tls += ["--tls-key-file", str(self.private_key)]
        return [*places, *tls, "--rest-port", str(self.port), "--local-access-key"]

    def certify(self, name: str) -> None:
        """Creates a certificate with this name and replaces the current one."""
        new, key = self.directory / "new.pem", self.directory / "new.key"
        subject = ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
        made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        made += ["-nodes", "-days", "2", *subject, "-out", str(new), "-keyout", str(key)]
        subprocess.run(made, check=True, capture_output=True)
        key.chmod(0o600)
        # Replace the certificate first. For a moment, the new certificate has no matching key.
        new.replace(self.certificate)
        key.replace(self.private_key)

    def local_key(self) -> dict[str, str]:
        (path,) = (self.directory / "run").glob("*.access-key.json")
        key: dict[str, str] = json.loads(path.read_text())
        return key

    def connect(self, **options: Any) -> ssl.SSLSocket:
        context = ssl.create_default_context(cafile=str(self.certificate))
        for name, value in options.items():
            setattr(context, name, value)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        return context.wrap_socket(plain, server_hostname="127.0.0.1")

    def name(self) -> str:
        """Returns the name in the certificate that a new connection receives."""
        text = ssl.get_server_certificate(("127.0.0.1", self.port), timeout=20)
        decoded = subprocess.run(
            ["openssl", "x509", "-noout", "-subject", "-nameopt", "multiline"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        return decoded.stdout.rpartition("= ")[2].strip()


def get_health(connection: ssl.SSLSocket) -> bytes:
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}"):
        if not (more := connection.recv(65_536)):
            break
        answer += more
    return answer


@pytest.fixture(scope="module")
def gateway() -> Iterator[SecureGateway]:
    gateway = SecureGateway(Path(tempfile.mkdtemp(prefix="c-")))
    gateway.certify("first")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CARILLON_")}
    with gateway.log.open("wb") as log:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", str(GATEWAY), *gateway.flags],
            env=environment,
            stdout=log,
            stderr=log,
        )
    try:

        def serves() -> bool:
            assert process.poll() is None, gateway.log.read_text(errors="replace")
            return "Serving the REST API" in gateway.log.read_text(errors="replace")

        blocking_eventually("the gateway to serve", serves, READY_SECONDS)
        yield gateway
    finally:
        process.terminate()
        status = process.wait(timeout=READY_SECONDS)
        handed_out = list((gateway.directory / "run").glob("*.access-key.json"))
        shutil.rmtree(gateway.directory, ignore_errors=True)
    assert (status, handed_out) == (0, [])


def test_the_sdk_works_over_tls(gateway: SecureGateway) -> None:
    key = gateway.local_key()
    assert key["endpoint"] == gateway.url
    api = boto3.session.Session().client(
        "chime-sdk-meetings",
        endpoint_url=gateway.url,
        region_name="us-east-1",
        aws_access_key_id=key["access_key_id"],
        aws_secret_access_key=key["secret_access_key"],
        verify=str(gateway.certificate),
        config=Config(retries={"total_max_attempts": 1}),
    )
    meeting = api.create_meeting(
        ClientRequestToken=str(uuid.uuid4()), MediaRegion="us-east-1", ExternalMeetingId="secure"
    )["Meeting"]
    assert meeting["MediaPlacement"]["SignalingUrl"].startswith(f"wss://127.0.0.1:{gateway.port}/")
    assert meeting["MediaPlacement"]["EventIngestionUrl"].startswith("https://")
    assert api.get_meeting(MeetingId=meeting["MeetingId"])["Meeting"] == meeting


def test_the_aws_command_works_over_tls(gateway: SecureGateway) -> None:
    key = gateway.local_key()
    words = [
        sys.executable,
        str(AWS),
        "chime-sdk-meetings",
        "create-meeting",
        "--endpoint-url",
        gateway.url,
    ]
    words += ["--ca-bundle", str(gateway.certificate), "--region", "us-east-1"]
    words += ["--media-region", "us-east-1", "--external-meeting-id", "secure"]
    environment = os.environ | {
        "AWS_ACCESS_KEY_ID": key["access_key_id"],
        "AWS_SECRET_ACCESS_KEY": key["secret_access_key"],
    }
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["Meeting"]["MeetingId"]


def test_the_python_client_works_over_tls(
    gateway: SecureGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARILLON_RUNTIME_DIR", f"{gateway.directory}/run")
    monkeypatch.setenv("SSL_CERT_FILE", str(gateway.certificate))

    async def hold() -> None:
        control = ControlClient(gateway.url)
        meeting = await control.create_meeting("secure")
        assert (await control.create_attendee(meeting, "ada")).join_token

    asyncio.run(hold())


def test_the_client_rejects_the_certificate_of_another_host(gateway: SecureGateway) -> None:
    context = ssl.create_default_context()
    plain = socket.create_connection(("127.0.0.1", gateway.port), timeout=20)
    with pytest.raises(ssl.SSLCertVerificationError):
        context.wrap_socket(plain, server_hostname="127.0.0.1")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_gateway_rejects_old_versions_of_tls(gateway: SecureGateway) -> None:
    with pytest.raises((ssl.SSLError, OSError)):
        gateway.connect(
            minimum_version=ssl.TLSVersion.TLSv1, maximum_version=ssl.TLSVersion.TLSv1_1
        )


@pytest.mark.parametrize(
    "data",
    [b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\xff\xff", bytes(range(256)) * 16],
)
def test_the_gateway_closes_connections_without_tls_and_serves_the_others(
    gateway: SecureGateway, data: bytes
) -> None:
    with gateway.connect() as beside:
        with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as stranger:
            answer = b""
            with suppress(OSError):  # The gateway may close the connection at any byte.
                stranger.sendall(data)
                stranger.shutdown(socket.SHUT_WR)
                while more := stranger.recv(4096):
                    answer += more
            assert b"HTTP" not in answer
        assert get_health(beside).startswith(b"HTTP/1.1 ")


def test_stalled_handshakes_do_not_delay_other_connections(gateway: SecureGateway) -> None:
    silent = [socket.create_connection(("127.0.0.1", gateway.port)) for _ in range(100)]
    for stranger in silent:
        stranger.sendall(b"\x16")
    with gateway.connect() as beside:
        assert get_health(beside).startswith(b"HTTP/1.1 ")
    for stranger in silent:
        stranger.close()


def test_a_too_large_request_gets_its_answer_over_tls(gateway: SecureGateway) -> None:
    with gateway.connect() as connection:
        connection.sendall(
            b"POST /meetings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1048577\r\n\r\n"
        )
        answer = b""
        while more := connection.recv(65_536):
            answer += more
    assert answer.startswith(b"HTTP/1.1 413 ") and b"RequestEntityTooLargeException" in answer


def test_the_next_connection_uses_a_renewed_certificate(gateway: SecureGateway) -> None:
    def shown(name: str) -> None:
        # The gateway checks its certificate files periodically.
        what = f"the certificate of {name}"
        blocking_eventually(what, lambda: gateway.name() == name, READY_SECONDS, every=0.05)

    before = gateway.name()
    with gateway.connect() as open_before:
        assert get_health(open_before).startswith(b"HTTP/1.1 ")
        gateway.certify("second")
        shown("second")
        assert before != "second"
        # Existing connections stay open.
        assert get_health(open_before).startswith(b"HTTP/1.1 ")
    good = gateway.certificate.read_bytes()
    gateway.certificate.write_text("no certificate")
    warning = "is unusable, so the gateway keeps the previous one"
    blocking_eventually(
        "the warning of a bad certificate",
        lambda: warning in gateway.log.read_text(errors="replace"),
        READY_SECONDS,
    )
    assert gateway.name() == "second"
    gateway.certificate.write_bytes(good)
    gateway.certify("third")
    shown("third")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda gateway: gateway.certificate.unlink(), "certificate.pem"),
        (lambda gateway: gateway.certificate.write_text("x"), "certificate.pem"),
        (lambda gateway: gateway.private_key.chmod(0o644), "Everybody may read"),
        (lambda gateway: gateway.private_key.write_text("x"), "private.pem"),
    ],
)
def test_the_gateway_does_not_start_with_an_unusable_certificate_or_key(
    spoil: Any, message: str
) -> None:
    # A runtime directory needs a short path, because it holds Unix sockets. The path of pytest's
    # directory may be long.
    with tempfile.TemporaryDirectory(prefix="c-") as directory:
        gateway = SecureGateway(Path(directory))
        gateway.certify("spoiled")
        spoil(gateway)
        words = [str(GATEWAY), *gateway.flags]
        run = subprocess.run(
            words, capture_output=True, text=True, timeout=READY_SECONDS, check=False
        )
    assert run.returncode != 0 and message in run.stderr

"""`carillon up` and the gateway in operation: certificates, orchestrators, logs."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ControlAPI.house import CARILLON, READY_SECONDS
from installation import free_port

GATEWAY = CARILLON.with_name("gateway")

# The variables that the kubelet sets for Services named `carillon` and `carillon-rest`.
ORCHESTRATED = {
    "CARILLON_SERVICE_HOST": "10.0.0.1",
    "CARILLON_SERVICE_PORT": "8080",
    "CARILLON_SERVICE_PORT_HTTP": "8080",
    "CARILLON_PORT": "tcp://10.0.0.1:8080",
    "CARILLON_PORT_8080_TCP": "tcp://10.0.0.1:8080",
    "CARILLON_PORT_8080_TCP_PROTO": "tcp",
    "CARILLON_PORT_8080_TCP_PORT": "8080",
    "CARILLON_PORT_8080_TCP_ADDR": "10.0.0.1",
    "CARILLON_REST_SERVICE_HOST": "10.0.0.2",
    "CARILLON_REST_PORT": "tcp://10.0.0.2:8080",
}


def environment(directory: Path, **settings: str) -> dict[str, str]:
    own = {k: v for k, v in os.environ.items() if not k.startswith("CARILLON_")}
    return own | {"CARILLON_RUNTIME_DIR": f"{directory}/run", "HOME": str(directory)} | settings


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory with a short path, because it contains sockets."""
    path = Path(tempfile.mkdtemp(prefix="c-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def certify(directory: Path) -> tuple[Path, Path]:
    """Creates a certificate and its key, behind symbolic links like those of certbot."""
    live, archive = directory / "live/host", directory / "archive/host"
    for each in (live, archive):
        each.mkdir(parents=True)
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += ["-nodes", "-days", "2", "-subj", "/CN=host", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-out", str(archive / "cert1.pem"), "-keyout", str(archive / "privkey1.pem")]
    subprocess.run([*made, *files], check=True, capture_output=True)
    (archive / "privkey1.pem").chmod(0o600)
    for name in ("cert", "privkey"):
        (live / f"{name}.pem").symlink_to(f"../../archive/host/{name}1.pem")
    return live / "cert.pem", live / "privkey.pem"


class Up:
    """A `carillon up` whose output is read up to the line that reports readiness."""

    def __init__(self, directory: Path, *flags: str, **settings: str) -> None:
        words = ["up", "--rest-port", "0", "--data-dir", f"{directory}/data", "--output", "json"]
        words += flags
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", CARILLON, *words],
            env=environment(directory, **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None and self.process.stderr is not None
        self.errors: list[str] = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        deadline = threading.Timer(READY_SECONDS, self.process.kill)
        deadline.start()
        line = self.process.stdout.readline()
        deadline.cancel()
        assert line, "".join(self.errors)
        self.ready = json.loads(line)

    @property
    def printed(self) -> str:
        return "".join(self.errors)

    def read(self) -> None:
        assert self.process.stderr is not None
        with suppress(ValueError):
            self.errors.extend(self.process.stderr)

    def lose_readers(self) -> None:
        """Closes the reading ends of the program's output, as if a log collector had ended."""
        assert self.process.stdout is not None and self.process.stderr is not None
        self.process.stdout.close()
        # The reading thread still uses the file object, so replace the descriptor of the file.
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, self.process.stderr.fileno())
        os.close(nothing)


@contextmanager
def up(directory: Path, *flags: str, **settings: str) -> Iterator[Up]:
    running = Up(directory, *flags, **settings)
    try:
        yield running
    finally:
        running.process.terminate()
        try:
            running.process.wait(timeout=READY_SECONDS)
        except subprocess.TimeoutExpired:
            running.process.kill()
            raise


def ask(
    url: str,
    method: str,
    path: str,
    body: object = None,
    *,
    key: str | None = None,
    certificate: Path | None = None,
) -> tuple[int, str]:
    """Returns the answer to an unsigned request. The function sends `key` as the operator's page
    sends it."""
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    context = ssl.create_default_context(cafile=str(certificate)) if certificate else None
    request = urllib.request.Request(
        url + path,
        data=None if body is None else json.dumps(body).encode(),
        headers=headers,
        method=method,
    )
    try:
        with urllib.request.urlopen(request, timeout=20, context=context) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def health(
    url: str, path: str = "/healthz", *, method: str = "GET", certificate: Path | None = None
) -> tuple[int, bytes]:
    scheme, _, host = url.partition("://")
    if scheme == "https":
        context = ssl.create_default_context(cafile=str(certificate))
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, timeout=20, context=context
        )
    else:
        connection = http.client.HTTPConnection(host, timeout=20)
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)  # Processes do not notify the test, so the test polls.


def gateway_process(directory: Path) -> int | None:
    """Returns the process id of the registered gateway."""
    for path in (directory / "run").rglob("gateway-a.json"):
        with suppress(ValueError, OSError):
            return int(json.loads(path.read_text())["processID"])
    return None


def test_carillon_up_prints_working_addresses_despite_kubelet_variables(directory: Path) -> None:
    certificate, key = certify(directory)
    tls = {"CARILLON_TLS_CERTIFICATE_FILE": str(certificate), "CARILLON_TLS_KEY_FILE": str(key)}
    with up(directory, **tls, **ORCHESTRATED) as running:
        url = running.ready["rest"]
        assert url.startswith("https://127.0.0.1:")
        assert running.ready["page"].startswith(url)
        for path in ("/livez", "/readyz", "/healthz"):
            assert health(url, path, certificate=certificate)[0] == 200
            assert health(url, path, method="HEAD", certificate=certificate) == (200, b"")
        told = [line for line in running.errors if "of an orchestrator" in line]
        assert len(told) == 1 and all(name in told[0] for name in ORCHESTRATED)

        # The test uses the address that `carillon up` printed for the operator's page. The address
        # includes the key.
        page, _, operator_key = running.ready["operator_page"].partition("#key=")
        assert page == f"{url}/operator"
        status, text = ask(url, "GET", "/operator", certificate=certificate)
        assert status == 200 and "<html" in text
        path = "/carillon/v1/meetings"
        assert ask(url, "GET", path, certificate=certificate)[0] == 403
        operator_key = urllib.parse.unquote(operator_key)
        assert ask(url, "GET", path, key=operator_key, certificate=certificate)[0] == 200


JOIN = {"Meeting": "tea", "Name": "Zoë", "Create": True}


def test_carillon_up_opens_the_lobby_unless_a_variable_closes_it(directory: Path) -> None:
    with up(directory) as running:
        assert ask(running.ready["rest"], "POST", "/carillon/v1/web/join", JOIN)[0] == 200
    with up(directory, CARILLON_WEB_LOBBY="off") as running:
        url = running.ready["rest"]
        status, text = ask(url, "GET", "/carillon/v1/web")
        assert status == 200 and json.loads(text)["Lobby"] == "off"
        for create in (True, False):
            assert ask(url, "POST", "/carillon/v1/web/join", JOIN | {"Create": create})[0] == 403
        meeting, attendee = uuid.uuid4(), uuid.uuid4()
        _, _, key = running.ready["operator_page"].partition("#key=")
        key = urllib.parse.unquote(key)
        for method, path, body in [
            ("GET", "meetings", None),
            ("GET", "limits", None),
            ("GET", "services", None),
            ("GET", "webhooks", None),
            ("POST", "webhooks", {"Url": "http://127.0.0.1:1/"}),
            ("POST", "erase", {"ExternalUserId": "ada"}),
            ("GET", f"meetings/{meeting}/roster", None),
            ("GET", f"meetings/{meeting}/messages", None),
            ("GET", f"meetings/{meeting}/events", None),
            ("GET", f"meetings/{meeting}/attendance", None),
            ("PUT", f"meetings/{meeting}/lock", {"Locked": True}),
            ("POST", f"meetings/{meeting}/attendees/{attendee}/kick", None),
            ("PUT", f"web/meetings/{meeting}/transcription", {"Language": "en-US"}),
        ]:
            assert ask(url, method, f"/carillon/v1/{path}", body)[0] == 403, path
            assert ask(url, method, f"/carillon/v1/{path}", body, key=key)[0] != 403, path


def test_carillon_up_and_its_services_outlive_the_readers_of_their_logs(directory: Path) -> None:
    with up(directory) as running:
        url = running.ready["rest"]
        before = gateway_process(directory)
        assert before is not None
        running.lose_readers()
        # `carillon up` logs the gateway's death and its restart, but no one reads the log.
        os.kill(before, signal.SIGKILL)

        def is_back() -> bool:
            assert running.process.poll() is None
            with suppress(OSError, http.client.HTTPException):
                return gateway_process(directory) != before and health(url)[0] == 200
            return False

        wait_until(is_back)
        assert running.process.poll() is None
    assert running.process.returncode == 0


def test_carillon_up_ends_when_a_store_is_newer_than_the_program(directory: Path) -> None:
    with up(directory) as running:
        assert running.process.poll() is None
    with sqlite3.connect(directory / "data/meetings.sqlite") as database:
        database.execute("INSERT INTO grdb_migrations VALUES ('zz what comes later')")
    database.close()
    words = ["up", "--rest-port", "0", "--data-dir", f"{directory}/data"]
    run = subprocess.run(
        ["setpriv", "--pdeathsig", "KILL", CARILLON, *words],
        env=environment(directory),
        capture_output=True,
        text=True,
        timeout=READY_SECONDS,
        check=False,
    )
    assert run.returncode == 78
    last = run.stderr.splitlines()[-1]
    assert last.startswith("carillon: FAILED_PRECONDITION: gateway-a cannot run (exit status 78):")
    assert "A newer version of Carillon wrote the store" in last
    assert "starting it again" not in run.stderr


def open_file(directory: Path) -> None:
    (directory / "archive/host/privkey1.pem").chmod(0o644)


def open_target(directory: Path) -> None:
    (directory / "archive/host/privkey1.pem").chmod(0o660)


def open_place_of_link(directory: Path) -> None:
    (directory / "live/host").chmod(0o777)


def open_place_of_target(directory: Path) -> None:
    (directory / "archive/host").chmod(0o777)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (open_file, "Everybody may read"),
        (open_target, "Users other than the owner may write to"),
        (open_place_of_link, "Other users may write to {}/live/host"),
        (open_place_of_target, "Other users may write to {}/archive/host"),
    ],
)
def test_a_key_file_that_others_can_read_or_replace_is_refused(
    directory: Path, spoil: Callable[[Path], None], reason: str
) -> None:
    certificate, key = certify(directory)
    spoil(directory)
    flags = ["--tls-certificate-file", str(certificate), "--tls-key-file", str(key)]
    flags += ["--runtime-dir", f"{directory}/run", "--data-dir", f"{directory}/data"]
    run = subprocess.run(
        [GATEWAY, *flags, "--rest-port", str(free_port())],
        env=environment(directory),
        capture_output=True,
        text=True,
        timeout=READY_SECONDS,
        check=False,
    )
    assert run.returncode == 78
    assert reason.format(directory.resolve()) in run.stderr


def test_every_key_file_of_a_gateway_may_be_a_symbolic_link(directory: Path) -> None:
    with up(directory):
        pass
    vault, keys = directory / "vault", directory / "keys"
    for folder in (vault, keys):
        folder.mkdir(mode=0o700)
    (directory / "data/token.key").rename(vault / "token")
    (directory / "data/token.key").symlink_to(vault / "token")
    for name in ("lobby", "operator"):
        file = vault / name
        file.write_text(f"the-key-of-the-{name}-in-the-vault\n")
        file.chmod(0o600)
        (keys / name).symlink_to(file)
    settings = {
        "CARILLON_WEB_LOBBY": "key",
        "CARILLON_WEB_LOBBY_KEY_FILE": str(keys / "lobby"),
        "CARILLON_WEB_OPERATOR_KEY_FILE": str(keys / "operator"),
    }
    with up(directory, **settings) as running:
        url = running.ready["rest"]
        for path, method, body, name in (
            ("/carillon/v1/web/join", "POST", JOIN, "lobby"),
            ("/carillon/v1/meetings", "GET", None, "operator"),
        ):
            key = f"the-key-of-the-{name}-in-the-vault"
            assert ask(url, method, path, body)[0] in (401, 403), name
            assert ask(url, method, path, body, key=key)[0] == 200, name


def test_a_misspelt_setting_prevents_the_start(directory: Path) -> None:
    for name, value in {"CARILLON_REST_PRT": "1", "CARILLON_PORT": "8080"}.items():
        run = subprocess.run(
            [GATEWAY, "--check-configuration"],
            env=environment(directory, **ORCHESTRATED | {name: value}),
            capture_output=True,
            text=True,
            timeout=READY_SECONDS,
            check=False,
        )
        assert run.returncode == 78 and f"{name} is not a setting of gateway" in run.stderr


RULES = [
    ("gateway", "--rest-host 0.0.0.0"),
    ("gateway", "--rest-host 0.0.0.0 --rest-without-tls --allow-unsigned"),
    ("gateway", "--rest-host 0.0.0.0 --insecure-listen --web-lobby open"),
    ("gateway", "--rest-host a/b --rest-without-tls"),
    ("gateway", "--web-lobby key"),
    ("gateway", "--web-branding branding.json"),
    ("gateway", "--web-embed-origins https://example.org"),
    ("gateway", "--tls-key-file key.pem"),
    ("gateway", "--account 1"),
    ("gateway", "--control-region A"),
    ("gateway", "--curve"),
    ("media", "--curve"),
    ("presence", "--cluster-listen 10.0.0.1:65535"),
    ("messaging", "--cluster-listen 10.0.0.1:7500-7500"),
    ("transcription", "--cluster-listen 10.0.0.1:65534"),
]


@pytest.mark.parametrize("in_environment", [False, True])
@pytest.mark.parametrize(("program", "flags"), RULES)
def test_the_check_and_the_start_refuse_the_same_settings(
    directory: Path, program: str, flags: str, in_environment: bool
) -> None:
    words = flags.split()
    settings: dict[str, str] = {}
    if in_environment:
        for flag, value in zip(words, [*words[1:], "--"], strict=True):
            if flag.startswith("--"):
                name = flag.removeprefix("--").upper().replace("-", "_")
                settings[f"CARILLON_{name}"] = "true" if value.startswith("--") else value
        words = []
    words += ["--data-dir", f"{directory}/data"]
    check, start = (
        subprocess.run(
            [CARILLON.with_name(program), *question, *words],
            env=environment(directory, **settings),
            capture_output=True,
            text=True,
            timeout=READY_SECONDS,
            check=False,
        )
        for question in (["--check-configuration"], [])
    )
    assert check.returncode == start.returncode == (78 if in_environment else 64)
    assert check.stderr.startswith("Error: ") and check.stderr == start.stderr
    assert not (directory / "run").exists() and not (directory / "data").exists()


def test_a_port_in_use_ends_a_service_with_status_75(directory: Path) -> None:
    words = {
        "gateway": ["--rest-port", "--listen-tcp", "--health-port"],
        "media": ["--listen-tcp", "--udp-port", "--health-port"],
    }
    usual = {"gateway": ["--rest-port", str(free_port())], "media": []}
    with socket.socket() as stream, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        stream.bind(("127.0.0.1", 0))
        stream.listen()
        datagrams.bind(("0.0.0.0", 0))
        tcp, udp = stream.getsockname()[1], datagrams.getsockname()[1]
        for program, flags in words.items():
            for flag in flags:
                port = udp if flag == "--udp-port" else tcp
                place = f"127.0.0.1:{port}" if flag == "--listen-tcp" else str(port)
                run = subprocess.run(
                    [
                        CARILLON.with_name(program),
                        *["--data-dir", f"{directory}/data", "--log-format", "json"],
                        *[*usual[program], flag, place],
                    ],
                    env=environment(directory),
                    capture_output=True,
                    text=True,
                    timeout=READY_SECONDS,
                    check=False,
                )
                last = json.loads(run.stderr.splitlines()[-1])
                assert run.returncode == 75, (program, flag, last)
                assert last["message"] == "Cannot start" and str(port) in last["error"]
                # `carillon services` must not list an instance that never started.
                assert not list((directory / "run" / "registry").glob("*/*.json"))


def test_carillon_up_names_a_rest_port_that_is_in_use(directory: Path) -> None:
    with socket.socket() as stream:
        stream.bind(("127.0.0.1", 0))
        stream.listen()
        port = str(stream.getsockname()[1])
        run = subprocess.run(
            [CARILLON, "up", "--rest-port", port, "--data-dir", f"{directory}/data"],
            env=environment(directory),
            capture_output=True,
            text=True,
            timeout=READY_SECONDS,
            check=False,
        )
    assert run.returncode == 75
    assert f"Cannot listen on 127.0.0.1:{port}: " in run.stderr.splitlines()[-1]
    assert "starting it again" not in run.stderr


def answers_ready(path: Path) -> bool:
    """Returns whether the service with this Unix socket answers that it is ready."""
    with socket.socket(socket.AF_UNIX) as stream:
        try:
            stream.connect(str(path))
            stream.sendall(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return stream.recv(64).startswith(b"HTTP/1.1 200")
        except OSError:
            return False


def test_instances_with_the_same_ports_start_at_the_same_time(directory: Path) -> None:
    port, count = str(free_port()), 4
    start = ["setpriv", "--pdeathsig", "KILL", str(GATEWAY.with_name("media"))]
    start += ["--listen-tcp", f"127.0.0.1:{port}", "--port-attempts", "40"]
    start += ["--data-dir", str(directory / "data")]
    started = {
        f"media-{number}": subprocess.Popen(
            [*start, "--instance", f"media-{number}"],
            env=environment(directory),
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(count)
    }
    try:
        deadline = time.monotonic() + READY_SECONDS
        for name, process in started.items():
            while not answers_ready(directory / "run" / f"{name}.http.sock"):
                assert process.stderr is not None
                assert process.poll() is None, process.stderr.read()
                assert time.monotonic() < deadline, f"{name} is not ready"
                time.sleep(0.05)
    finally:
        for process in started.values():
            process.kill()
            process.communicate()

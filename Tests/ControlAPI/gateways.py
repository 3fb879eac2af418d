"""Gateways of one installation. No other services run, because the control API does not need them.

Each gateway has its own port. All gateways share the installation's key and the store.
"""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import subprocess
import tempfile
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ControlAPI.house import CARILLON, READY_SECONDS, House, Key
from eventually import blocking_eventually
from installation import free_port


class Gateway(House):
    """One gateway, which a test can kill and restart on the same port."""

    def __init__(self, directory: Path, name: str, settings: dict[str, str]) -> None:
        super().__init__(directory, "", settings)
        self.name = name
        self.log = directory / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._port = free_port()

    @property
    def printed(self) -> str:
        """The output of the gateway in all its runs."""
        return self.log.read_text(errors="replace")

    @property
    def process_id(self) -> int:
        assert self._process is not None, f"{self.name} was not started."
        return self._process.pid

    @property
    def key(self) -> Key:
        """The local key, which the gateway provides to programs of the same user."""
        handed = self._handed_out()
        return Key(handed["access_key_id"], handed["secret_access_key"])

    def start(self) -> None:
        """Starts the gateway and waits until it answers."""
        (self.runtime / f"{self.name}.access-key.json").unlink(missing_ok=True)
        words: list[str | Path | int] = [CARILLON.with_name("gateway"), "--instance", self.name]
        words += ["--data-dir", self.data, "--rest-port", self._port, "--local-access-key"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *map(str, words)],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

        def answers() -> bool:
            assert self._process is not None
            assert self._process.poll() is None, self.printed
            return self._answers()

        blocking_eventually(f"{self.name} to answer", answers, READY_SECONDS, every=0.01)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)
            self._process.wait(READY_SECONDS)

    def _handed_out(self) -> dict[str, str]:
        text = (self.runtime / f"{self.name}.access-key.json").read_text()
        found: dict[str, str] = json.loads(text)
        return found

    def _answers(self) -> bool:
        try:
            self.url = self._handed_out()["endpoint"]
            place = urllib.parse.urlsplit(self.url)
            assert place.hostname and place.port
            connection = http.client.HTTPConnection(place.hostname, place.port, timeout=5)
            # The status is 503, because there are no other services.
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            connection.close()
        except (OSError, http.client.HTTPException):
            return False
        self._port = place.port
        return True


@contextmanager
def gateways(*names: str, **settings: str) -> Iterator[Sequence[Gateway]]:
    """Starts a gateway for each name and stops the running ones at the end.

    `settings`: flags as environment variables, as for `running`.
    """
    directory = Path(tempfile.mkdtemp(prefix="c-"))
    (directory / "run").mkdir(mode=0o700)
    started = [Gateway(directory, name, settings) for name in names]
    try:
        for gateway in started:
            gateway.start()
        yield started
    finally:
        for gateway in started:
            gateway.stop()
        shutil.rmtree(directory, ignore_errors=True)

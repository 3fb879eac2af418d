"""An installation of every service and a gateway as processes, in its own directory."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Self

from carillon import ControlClient
from eventually import eventually
from metrics_text import MetricsText
from ports import Ports

ROOT = Path(__file__).parents[2]
BINARIES = Path(os.environ.get("CARILLON_BINARIES", ROOT / ".build" / "debug"))
KEEP_ALIVE_MS = 400
DROP_AFTER_SECONDS = 2
_READY_SECONDS = 30.0
_PORTS = Ports()


class Process:
    """One program that the tests start, and signal and stop by its process id. The program ends
    together with these tests.

    `open_files` limits the program's open files; `None` for the limit of these tests.
    """

    def __init__(
        self, name: str, command: Sequence[str | Path], log: Path, *, open_files: int | None = None
    ) -> None:
        self.name = name
        self._command = [str(part) for part in command]
        if open_files is not None:
            self._command = ["prlimit", f"--nofile={open_files}:{open_files}", *self._command]
        self._log = log
        self._process: asyncio.subprocess.Process | None = None

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was not started"
        return self._process.pid

    @property
    def anonymous_bytes(self) -> int:
        """The anonymous resident memory in bytes: `RssAnon` of proc(5)."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError(f"{self.name} has ended: {self.log}")

    async def start(self) -> None:
        # The services must take their settings from the flags only, not from the environment.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CARILLON_")}
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *("setpriv", "--pdeathsig", "KILL", *self._command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
            )

    def send(self, number: signal.Signals) -> None:
        """Sends a signal, unless the process has ended."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)

    async def wait(self) -> int:
        """Waits until the process ends, and returns its exit code."""
        assert self._process is not None, f"{self.name} was not started"
        return await self._process.wait()

    async def kill(self) -> None:
        await self._end(signal.SIGKILL)

    async def terminate(self) -> int:
        """Sends SIGTERM, and returns the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        if self._process is None:
            return 0
        if self._process.returncode is None:
            self._process.send_signal(number)
        return await self._process.wait()


class Installation:
    """An installation that is ready inside `async with Installation() as installation`.

    `open_files` limits the open files of services by name. `parent` is the directory for all files,
    by default the directory for temporary files. `data` is the data directory, by default `data` in
    the installation's own directory. `store` is the address of a PostgreSQL server for the stores
    and the registry.
    """

    def __init__(
        self,
        *,
        presence: Sequence[str] = (),
        messaging: Sequence[str] = (),
        video_tiles: Sequence[str] = (),
        media: Sequence[str] = (),
        transcription: Sequence[str] = (),
        has_engine: bool = False,
        gateway: Sequence[str] = (),
        open_files: Mapping[str, int] = MappingProxyType({}),
        parent: Path | None = None,
        data: Path | None = None,
        store: str | None = None,
    ) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="c-", dir=parent))
        self._open_files = open_files
        self.rest_port = free_port()
        self.places: list[str | Path] = ["--runtime-dir", self.run]
        self.places += ["--data-dir", data or self.directory / "data"]
        if store is not None:
            self.places += ["--store", store]
        places = self.places
        self.presence = self._process(
            "presence",
            [*places, "--drop-after-seconds", DROP_AFTER_SECONDS, "--gateway-grace-seconds", 4],
            presence,
        )
        self.messaging = self._process("messaging", places, messaging)
        self.video_tiles = self._process("video-tiles", places, video_tiles)
        self.media = self._process("media", [*places, "--gateway-grace-seconds", 4], media)
        self.transcription = self._process("transcription", places, transcription)
        self.engine: Process | None = None
        if has_engine:
            command = [str(BINARIES / "carillon-pocketsphinx"), "--instance", "pocketsphinx-a"]
            log = self.directory / "pocketsphinx-a.log"
            self.engine = Process("pocketsphinx-a", [*command, *map(str, places)], log)
        self.gateway = self._process(
            "gateway",
            [
                *places,
                *(
                    "--rest-port",
                    self.rest_port,
                    "--allow-unsigned",
                    "--keep-alive-ms",
                    KEEP_ALIVE_MS,
                ),
            ],
            gateway,
        )

    def _process(
        self,
        service: str,
        flags: Sequence[str | Path | float],
        more: Sequence[str],
        letter: str = "a",
    ) -> Process:
        instance = f"{service}-{letter}"
        command = [str(BINARIES / service), "--instance", instance]
        command += [*(str(flag) for flag in flags), *more]
        log = self.directory / f"{instance}.log"
        return Process(instance, command, log, open_files=self._open_files.get(service))

    @property
    def processes(self) -> list[Process]:
        """The processes, in the order of their starts."""
        engine = [self.engine] if self.engine else []
        services = [self.presence, self.messaging, self.video_tiles, self.media, self.transcription]
        return [*services, *engine, self.gateway]

    @property
    def run(self) -> Path:
        return self.directory / "run"

    def place(self, process: Process) -> Path:
        """Returns the runtime directory of a process."""
        return self.run

    @property
    def rest_url(self) -> str:
        return f"http://127.0.0.1:{self.rest_port}"

    @property
    def control(self) -> ControlClient:
        return ControlClient(self.rest_url)

    @property
    def client_socket(self) -> Path:
        return self.run / "gateway-a.client.sock"

    async def __aenter__(self) -> Self:
        try:
            for process in self.processes:
                await process.start()
            await self.become_ready()
        except BaseException:
            await self._end(is_failed=True)
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        await self._end(is_failed=kind is not None)

    async def become_ready(self) -> None:
        for process in self.processes:
            ask = partial(self._is_ready, process)
            await eventually(f"{process.name} to be ready", ask, _READY_SECONDS)

    async def _is_ready(self, process: Process) -> bool:
        if not process.is_running:
            raise RuntimeError(f"{process.name} has ended: {process.log}")
        try:
            answer = await self._get(process, "/readyz")
        except OSError:
            return False
        return answer.startswith("HTTP/1.1 200")

    async def metrics(self, process: Process) -> MetricsText:
        """Returns the current metrics of a process."""
        return MetricsText(await self.exposition(process))

    async def exposition(self, process: Process) -> str:
        """Returns the text of `/metrics` of a process."""
        head, _, body = (await self._get(process, "/metrics")).partition("\r\n\r\n")
        assert head.startswith("HTTP/1.1 200"), head
        return body

    async def _get(self, process: Process, path: str) -> str:
        """Sends a GET request to a process, and returns head and body of the answer."""
        path_of_socket = self.place(process) / f"{process.name}.http.sock"
        reader, writer = await asyncio.open_unix_connection(path_of_socket)
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        answer = await reader.read()
        writer.close()
        return answer.decode()

    async def _end(self, *, is_failed: bool) -> None:
        for process in reversed(self.processes):
            await process.kill()
            if is_failed:
                print(f"== {process.name}\n{process.log}", file=sys.stderr)
        shutil.rmtree(self.directory, ignore_errors=True)


class Wire:
    """A Unix socket that forwards connections to another socket until a test cuts them."""

    def __init__(self, path: Path, target: Path) -> None:
        self.url = f"ipc://{path}"
        self._path = path
        self._target = target
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_cut = False

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._serve, self._path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()

    def cut(self) -> None:
        """Closes all connections, and each later connection immediately."""
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self._is_cut = False

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_unix_connection(self._target)
        self._writers |= {writer, far_writer}
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._pass(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            self._writers.discard(sink)
            sink.transport.abort()


def free_port() -> int:
    """Returns a free port of 127.0.0.1 for a program of this test."""
    return _PORTS.free()

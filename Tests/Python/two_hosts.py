"""An installation on two simulated hosts of one machine.

Each host has its own runtime directory, data and keys. The hosts reach each other only over TCP.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Self
from urllib.parse import quote

from installation import BINARIES, Installation, Process, free_port

FAR = ("presence", "messaging", "video-tiles")
"""The services that run on the host `far`."""

HERE = ("gateway", "media", "transcription")
"""The services that run on the host `here`."""


class Mirror:
    """A replacement for a registry that hosts share.

    The mirror copies announcements from one runtime directory to another, and replaces local
    addresses by addresses for other hosts.
    """

    def __init__(self, services: Collection[str], source: Path, target: Path) -> None:
        self._services = services
        self._source = source / "registry"
        self._target = target / "registry"
        self._locks: dict[str, int] = {}

    async def run(self) -> None:
        while True:
            for record in sorted(self._source.glob("*/*.json")):
                if record.parent.name in self._services:
                    self._copy(record.parent.name, record.stem)
            for name in [name for name in self._locks if not self._is_there(name)]:
                os.close(self._locks.pop(name))
            await asyncio.sleep(0.2)  # Polls the directory.

    def close(self) -> None:
        for lock in self._locks.values():
            os.close(lock)
        self._locks = {}

    def _is_there(self, name: str) -> bool:
        return (self._source / f"{name}.json").exists()

    def _copy(self, service: str, instance: str) -> None:
        name = f"{service}/{instance}"
        try:
            record = json.loads((self._source / f"{name}.json").read_text())
            beat = (self._source / f"{name}.lock").read_text()
        except (FileNotFoundError, json.JSONDecodeError):
            return
        if name not in self._locks:
            folder = self._target / service
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(folder / f"{instance}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._locks[name] = lock
        os.pwrite(self._locks[name], beat.encode(), 0)
        os.ftruncate(self._locks[name], len(beat))
        record["endpoints"] = record.pop("clusterEndpoints", {})
        draft = self._target / f"{name}.draft"
        draft.write_text(json.dumps(record))
        draft.rename(self._target / f"{name}.json")


class TwoHosts(Installation):
    """Two hosts that know each other's key: `async with TwoHosts() as hosts`."""

    def __init__(self) -> None:
        self.operator_port = free_port()
        here, far = ["--key-dir", "here/keys"], ["--key-dir", "far/keys"]
        far += ["--runtime-dir", "far/run", "--data-dir", "far/data"]
        far += ["--cluster-listen", "127.0.0.1"]
        super().__init__(
            presence=far,
            messaging=far,
            video_tiles=far,
            media=here,
            transcription=here,
            gateway=[*here, "--operator-listen", f"127.0.0.1:{self.operator_port}"],
        )
        self.mirrors: list[Mirror] = []
        self._tasks: list[asyncio.Task[None]] = []

    def _process(
        self,
        service: str,
        flags: Sequence[str | Path | float],
        more: Sequence[str],
        letter: str = "a",
    ) -> Process:
        places = [
            str(self.directory / part) if part.startswith(("here/", "far/")) else part
            for part in more
        ]
        return super()._process(service, flags, places, letter)

    def place(self, process: Process) -> Path:
        """Returns the runtime directory of a process."""
        is_far = process.name.rpartition("-")[0] in FAR
        return self.directory / "far" / "run" if is_far else self.run

    async def operate(self, *words: str) -> tuple[int, str]:
        """Runs an operator's command on the other host; returns its exit code and its output."""
        server = (await self.carillon("here", "allowed"))["key"]
        endpoint = f"tcp://127.0.0.1:{self.operator_port}?curve={quote(server, safe='')}"
        process = await asyncio.create_subprocess_exec(
            *(str(BINARIES / "carillon"), *words),
            env={"CARILLON_OPERATOR": endpoint, "CARILLON_KEY_DIR": str(self.keys("far"))},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        return process.returncode or 0, output.decode()

    def port(self, process: Process, purpose: str) -> int:
        """Returns the port at which a process of the other host accepts connections of this
        host."""
        service = process.name.rpartition("-")[0]
        path = self.place(process) / "registry" / service / f"{process.name}.json"
        endpoint = str(json.loads(path.read_text())["clusterEndpoints"][purpose])
        return int(endpoint.partition("?")[0].rpartition(":")[2])

    def keys(self, host: str) -> Path:
        return self.directory / host / "keys"

    async def __aenter__(self) -> Self:
        for host in ("here", "far"):
            (self.directory / host).mkdir(mode=0o700)
        here = await self.carillon("here", "init", "--name", "here")
        far = await self.carillon("far", "init", "--name", "far")
        await self.carillon("far", "allow", "service", here["key"], "here")
        await self.carillon("here", "allow", "service", far["key"], "far")
        near = self.run
        for mirror in (
            Mirror(FAR, self.directory / "far" / "run", near),
            Mirror(HERE, near, self.directory / "far" / "run"),
        ):
            self.mirrors.append(mirror)
            self._tasks.append(asyncio.create_task(mirror.run()))
        return await super().__aenter__()

    async def __aexit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        for task in self._tasks:
            task.cancel()
        for mirror in self.mirrors:
            mirror.close()
        await super().__aexit__(kind, *rest)

    async def carillon(self, host: str, *words: str) -> dict[str, str]:
        """Runs `carillon keys` on a host and returns its output. Fails if the command fails."""
        command = [str(BINARIES / "carillon"), "keys", *words, "--output", "json"]
        process = await asyncio.create_subprocess_exec(
            *command,
            "--key-dir",
            str(self.keys(host)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate()
        assert process.returncode == 0, f"{command}: {output.decode()}{errors.decode()}"
        answer: dict[str, str] = json.loads(output.decode().splitlines()[0])
        return answer

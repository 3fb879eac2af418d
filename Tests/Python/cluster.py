"""A cluster with several instances of each service on one machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from installation import (
    BINARIES,
    KEEP_ALIVE_MS,
    Installation,
    Process,
    Wire,
    free_port,
)

SERVICES = ("presence", "messaging", "video-tiles", "media", "transcription", "gateway")

PATIENT = ("--drop-after-seconds", "10", "--gateway-grace-seconds", "15")
"""Long timeouts, so that no client is dropped only because the machine is busy."""


class Cluster(Installation):
    """An installation with at least the instances `a` and `b` of each service.

    - Parameter gateway: Further flags of each gateway.
    """

    def __init__(
        self,
        letters: str = "ab",
        *,
        gateway: Sequence[str] = (),
        parent: Path | None = None,
        data: Path | None = None,
        store: str | None = None,
    ) -> None:
        super().__init__(
            presence=PATIENT,
            video_tiles=PATIENT,
            media=PATIENT[2:],
            gateway=gateway,
            parent=parent,
            data=data,
            store=store,
        )
        self.more: dict[str, Process] = {}
        self.gateway_flags = gateway
        self.rest_ports = {"gateway-a": self.rest_port}
        """The REST ports by gateway."""
        self.store_flags = ["--store", store] if store else []
        self.wires: dict[str, Wire] = {}
        """The wires by gateway, for tests that cut the connections to gateways."""
        for letter in letters[1:]:
            for service in SERVICES:
                self.add(service, letter)

    def add(self, service: str, letter: str) -> Process:
        """Adds an instance of a service without starting it."""
        flags: list[str | Path | float] = [*self.places]
        if service in ("presence", "video-tiles"):
            flags += PATIENT
        if service == "media":
            flags += PATIENT[2:]
        if service == "gateway":
            port = self.rest_ports[f"gateway-{letter}"] = free_port()
            flags += ["--rest-port", port, "--allow-unsigned", *self.gateway_flags]
            flags += ["--keep-alive-ms", KEEP_ALIVE_MS]
        process = self._process(service, flags, (), letter)
        self.more[process.name] = process
        return process

    @property
    def processes(self) -> list[Process]:
        return [*super().processes, *self.more.values()]

    def process(self, instance: str) -> Process:
        return next(process for process in self.processes if process.name == instance)

    def instances(self, service: str) -> list[str]:
        return [each.name for each in self.processes if each.name[:-2] == service]

    def client_url(self, gateway: str) -> str:
        return f"ipc://{self.run}/{gateway}.client.sock"

    async def carillon(self, *arguments: str) -> str:
        """Runs the operator's tool and returns its output. Fails if the tool fails."""
        command = [str(BINARIES / "carillon"), *arguments, "--runtime-dir", str(self.run)]
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        output, errors = await process.communicate()
        assert process.returncode == 0, f"{command}: {output.decode()}{errors.decode()}"
        return output.decode()


def owner(meeting_id: str, instances: Sequence[str]) -> str:
    """Returns the owner of a meeting by rendezvous hashing, as in `RendezvousHashing.swift`."""
    return max(sorted(instances), key=lambda instance: _weight(instance, meeting_id))


def _weight(instance: str, key: str) -> int:
    mask = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for byte in instance.encode() + b"\0" + key.encode():
        value = ((value ^ byte) * 0x100000001B3) & mask
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value ^= value >> 33
        value = (value * factor) & mask
    return value ^ value >> 33

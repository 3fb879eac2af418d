"""A browser in its own network namespace, connected to this machine."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cluster_hosts import Network, run
from Web.browser import CHROMIUM

NAME = "home"
RELAY = Path(__file__).parents[1] / "Python" / "relay.py"


def can_make_networks() -> bool:
    """Returns whether this machine allows creating namespaces."""
    return os.geteuid() == 0 and shutil.which("ip") is not None


needs_networks = pytest.mark.skipif(not can_make_networks(), reason="it needs root and iproute2")


class Home(Network):
    """One namespace: `async with Home() as home`. Programs in it reach only this machine."""

    def __init__(self) -> None:
        super().__init__(NAME, network="10.77.72")
        self._last = 1

    async def lose_all(self, *, is_cut: bool) -> None:
        """Drops all packets in both directions, or none. The link stays up at both ends.

        To drop packets, this class removes the port from the bridge. The state 0 would not cut the
        port, because the kernel leaves the port in the state "forwarding".
        """
        bridge = ["nomaster"] if is_cut else ["master", self._bridge]
        await run("ip", "-n", self._bridge, "link", "set", "dev", self._cable(NAME), *bridge)

    async def move(self) -> None:
        """Replaces the namespace's address by the next address."""
        inside = ["ip", "-n", self.namespace(NAME), "address"]
        device = ["dev", f"{self._cable(NAME)}e"]
        old, self._last = self._last, self._last + 1
        await run(*inside, "delete", f"{self._network}.{old}/24", *device)
        await run(*inside, "add", f"{self._network}.{self._last}/24", *device)

    def chromium(self, directory: Path) -> Path:
        """Returns a program that starts Chromium in the namespace.

        The headless shell ignores the option that makes an address without TLS a secure context.
        """
        program = directory / "chromium-at-home"
        program.write_text(
            f'#!/bin/sh\nexec {" ".join(map(str, self.prefix(NAME)))} {CHROMIUM} "$@"\n'
        )
        program.chmod(0o755)
        return program

    @asynccontextmanager
    async def door(self, port: int, target: int) -> AsyncIterator[None]:
        """Forwards a port to a port of this machine's loopback, for programs in the namespace."""
        words = (sys.executable, str(RELAY), f"{self.own_address}:{port}", f"127.0.0.1:{target}")
        relay = await asyncio.create_subprocess_exec("setpriv", "--pdeathsig", "KILL", *words)
        try:
            yield
        finally:
            relay.kill()
            await relay.wait()

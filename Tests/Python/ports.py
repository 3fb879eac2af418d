"""Ports of 127.0.0.1 for the programs that tests start."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Callable, Mapping

VARIABLE = "TEST_PORTS"
"""The environment variable with a range of ports. Its name does not start with `CARILLON_`,
because services reject unknown settings."""


def is_free(port: int) -> bool:
    with socket.socket() as free:
        try:
            free.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Ports:
    """The ports that one test process may use.

    To run several test processes in parallel, set `TEST_PORTS` to a different range "FIRST-LAST"
    for each, so that no two processes choose the same port. Each worker of pytest-xdist uses an
    equal part of the range. The installations use the ports of a range one after another. Without a
    range, this module chooses ports at random.
    """

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        is_free: Callable[[int], bool] = is_free,
    ) -> None:
        self._is_free = is_free
        self._range: range | None = None
        self._next = 0
        if text := environment.get(VARIABLE):
            self._range = _part(_parsed(text), environment)

    def free(self) -> int:
        """Returns a port that is currently free and below the ephemeral ports, which start at
        32768 (`ip_local_port_range` in man 7 ip)."""
        if self._range is None:
            while True:
                port = random.randrange(20_000, 32_768)
                if self._is_free(port):
                    return port
        for _ in self._range:
            port = self._range[self._next]
            self._next = (self._next + 1) % len(self._range)
            if self._is_free(port):
                return port
        raise RuntimeError(
            f"Every port from {self._range[0]} to {self._range[-1]} is in use:"
            f" give the tests a wider range in {VARIABLE}."
        )


def _parsed(text: str) -> range:
    first, _, last = text.partition("-")
    try:
        ports = range(int(first), int(last) + 1)
    except ValueError:
        ports = range(0)
    if not ports or ports[0] < 1 or ports[-1] > 65_535:
        raise ValueError(f"{VARIABLE} is FIRST-LAST, for example 20000-20999, not {text}")
    return ports


def _part(ports: range, environment: Mapping[str, str]) -> range:
    """Returns the part of a range of ports that belongs to this worker of pytest-xdist."""
    worker = environment.get("PYTEST_XDIST_WORKER", "")
    if not worker.startswith("gw"):
        return ports
    size = len(ports) // int(environment["PYTEST_XDIST_WORKER_COUNT"])
    if size == 0:
        raise ValueError(f"{VARIABLE} has fewer ports than there are workers: {ports}")
    begin = int(worker.removeprefix("gw")) * size
    return ports[begin : begin + size]

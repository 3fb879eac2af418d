"""Coroutines as tests, and a gateway that does what its test says."""

from __future__ import annotations

import asyncio
import inspect
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from scripted_gateway import ScriptedGateway

SECONDS = 30


def pytest_configure(config: pytest.Config) -> None:
    limit = f"seconds(limit): how long a coroutine may take, {SECONDS} where nothing is said"
    config.addinivalue_line("markers", limit)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs `async def` tests, each in a loop of its own and in bounded time."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    marker = pyfuncitem.get_closest_marker("seconds")
    limit = marker.args[0] if marker else SECONDS

    async def run() -> None:
        async with asyncio.timeout(limit):
            await pyfuncitem.obj(**arguments)

    asyncio.run(run())
    return True


@pytest.fixture
def socket_directory() -> Iterator[Path]:
    """A short path: those of Unix sockets have at most 107 bytes."""
    directory = Path(tempfile.mkdtemp(prefix="carillon-"))
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture
def gateway(socket_directory: Path) -> Iterator[ScriptedGateway]:
    """Listens from its first use on, inside the test's loop."""
    gateway = ScriptedGateway(f"ipc://{socket_directory}/gateway")
    yield gateway
    gateway.destroy()

"""Pytest hooks for directories whose tests are coroutines."""

from __future__ import annotations

import asyncio
import inspect

import pytest

SECONDS = 30


def pytest_configure(config: pytest.Config) -> None:
    limit = f"seconds(limit): how long a coroutine may take, {SECONDS} where nothing is said"
    config.addinivalue_line("markers", limit)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs `async def` tests, each in its own loop and with a timeout."""
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

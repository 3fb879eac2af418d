"""Pytest hooks for directories whose tests are coroutines."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

SECONDS = 30


def pytest_configure(config: pytest.Config) -> None:
    limit = f"seconds(limit): how long a coroutine may take, {SECONDS} where nothing is said"
    config.addinivalue_line("markers", limit)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs `async def` tests, each in its own loop and with a timeout."""
    return run(pyfuncitem, asyncio.run)


async def _nothing() -> None:
    pass


def run(
    pyfuncitem: pytest.Function,
    in_loop: Callable[[Coroutine[Any, Any, None]], None],
    afterwards: Callable[[], Awaitable[None]] = _nothing,
) -> bool | None:
    """Runs an `async def` test with a timeout, and then `afterwards`. Returns `None` for other
    tests."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    marker = pyfuncitem.get_closest_marker("seconds")
    limit = marker.args[0] if marker else SECONDS

    async def test() -> None:
        try:
            async with asyncio.timeout(limit):
                await pyfuncitem.obj(**arguments)
        finally:
            await afterwards()

    in_loop(test())
    return True

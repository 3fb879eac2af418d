"""Enables coroutines as tests in this folder, and lets the tests of the page share a browser."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# These folders contain the modules that start real processes and that compile the example programs
# in the documents.
sys.path.insert(0, str(Path(__file__).parents[1] / "Python"))
sys.path.insert(0, str(Path(__file__).parents[2] / "Scripts"))

import coroutine_tests
from Web.browser import SharedBrowser, sharing

STAGE = pytest.StashKey[tuple[asyncio.Runner, SharedBrowser]]()


def pytest_configure(config: pytest.Config) -> None:
    coroutine_tests.pytest_configure(config)
    config.addinivalue_line("markers", "shares_browser: the test uses the browser of its process")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs `async def` tests. Tests that share a browser run in the loop of that browser."""
    if not pyfuncitem.get_closest_marker("shares_browser"):
        return coroutine_tests.pytest_pyfunc_call(pyfuncitem)
    if STAGE not in pyfuncitem.config.stash:
        pyfuncitem.config.stash[STAGE] = (asyncio.Runner(), SharedBrowser())
    runner, browser = pyfuncitem.config.stash[STAGE]
    with sharing(browser):
        return coroutine_tests.run(pyfuncitem, runner.run, _end_tasks)


def pytest_unconfigure(config: pytest.Config) -> None:
    if STAGE not in config.stash:
        return
    runner, browser = config.stash[STAGE]
    runner.run(browser.close())
    runner.close()


async def _end_tasks() -> None:
    """Cancels the tasks that a test has left running, as `asyncio.run` does at its end.
    Playwright's own tasks continue, because they serve the shared browser.
    """
    left = list(_tasks_of_tests())
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def _tasks_of_tests() -> Iterator[asyncio.Task[object]]:
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        code = getattr(task.get_coro(), "cr_code", None)
        if code is None or "playwright" not in code.co_filename:
            yield task

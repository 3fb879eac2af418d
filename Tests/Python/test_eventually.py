"""The error of a wait that times out names the missing event."""

from __future__ import annotations

import asyncio
import traceback

import pytest

from eventually import OverdueError, blocking_eventually, due, eventually

NAMED = r"the tide did not come within 0\.01 seconds"


async def test_eventually_returns_the_first_true_answer() -> None:
    answers = iter([None, 0, 7, 8])
    assert await eventually("an answer", lambda: next(answers), every=0) == 7


async def test_eventually_awaits_a_coroutine() -> None:
    answers = iter([False, True])

    async def ask() -> bool:
        return next(answers)

    assert await eventually("an answer", ask, every=0)


async def test_a_timeout_names_the_expected_condition() -> None:
    with pytest.raises(OverdueError, match=NAMED):
        await eventually("the tide", lambda: False, within=0.01)
    with pytest.raises(OverdueError, match=NAMED):
        async with due("the tide", 0.01):
            await asyncio.Event().wait()
    with pytest.raises(OverdueError, match=NAMED):
        blocking_eventually("the tide", lambda: False, within=0.01)


async def test_a_timeout_names_a_condition_that_hangs() -> None:
    with pytest.raises(OverdueError, match="the tide"):
        await eventually("the tide", asyncio.Event().wait, within=0.01)


async def test_the_timeout_of_the_whole_test_names_the_expected_condition() -> None:
    with pytest.raises(TimeoutError) as caught:
        async with asyncio.timeout(0.01):
            await eventually("the tide", lambda: False)
    assert "It waited for the tide." in "".join(traceback.format_exception(caught.value))


async def test_an_error_in_the_condition_is_not_reported_as_a_timeout() -> None:
    async def fails() -> bool:
        raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        await eventually("the tide", fails)

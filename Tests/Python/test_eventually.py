"""A wait that times out names the missing event."""

from __future__ import annotations

import asyncio
import traceback

import pytest

from eventually import OverdueError, blocking_eventually, due, eventually

NAMED = r"the tide did not come within 0\.01 seconds"


async def test_the_first_true_answer_is_returned() -> None:
    answers = iter([None, 0, 7, 8])
    assert await eventually("an answer", lambda: next(answers), every=0) == 7


async def test_a_coroutine_is_asked_too() -> None:
    answers = iter([False, True])

    async def ask() -> bool:
        return next(answers)

    assert await eventually("an answer", ask, every=0)


async def test_what_does_not_come_is_named() -> None:
    with pytest.raises(OverdueError, match=NAMED):
        await eventually("the tide", lambda: False, within=0.01)
    with pytest.raises(OverdueError, match=NAMED):
        async with due("the tide", 0.01):
            await asyncio.Event().wait()
    with pytest.raises(OverdueError, match=NAMED):
        blocking_eventually("the tide", lambda: False, within=0.01)


async def test_a_question_that_hangs_is_named_too() -> None:
    with pytest.raises(OverdueError, match="the tide"):
        await eventually("the tide", asyncio.Event().wait, within=0.01)


async def test_the_end_of_the_whole_test_says_what_it_waited_for() -> None:
    with pytest.raises(TimeoutError) as caught:
        async with asyncio.timeout(0.01):
            await eventually("the tide", lambda: False)
    assert "It waited for the tide." in "".join(traceback.format_exception(caught.value))


async def test_the_failure_of_what_is_asked_is_not_taken_for_its_lateness() -> None:
    async def fails() -> bool:
        raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        await eventually("the tide", fails)

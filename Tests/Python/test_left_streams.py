"""Streams that a program leaves before their end are freed and store no more events."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

import pytest

from carillon import EventsLostError, Muted, Session, SessionOptions, Unmuted
from carillon.streams import BoundedStream, Subscribers
from eventually import eventually
from scripted_gateway import GRACE, ScriptedGateway, data_message, entry, mute
from scripted_media import media_moved
from test_session import joining
from transcribed import STARTED, result, said, status, tell

Streams = Callable[[Session], AsyncIterator[Any]]

EACH_KIND: list[Streams] = [
    Session.events,
    Session.messages,
    lambda session: session.video.events(),
    lambda session: session.media.events(),
    lambda session: session.transcripts.events(),
    lambda session: session.transcripts.results(),
    lambda session: aiter(session.transcripts),
]


def open_streams(session: Session) -> int:
    return sum(len(part._subscribers) for part in session._parts._all)


async def happen(gateway: ScriptedGateway, place: int) -> None:
    """Sends events for each kind of stream."""
    await gateway.events(mute(GRACE, is_muted=place % 2 == 1), media_moved("ipc:///x", term=place))
    await gateway.messages(data_message(place, "hello"))
    await tell(gateway, place, said(result(f"r-{place}", "hello")), status(STARTED, at=place))


async def leave_at_the_first_item(stream: AsyncIterator[Any]) -> None:
    async for _ in stream:
        break


@pytest.mark.parametrize("streams", EACH_KIND[:2] + EACH_KIND[3:])
async def test_a_loop_that_ends_with_break_keeps_no_stream_open(
    gateway: ScriptedGateway, streams: Streams
) -> None:
    async with joining(gateway, entry(GRACE)) as (session, events):
        kept = open_streams(session)
        for place in range(1, 4):
            async with asyncio.TaskGroup() as tasks:
                await waiting(tasks.create_task(leave_at_the_first_item(streams(session))))
                await happen(gateway, place)
            assert open_streams(session) == kept
        await events.aclose()


async def waiting(task: asyncio.Task[None]) -> None:
    """Waits until the task is blocked or done."""

    def waits() -> bool:
        return task.done() or getattr(task, "_fut_waiter", None) is not None

    await eventually("the task to wait", waits)


async def test_two_thousand_abandoned_streams_cost_neither_memory_nor_time(
    gateway: ScriptedGateway,
) -> None:
    options = SessionOptions(event_limit=4, message_limit=4)
    async with joining(gateway, entry(GRACE), options=options) as (session, events):
        for _ in range(2_000):
            await leave_at_the_first_item(session.events())
        messages = session.messages()
        for place in range(1, 9):
            await gateway.events(mute(GRACE, is_muted=place % 2 == 1))
            while not isinstance(await anext(events), Muted | Unmuted):
                pass
        await gateway.messages(data_message(1))
        await anext(messages)
        assert session.slow_streams == 0 and open_streams(session) == 2


@pytest.mark.parametrize("streams", EACH_KIND)
async def test_a_stream_without_a_reference_is_freed(
    gateway: ScriptedGateway, streams: Streams
) -> None:
    async with joining(gateway) as (session, _):
        kept = open_streams(session)
        stream = streams(session)
        assert open_streams(session) == kept + 1
        reference = weakref.ref(stream)
        del stream
        assert reference() is None and open_streams(session) == kept


@pytest.mark.parametrize("streams", EACH_KIND)
async def test_aclose_ends_a_stream_and_drops_its_waiting_items(
    gateway: ScriptedGateway, streams: Callable[[Session], BoundedStream[Any]]
) -> None:
    async with joining(gateway, entry(GRACE)) as (session, events):
        kept = open_streams(session)
        async with aclosing(streams(session)) as stream:
            await happen(gateway, 1)
            await anext(events)
        assert open_streams(session) == kept
        assert [item async for item in stream] == []
        await stream.aclose()


async def test_an_abandoned_stream_can_still_be_read_through_a_reference() -> None:
    subscribers: Subscribers[int] = Subscribers()
    stream = BoundedStream[int]((1, 2), 1, subscribers)
    subscribers.add(stream, BoundedStream.push)
    async for number in stream:
        assert number == 1
        break
    subscribers.publish(3)
    assert [await anext(stream) for _ in range(2)] == [2, 3]


async def test_a_waiting_reader_keeps_its_stream_alive() -> None:
    subscribers: Subscribers[int] = Subscribers()
    read: list[int] = []

    async def follow() -> None:
        stream = BoundedStream[int]((), 1, subscribers)
        subscribers.add(stream, BoundedStream.push)
        read.extend([number async for number in stream])

    task = weakref.ref(asyncio.create_task(follow()))
    await eventually("the reader to wait", lambda: len(subscribers) == 1)
    gc.collect()
    assert task() is not None
    subscribers.publish(1)
    subscribers.close()
    await eventually("the reader to end", lambda: task() is None)
    assert read == [1]


async def test_closing_a_stream_whose_reader_was_too_slow_raises_no_error() -> None:
    subscribers: Subscribers[int] = Subscribers()
    stream, other = (BoundedStream[int]((), 1, subscribers) for _ in range(2))
    for each in (stream, other):
        subscribers.add(each, BoundedStream.push)
    subscribers.publish(1)
    subscribers.publish(2)
    await stream.aclose()
    assert [number async for number in stream] == []
    assert await anext(other) == 1
    with pytest.raises(EventsLostError):
        await anext(other)
    assert subscribers.slow_streams == 2


async def test_a_loop_that_ends_with_an_error_keeps_no_stream_open() -> None:
    subscribers: Subscribers[int] = Subscribers()

    def numbers() -> BoundedStream[int]:
        stream = BoundedStream[int]((1,), 1, subscribers)
        subscribers.add(stream, BoundedStream.push)
        return stream

    with pytest.raises(ZeroDivisionError):
        await divide_by_zero(numbers())
    gc.collect()
    assert len(subscribers) == 0
    reading = asyncio.create_task(read_to_the_end(numbers()))
    await waiting(reading)
    assert len(subscribers) == 1
    reading.cancel()
    await asyncio.wait([reading])
    del reading  # The task's error refers to frames that refer to the stream.
    assert len(subscribers) == 0


async def divide_by_zero(stream: AsyncIterator[int]) -> None:
    async for number in stream:
        assert number / 0


async def read_to_the_end(stream: AsyncIterator[Any]) -> None:
    async for _ in stream:
        pass

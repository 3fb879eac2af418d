"""The options of sessions, and small values that sessions share."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from carillon import EventsLostError, MediaDirection, SessionOptions
from carillon.attendees import DIRECTIONS
from carillon.errors import Status, StatusCode, StatusReason, may_repeat
from carillon.positions import Position, Positions, ReadPosition
from carillon.retrying import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, Backoff
from carillon.streams import BoundedStream, Subscribers
from carillon.v1 import common_pb2 as common


@pytest.mark.parametrize(
    "wrong",
    [
        {"event_limit": 0},
        {"message_limit": -1},
        {"send_limit": 0},
        {"send_limit_bytes": 0},
        {"start_seconds": -1.0},
        {"reconnect_seconds": float("nan")},
    ],
)
def test_impossible_options_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        SessionOptions(**wrong)


def test_one_options_value_serves_many_sessions() -> None:
    options = SessionOptions(is_muted=True)
    assert options == SessionOptions(is_muted=True)
    with pytest.raises(FrozenInstanceError):
        options.is_muted = False  # type: ignore[misc]


def test_pauses_grow_to_a_second_with_a_random_part_and_restart_after_a_success() -> None:
    pauses = Backoff()
    for expected in (0.1, 0.2, 0.4, 0.8, 1.0, 1.0):
        assert expected / 2 <= pauses.next_seconds() <= expected
    assert LONGEST_PAUSE_SECONDS == 1.0
    pauses.reset()
    assert pauses.next_seconds() <= FIRST_PAUSE_SECONDS


@pytest.mark.parametrize(
    ("position", "last", "is_new"),
    [
        (Position(7, 4), Position(7, 3), True),
        (Position(7, 3), Position(7, 3), False),
        (Position(7, 2), Position(7, 3), False),
        (Position(6, 1), Position(7, 3), True),
    ],
)
def test_an_event_of_another_epoch_or_with_a_higher_number_is_new(
    position: Position, last: Position, is_new: bool
) -> None:
    assert position.is_ahead_of(last) is is_new


def test_a_reader_advances_only_to_new_positions() -> None:
    read = ReadPosition()
    offered = [Position(7, 1), Position(7, 1), Position(7, 3), Position(7, 2), Position(6, 1)]
    assert [read.advance(each) for each in offered] == [True, False, True, False, True]
    assert read.last == Position(6, 1)


def test_the_last_position_of_a_stream_replaces_earlier_positions() -> None:
    positions = Positions()
    later = common.StreamPosition(stream="roster", epoch=8, sequence=1)
    positions.note([common.StreamPosition(stream="roster", epoch=7, sequence=9), later])
    assert positions.packed() == [later]
    positions.clear()
    assert positions.packed() == []


def test_an_enum_keeps_its_packed_value_and_reads_an_unknown_number_as_unknown() -> None:
    for direction in MediaDirection:
        assert DIRECTIONS.read(DIRECTIONS.pack(direction)) is direction
    assert DIRECTIONS.read(99) is MediaDirection.SEND_RECEIVE


@pytest.mark.parametrize(
    ("status", "is_repeated"),
    [
        (Status(StatusCode.UNAVAILABLE), True),
        (Status(StatusCode.DEADLINE_EXCEEDED), True),
        (Status(StatusCode.ABORTED, reason=StatusReason.STALE_TERM), True),
        (Status(StatusCode.UNAUTHENTICATED), True),
        (Status(StatusCode.RESOURCE_EXHAUSTED, reason=StatusReason.OVERLOADED), True),
        (Status(StatusCode.RESOURCE_EXHAUSTED), False),
        (Status(StatusCode.FAILED_PRECONDITION, reason=StatusReason.MUTED_BY_OPERATOR), False),
        (Status(StatusCode.INVALID_ARGUMENT), False),
        (Status(StatusCode.NOT_FOUND), False),
        (Status(StatusCode.PERMISSION_DENIED), False),
        (Status(StatusCode.UNIMPLEMENTED), False),
        (Status(StatusCode.INTERNAL_ERROR), False),
        (Status(StatusCode.UNKNOWN), False),
    ],
)
def test_a_call_is_repeated_only_after_a_transient_error(status: Status, is_repeated: bool) -> None:
    assert may_repeat(status) is is_repeated


async def test_every_subscriber_gets_each_event_until_the_subscriber_is_too_slow() -> None:
    subscribers: Subscribers[int] = Subscribers()
    slow, quick = (BoundedStream[int]((), limit, subscribers) for limit in (1, 3))
    subscribers.add(slow, BoundedStream.push)
    subscribers.add(quick, lambda stream, number: stream.push(10 * number))
    for number in (1, 2, 3):
        subscribers.publish(number)
    assert slow.was_too_slow and subscribers.slow_streams == 1
    subscribers.close()
    assert [number async for number in quick] == [10, 20, 30]
    late = BoundedStream[int]((), 1, subscribers)
    subscribers.add(late, BoundedStream.push)
    assert late.is_over and subscribers.slow_streams == 1


async def test_a_stream_begins_with_the_backlog_until_the_backlog_is_dropped() -> None:
    subscribers: Subscribers[int] = Subscribers(backlog_limit=2)
    subscribers.publish(1)
    subscribers.publish(2)
    early = BoundedStream[int]((), 2, subscribers)
    subscribers.add(early, BoundedStream.push)
    subscribers.forget_backlog()
    late = BoundedStream[int]((), 2, subscribers)
    subscribers.add(late, BoundedStream.push)
    subscribers.close()
    assert [number async for number in early] == [1, 2]
    assert [number async for number in late] == []


async def test_a_too_long_backlog_also_ends_a_stream_that_wants_few_of_the_events() -> None:
    subscribers: Subscribers[int] = Subscribers(backlog_limit=2)
    for number in (1, 2, 3, 4):
        subscribers.publish(number)
    odd = BoundedStream[int]((), 2, subscribers)
    subscribers.add(odd, lambda stream, number: stream.push(number) if number % 2 else None)
    assert await anext(odd) == 1
    with pytest.raises(EventsLostError):
        await anext(odd)
    assert subscribers.slow_streams == 1

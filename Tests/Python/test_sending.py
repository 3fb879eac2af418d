"""Sending data messages: checks, order, and delivery once."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from carillon import (
    Accepted,
    AttendeeInfo,
    CarillonError,
    DataMessage,
    Ended,
    InvalidMessageError,
    MessageProblem,
    OutboxFullError,
    Reconnected,
    Reconnecting,
    Session,
    SessionOptions,
    SessionStatus,
    StatusCode,
    StatusReason,
    ThrottledError,
)
from carillon.messages.checking import make_request
from carillon.v1 import common_pb2 as common, messaging_pb2, presence_pb2
from scripted_gateway import ADA, GRACE, LIN, SESSION, Call, ScriptedGateway, started_event
from test_session import ada, caught, joining

WINDOW = 32


class Sending:
    """Messages that Ada sends in direct succession, with the texts `1`, `2` and so on."""

    def __init__(self, session: Session, tasks: asyncio.TaskGroup, count: int) -> None:
        self.outcomes = [
            tasks.create_task(outcome(session.send("chat", str(number))))
            for number in range(1, count + 1)
        ]

    async def places(self) -> list[int]:
        """Returns the sequences of the accepted messages, in the order of their sending."""
        found = await asyncio.gather(*self.outcomes)
        return [each.sequence for each in found if isinstance(each, Accepted)]


async def outcome(sending: Any) -> Accepted | CarillonError:
    try:
        accepted = await sending
        assert isinstance(accepted, Accepted)
        return accepted
    except CarillonError as error:
        return error


async def take(gateway: ScriptedGateway, count: int) -> list[Call]:
    return [await gateway.next("SendDataMessage") for _ in range(count)]


def said(calls: list[Call]) -> list[str]:
    return [call.message.data.decode() for call in calls]


def keys(calls: list[Call]) -> list[str]:
    return [call.header.idempotency_key for call in calls]


async def mute(session: Session, gateway: ScriptedGateway) -> None:
    """Mutes, and checks that the mute is the next call that the gateway receives."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(session.mute())
        await (await gateway.next("SetMuted")).reply(presence_pb2.SetMutedReply(is_muted=True))


async def test_a_message_is_sent_with_its_options_and_the_call_returns_its_position(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(session.send("chat", "h\u00fc", 60_000, [GRACE, LIN]))
        call = await gateway.next("SendDataMessage")
        assert call.header.session_id == SESSION
        assert 0 < call.header.timeout_us <= 5_000_000
        key = call.header.idempotency_key
        assert 1 <= len(key) <= 64 and key.isascii() and key.isprintable()
        message = call.message
        assert (message.topic, message.data) == ("chat", "h\u00fc".encode())
        assert (message.lifetime_ms, list(message.recipients)) == (60_000, [GRACE, LIN])
        assert not sending.done()
        await call.accept(17)
        assert await sending == Accepted(17, "m-17", 1_017, epoch=5, is_repeat=False)


@pytest.mark.parametrize(
    ("data", "packed"),
    [
        ("", b""),
        (b"", b""),
        ("a\x00b", b"a\x00b"),
        (b"\xff\xfe\x00", b"\xff\xfe\x00"),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"abcd")[::2], b"ac"),
        ([], b"[]"),
        ({}, b"{}"),
        ([116, 101], b"[116,101]"),
        ((1, 2), b"[1,2]"),
        ({"a": [1, None, True, "\u00fc"]}, '{"a":[1,null,true,"\u00fc"]}'.encode()),
        ("x" * 2048, b"x" * 2048),
        ("\u00fc" * 1024, "\u00fc".encode() * 1024),
    ],
)
def test_a_payload_of_text_or_json_is_sent_as_bytes(data: Any, packed: bytes) -> None:
    assert make_request("chat", data, 0, ()).data == packed


@pytest.mark.parametrize("topic", ["a", "x" * 36, "Az09_-", "-", "_"])
def test_a_topic_has_1_to_36_word_characters(topic: str) -> None:
    assert make_request(topic, "", 0, ()).topic == topic


def test_a_message_may_have_any_lifetime() -> None:
    assert make_request("chat", "", 1 << 40, ()).lifetime_ms == (1 << 31) - 1


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"lifetime_ms": -1}, MessageProblem.NEGATIVE_LIFETIME),
        ({"topic": ""}, MessageProblem.INVALID_TOPIC),
        ({"topic": "x" * 37}, MessageProblem.INVALID_TOPIC),
        ({"topic": "chat\n"}, MessageProblem.INVALID_TOPIC),
        ({"topic": "a b"}, MessageProblem.INVALID_TOPIC),
        ({"topic": "\u00fc"}, MessageProblem.INVALID_TOPIC),
        ({"topic": "\u0663"}, MessageProblem.INVALID_TOPIC),
        ({"topic": "aws:chime:transcription"}, MessageProblem.INVALID_TOPIC),
        ({"topic": "carillon:notice"}, MessageProblem.INVALID_TOPIC),
        ({"topic": None}, MessageProblem.INVALID_TOPIC),
        ({"data": 5}, MessageProblem.INVALID_DATA),
        ({"data": True}, MessageProblem.INVALID_DATA),
        ({"data": 1.5}, MessageProblem.INVALID_DATA),
        ({"data": None}, MessageProblem.INVALID_DATA),
        ({"data": {1, 2}}, MessageProblem.INVALID_DATA),
        ({"data": [object()]}, MessageProblem.INVALID_DATA),
        ({"data": [float("nan")]}, MessageProblem.INVALID_DATA),
        ({"data": CYCLE}, MessageProblem.INVALID_DATA),
        ({"data": "\ud800"}, MessageProblem.INVALID_DATA),
        ({"data": ["\ud800"]}, MessageProblem.INVALID_DATA),
        ({"data": "x" * 2049}, MessageProblem.INVALID_DATA_LENGTH),
        ({"data": bytes(2049)}, MessageProblem.INVALID_DATA_LENGTH),
        ({"data": "\u00fc" * 1025}, MessageProblem.INVALID_DATA_LENGTH),
        ({"data": ["x" * 2045]}, MessageProblem.INVALID_DATA_LENGTH),
        ({"recipients": GRACE}, MessageProblem.INVALID_RECIPIENTS),
        ({"recipients": [""]}, MessageProblem.INVALID_RECIPIENTS),
        ({"recipients": [GRACE, 7]}, MessageProblem.INVALID_RECIPIENTS),
        ({"recipients": [GRACE + "#content"]}, MessageProblem.INVALID_RECIPIENTS),
        ({"recipients": [GRACE] * 251}, MessageProblem.INVALID_RECIPIENTS),
        # The error names the first check that fails.
        ({"lifetime_ms": -1, "topic": "", "data": 5}, MessageProblem.NEGATIVE_LIFETIME),
        ({"topic": "", "data": 5, "recipients": ""}, MessageProblem.INVALID_TOPIC),
        ({"data": 5, "recipients": ""}, MessageProblem.INVALID_DATA),
        ({"data": bytes(2049), "recipients": ""}, MessageProblem.INVALID_DATA_LENGTH),
    ],
)
async def test_the_client_rejects_an_invalid_message(
    gateway: ScriptedGateway, arguments: dict[str, Any], problem: MessageProblem
) -> None:
    async with joining(gateway) as (session, _):
        with pytest.raises(InvalidMessageError) as error:
            await session.send(**{"topic": "chat", "data": "x"} | arguments)
        assert error.value.problem is problem
        assert error.value.status_code is StatusCode.INVALID_ARGUMENT
        assert isinstance(error.value, ValueError)


async def test_a_message_above_the_servers_byte_limit_is_rejected(gateway: ScriptedGateway) -> None:
    limits = common.Limits(data_message_bytes=3)
    async with joining(gateway, limits=limits) as (session, _), asyncio.TaskGroup() as tasks:
        with pytest.raises(InvalidMessageError):
            await session.send("chat", "abcd")
        sending = tasks.create_task(session.send("chat", "abc"))
        await (await gateway.next("SendDataMessage")).accept(1)
        await sending


async def test_a_session_that_is_not_open_cannot_send(gateway: ScriptedGateway) -> None:
    session = ada(gateway)
    error = await caught(session.send("", object(), -1))  # type: ignore[arg-type]
    assert error.status_code is StatusCode.FAILED_PRECONDITION
    async with joining(gateway) as (session, events):
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        )
        assert isinstance(await anext(events), Ended)
        error = await caught(session.send("chat", "late"))
        assert error.status_code is StatusCode.FAILED_PRECONDITION
        assert error.session_status is SessionStatus.AUDIO_SERVER_HUNGUP


async def test_a_throttled_message_is_reported_and_can_be_sent_again(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        chat = session.messages("chat")
        sending = tasks.create_task(caught(session.send("chat", "x", 500, [GRACE])))
        first = await gateway.next("SendDataMessage")
        await first.throttle(250)
        error = await sending
        assert isinstance(error, ThrottledError) and error.retry_after_ms == 250
        assert error.returned == DataMessage(
            topic="chat",
            data=b"x",
            sender=AttendeeInfo(ADA, "ada"),
            lifetime_ms=500,
            recipients=(GRACE,),
            throttled=True,
        )
        again = tasks.create_task(session.send("chat", "x", 500, [GRACE]))
        second = await gateway.next("SendDataMessage")
        assert second.header.idempotency_key != first.header.idempotency_key
        await second.accept(1)
        await again
        await session.leave()
        await gateway.next("Stop")
        assert [message async for message in chat] == []


@pytest.mark.parametrize(
    "code",
    [
        common.STATUS_CODE_INVALID_ARGUMENT,
        common.STATUS_CODE_FAILED_PRECONDITION,
        common.STATUS_CODE_RESOURCE_EXHAUSTED,
        common.STATUS_CODE_INTERNAL_ERROR,
    ],
)
async def test_a_rejection_is_reported_and_not_retried(gateway: ScriptedGateway, code: int) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(caught(session.send("chat", "no")))
        await (await gateway.next("SendDataMessage")).fail(code, message="No.")
        error = await sending
        assert (error.status_code, error.message) == (code, "No.")
        following = tasks.create_task(session.send("chat", "yes"))
        call = await gateway.next("SendDataMessage")
        assert call.message.data == b"yes"
        await call.accept(1)
        await following


async def test_a_client_that_sends_too_much_gets_errors_and_is_then_removed(
    gateway: ScriptedGateway,
) -> None:
    flooding: dict[str, Any] = {
        "code": common.STATUS_CODE_RESOURCE_EXHAUSTED,
        "session_status": common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        "reason": common.STATUS_REASON_FLOODING,
    }
    async with joining(gateway) as (session, events), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, 3)
        calls = await take(gateway, 3)
        await calls[0].accept(1)
        await calls[1].fail(**flooding)
        await gateway.end(**flooding)
        ended = await anext(events)
        assert isinstance(ended, Ended) and ended.status.reason is StatusReason.FLOODING
        first, second, third = await asyncio.gather(*sending.outcomes)
        assert isinstance(first, Accepted)
        assert isinstance(second, CarillonError)
        assert second.status_code is StatusCode.RESOURCE_EXHAUSTED
        for error in (second, third):
            assert isinstance(error, CarillonError)
            assert error.session_status is SessionStatus.AUDIO_SERVER_HUNGUP
            assert error.reason is StatusReason.FLOODING


async def test_messages_are_sent_in_the_order_of_the_calls_without_waiting_for_answers(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, 90)
        calls = await take(gateway, WINDOW)
        for number in range(WINDOW):
            await calls[number].accept(number + 1)
        calls += await take(gateway, WINDOW)
        for number in range(WINDOW, 2 * WINDOW):
            await calls[number].accept(number + 1)
        calls += await take(gateway, 90 - 2 * WINDOW)
        for number in reversed(range(2 * WINDOW, 90)):
            await calls[number].accept(number + 1)
        assert said(calls) == [str(number) for number in range(1, 91)]
        assert len(set(keys(calls))) == 90
        assert await sending.places() == list(range(1, 91))


async def test_no_more_calls_are_open_than_a_connection_allows(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, WINDOW + 1)
        calls = await take(gateway, WINDOW)
        await mute(session, gateway)  # A message beyond the window would arrive before the mute.
        await calls[5].accept(1)
        calls += await take(gateway, 1)
        assert said(calls[-1:]) == [str(WINDOW + 1)]
        for call in calls[:5] + calls[6:]:
            await call.accept(2)
        assert len(await sending.places()) == WINDOW + 1


@pytest.mark.parametrize(
    "status",
    [
        {"code": common.STATUS_CODE_UNAVAILABLE},
        {"code": common.STATUS_CODE_DEADLINE_EXCEEDED},
        {"code": common.STATUS_CODE_ABORTED},
        {"code": common.STATUS_CODE_UNAUTHENTICATED},
        {
            "code": common.STATUS_CODE_RESOURCE_EXHAUSTED,
            "reason": common.STATUS_REASON_OVERLOADED,
        },
    ],
)
async def test_after_a_transient_failure_a_message_is_retried_with_the_same_key(
    gateway: ScriptedGateway, status: dict[str, Any]
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(session.send("chat", "x"))
        calls = await take(gateway, 1)
        await calls[0].fail(**status)
        calls += await take(gateway, 1)
        await calls[1].fail(**status)
        calls += await take(gateway, 1)
        await calls[2].accept(9, is_repeat=True)
        assert (await sending).is_repeat
        assert len(set(keys(calls))) == 1
        assert calls[0].message == calls[2].message


async def test_after_a_failure_one_message_is_retried_first_and_the_others_follow_in_order(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, 4)
        calls = await take(gateway, 4)
        await calls[0].accept(1)
        for call in calls[1:]:
            await call.fail(common.STATUS_CODE_UNAVAILABLE)
        probe = await gateway.next("SendDataMessage")
        assert said([probe]) == ["2"]
        later = tasks.create_task(session.send("chat", "5"))
        await probe.fail(common.STATUS_CODE_UNAVAILABLE)
        probe = await gateway.next("SendDataMessage")
        assert said([probe]) == ["2"]
        await probe.accept(2)
        others = await take(gateway, 3)
        assert said(others) == ["3", "4", "5"]
        assert keys([probe, *others[:2]]) == keys(calls[1:])
        for number, call in enumerate(others, start=3):
            await call.accept(number)
        assert await sending.places() == [1, 2, 3, 4]
        assert (await later).sequence == 5


async def test_nothing_is_sent_while_the_outcome_of_other_messages_is_unknown(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, WINDOW + 8)
        calls = await take(gateway, WINDOW)
        await calls[0].fail(common.STATUS_CODE_UNAVAILABLE)
        for number in range(1, WINDOW - 1):
            await calls[number].accept(number)
        # The first message and the eight messages beyond the window wait for the outcome of the
        # last message in flight.
        await mute(session, gateway)
        await calls[WINDOW - 1].accept(WINDOW - 1)
        probe = await gateway.next("SendDataMessage")
        assert said([probe]) == ["1"] and keys([probe]) == keys(calls[:1])
        await probe.accept(WINDOW)
        others = await take(gateway, 8)
        assert said(others) == [str(number) for number in range(WINDOW + 1, WINDOW + 9)]
        for number, call in enumerate(others, start=WINDOW + 1):
            await call.accept(number)
        assert sorted(await sending.places()) == list(range(1, WINDOW + 9))


async def test_after_a_lost_connection_the_session_resends_unanswered_messages_before_new_ones(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, 3)
        calls = await take(gateway, 3)
        await calls[0].accept(1)
        await sending.outcomes[0]
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        waiting = [tasks.create_task(session.send("chat", text)) for text in ("4", "5")]
        gateway.listen()
        await gateway.expect_start()
        await gateway.events(started_event(is_resumed=True, is_recovered=True))
        assert isinstance(await anext(events), Reconnected)
        probe = await gateway.next("SendDataMessage")
        assert said([probe]) == ["2"]
        await probe.accept(2, is_repeat=True)
        others = await take(gateway, 3)
        assert said(others) == ["3", "4", "5"]
        assert keys([probe, others[0]]) == keys(calls[1:])
        for number, call in enumerate(others, start=3):
            await call.accept(number)
        assert await sending.places() == [1, 2, 3]
        assert [each.sequence for each in await asyncio.gather(*waiting)] == [4, 5]


async def test_a_retry_uses_the_id_of_the_new_session(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events), asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(session.send("chat", "x"))
        first = await gateway.next("SendDataMessage")
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        await gateway.admit(session_id=bytes(16))
        second = await gateway.next("SendDataMessage")
        assert second.header.session_id == bytes(16)
        assert keys([first]) == keys([second])
        await second.accept(1)
        await sending


async def test_a_resume_requested_by_the_gateway_loses_no_message(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, 2)
        calls = await take(gateway, 2)
        await gateway.end(
            common.STATUS_CODE_UNAVAILABLE,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVICE_UNAVAILABLE,
        )
        assert isinstance(await anext(events), Reconnecting)
        await gateway.admit(is_resumed=True)
        again = await take(gateway, 1)
        await again[0].accept(1)
        again += await take(gateway, 1)
        await again[1].accept(2)
        assert keys(again) == keys(calls)
        assert await sending.places() == [1, 2]


async def test_a_retry_that_would_count_as_a_new_message_is_not_sent(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        session._parts.outbox.repeat_seconds = 0.05
        sending = tasks.create_task(caught(session.send("chat", "x")))
        await gateway.next("SendDataMessage")
        error = await sending
        assert error.status_code is StatusCode.DEADLINE_EXCEEDED
        assert "may or may not have been delivered" in error.message
        assert (await gateway.next("CANCEL")).method == "CANCEL"
        session._parts.outbox.repeat_seconds = 180
        following = tasks.create_task(session.send("chat", "y"))
        call = await gateway.next("SendDataMessage")
        assert call.message.data == b"y"
        await call.accept(1)
        await following


async def test_too_many_unanswered_messages_are_an_error(gateway: ScriptedGateway) -> None:
    async with (
        joining(gateway, options=SessionOptions(send_limit=2)) as (session, events),
        asyncio.TaskGroup() as tasks,
    ):
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        sending = Sending(session, tasks, 3)
        error = await sending.outcomes[2]
        assert isinstance(error, OutboxFullError) and error.limit == 2
        assert error.status_code is StatusCode.RESOURCE_EXHAUSTED
        gateway.listen()
        await gateway.admit(is_resumed=True)
        for number, call in enumerate(await take(gateway, 2), start=1):
            await call.accept(number)
        assert await sending.places() == [1, 2]
        room = tasks.create_task(session.send("chat", "x"))
        await (await gateway.next("SendDataMessage")).accept(3)
        assert (await room).sequence == 3


async def test_too_many_unanswered_bytes_are_an_error(gateway: ScriptedGateway) -> None:
    async with (
        joining(gateway, options=SessionOptions(send_limit_bytes=5_000)) as (session, events),
        asyncio.TaskGroup() as tasks,
    ):
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        sending = [tasks.create_task(outcome(session.send("chat", bytes(2048)))) for _ in range(3)]
        small = tasks.create_task(session.send("chat", "small"))
        assert isinstance(await sending[2], OutboxFullError)
        gateway.listen()
        await gateway.admit(is_resumed=True)
        for number, call in enumerate(await take(gateway, 3), start=1):
            await call.accept(number)
        assert (await small).sequence == 3


async def test_a_message_that_is_cancelled_while_it_waits_is_not_sent(
    gateway: ScriptedGateway,
) -> None:
    async with (
        joining(gateway, options=SessionOptions(send_limit=2)) as (session, events),
        asyncio.TaskGroup() as tasks,
    ):
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        given_up = tasks.create_task(session.send("chat", "1"))
        sending = tasks.create_task(session.send("chat", "2"))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait([given_up])
        other = tasks.create_task(session.send("chat", "3"))
        gateway.listen()
        await gateway.admit(is_resumed=True)
        calls = await take(gateway, 2)
        assert said(calls) == ["2", "3"]
        for number, call in enumerate(calls, start=1):
            await call.accept(number)
        assert ((await sending).sequence, (await other).sequence) == (1, 2)


async def test_a_message_that_is_cancelled_during_its_call_does_not_delay_others(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(session.send("chat", "1"))
        call = await gateway.next("SendDataMessage")
        sending.cancel()
        cancel = await gateway.next("CANCEL")
        assert cancel.header.call_id == call.header.call_id
        following = tasks.create_task(session.send("chat", "2"))
        await (await gateway.next("SendDataMessage")).accept(2)
        assert (await following).sequence == 2


async def test_after_a_leave_each_unanswered_message_has_an_error(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = Sending(session, tasks, WINDOW + 1)
        await take(gateway, WINDOW)
        await session.leave()
        await gateway.next("Stop")
        errors = await asyncio.gather(*sending.outcomes)
        assert all(isinstance(error, CarillonError) for error in errors)
        assert "may or may not" in str(errors[0]) and "was not sent" in str(errors[-1])


async def test_a_session_that_cannot_resume_fails_its_waiting_messages(
    gateway: ScriptedGateway,
) -> None:
    async with (
        joining(gateway, options=SessionOptions(reconnect_seconds=0.2)) as (session, events),
        asyncio.TaskGroup() as tasks,
    ):
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        error = await tasks.create_task(caught(session.send("chat", "x")))
        assert error.status_code is StatusCode.FAILED_PRECONDITION
        assert error.session_status is SessionStatus.AUDIO_DISCONNECTED
        assert "was not sent" in error.message


async def test_an_unknown_answer_of_a_newer_gateway_is_not_a_success(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(caught(session.send("chat", "x")))
        call = await gateway.next("SendDataMessage")
        await call.reply(messaging_pb2.SendDataMessageReply())
        assert (await sending).status_code is StatusCode.UNKNOWN


async def test_a_defect_while_sending_fails_only_the_affected_message(
    gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        with monkeypatch.context() as patch:
            patch.setattr("carillon.messages.outbox.replace", None)
            error = await caught(session.send("chat", "x"))
        assert error.status_code is StatusCode.INTERNAL_ERROR
        following = tasks.create_task(session.send("chat", "y"))
        await (await gateway.next("SendDataMessage")).accept(1)
        await following


class Log:
    """A log that stores each idempotency key once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.texts: list[str] = []

    def store(self, call: Call) -> tuple[int, bool]:
        """Stores a message, and returns its sequence and whether it was a repeat."""
        key = call.header.idempotency_key
        if is_new := key not in self.places:
            self.texts.append(call.message.data.decode())
            self.places[key] = len(self.texts)
        return self.places[key], not is_new


async def serve(
    gateway: ScriptedGateway, log: Log, dice: random.Random, losses: int, refusal_rate: float
) -> None:
    """Stores messages, rejects some temporarily, and disconnects `losses` times."""
    refusals = 0
    while True:
        call = await gateway.next_call()
        if call.method == "CANCEL":
            continue
        assert call.method == "SendDataMessage"
        if losses and dice.random() < 0.05:
            losses -= 1
            pending = [call, *gateway.take_calls()]
            for stored in pending[: dice.randrange(len(pending) + 1)]:
                if stored.method == "SendDataMessage":
                    log.store(stored)
            gateway.vanish()
            gateway.take_calls()
            gateway.listen()
            await gateway.admit(is_resumed=True)
        elif refusals or dice.random() < refusal_rate:
            refusals = refusals - 1 if refusals else dice.randrange(4)
            await call.fail(common.STATUS_CODE_UNAVAILABLE)
        else:
            place, is_repeat = log.store(call)
            await call.accept(place, is_repeat=is_repeat)


@pytest.mark.parametrize("refusal_rate", [0, 0.05])
@pytest.mark.parametrize("seed", range(5))
async def test_with_any_failure_each_message_is_stored_once_and_its_position_is_reported(
    gateway: ScriptedGateway, seed: int, refusal_rate: float
) -> None:
    dice, log = random.Random(seed), Log()
    texts = [str(number) for number in range(1, 151)]
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(serve(gateway, log, dice, 3, refusal_rate))
        places = await Sending(session, tasks, len(texts)).places()
        serving.cancel()
        assert [log.texts[place - 1] for place in places] == texts
        assert len(log.texts) == len(texts)
        # Lost connections alone do not change the order.
        assert refusal_rate or log.texts == texts

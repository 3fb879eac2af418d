"""Calls over a channel to a scripted server."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carillon import CarillonError, StatusCode, StatusReason
from carillon.methods import GET_LIMITS, SET_MUTED, StreamMethod
from carillon.rpc import CallOptions, Channel
from carillon.v1 import common_pb2 as common, gateway_pb2, presence_pb2
from scripted_gateway import FACADE, ScriptedGateway

_NOBODY = 65_534
"""The id of a user who owns no files."""

# The tests could use any streaming method. They use a `Start` by a caller without a session.
WATCH = StreamMethod(FACADE + "Start", gateway_pb2.StartRequest, gateway_pb2.SessionEvents)
ITEM = gateway_pb2.SessionEvents(positions=[common.StreamPosition(stream="roster")])


@contextlib.contextmanager
def shut_out(path: Path, *, mode: int) -> Iterator[None]:
    """Sets the mode of a path, and runs the block as a user without privileges."""
    before, user = path.stat().st_mode, os.geteuid()
    path.chmod(mode)
    if user == 0:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
        path.chmod(before)


async def caught(call: Any) -> CarillonError:
    with pytest.raises(CarillonError) as error:
        await call
    return error.value


async def test_a_call_gets_an_answer(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        options = CallOptions(term=3, traceparent="00-1", idempotency_key="once")
        calling = tasks.create_task(
            channel.unary(GET_LIMITS, common.GetLimitsRequest(), timeout=9, options=options)
        )
        call = await gateway.next("GetLimits")
        assert call.header.term == 3
        assert call.header.traceparent == "00-1" and call.header.idempotency_key == "once"
        assert 8_000_000 < call.header.timeout_us <= 9_000_000
        await call.reply(common.Limits(max_attendees=5))
        assert (await calling).max_attendees == 5


async def test_answers_match_their_calls_in_any_order(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        asking = [
            tasks.create_task(channel.unary(GET_LIMITS, common.GetLimitsRequest()))
            for _ in range(3)
        ]
        calls = [await gateway.next("GetLimits") for _ in asking]
        assert len({call.header.call_id for call in calls}) == 3
        for number, call in reversed(list(enumerate(calls))):
            await call.reply(common.Limits(max_attendees=number))
        assert [(await each).max_attendees for each in asking] == [0, 1, 2]


async def test_an_error_has_the_status_of_the_answer(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        request = presence_pb2.SetMutedRequest(is_muted=True)
        calling = tasks.create_task(caught(channel.unary(SET_MUTED, request)))
        await (await gateway.next("SetMuted")).fail(99, reason=99, session_status=99, message="No.")
        error = await calling
        assert error.status_code is StatusCode.UNKNOWN
        assert error.reason is StatusReason.UNSPECIFIED
        assert error.session_status.name == "UNKNOWN" and str(error) == "UNKNOWN: No."


async def test_a_call_past_its_deadline_fails_and_is_cancelled(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        await channel.connected()
        error = await caught(channel.unary(GET_LIMITS, common.GetLimitsRequest(), timeout=0.05))
        assert error.status_code is StatusCode.DEADLINE_EXCEEDED
        call = await gateway.next("GetLimits")
        assert call.header.timeout_us <= 50_000
        assert (await gateway.next("CANCEL")).header.call_id == call.header.call_id


async def test_cancelling_the_task_cancels_the_call(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        calling = asyncio.create_task(channel.unary(GET_LIMITS, common.GetLimitsRequest()))
        call = await gateway.next("GetLimits")
        calling.cancel()
        cancel = await gateway.next("CANCEL")
        assert cancel.header.call_id == call.header.call_id and cancel.body == b""
        await call.reply(common.Limits())  # This reply arrives too late, and the client ignores it.
        with pytest.raises(asyncio.CancelledError):
            await calling


async def test_a_call_to_an_absent_peer_is_unavailable(gateway: ScriptedGateway) -> None:
    async with Channel(gateway.endpoint) as channel:
        error = await caught(channel.unary(GET_LIMITS, common.GetLimitsRequest(), timeout=0.05))
        assert error.status_code is StatusCode.UNAVAILABLE


@pytest.mark.parametrize("reconnects", [True, False])
async def test_an_error_names_the_missing_socket(
    gateway: ScriptedGateway, reconnects: bool
) -> None:
    async with Channel(gateway.endpoint, reconnects=reconnects) as channel:
        error = await caught(channel.unary(GET_LIMITS, common.GetLimitsRequest(), timeout=0.5))
        path = gateway.endpoint.removeprefix("ipc://")
        assert f"{path} does not exist: start the gateway" in error.message
        assert "try again" not in error.message


@pytest.mark.parametrize("reconnects", [True, False])
async def test_an_error_names_the_directory_that_the_user_cannot_enter(
    gateway: ScriptedGateway, socket_directory: Path, reconnects: bool
) -> None:
    async with gateway:
        with shut_out(socket_directory, mode=0o000):
            async with Channel(gateway.endpoint, reconnects=reconnects) as channel:
                call = channel.unary(GET_LIMITS, common.GetLimitsRequest(), timeout=0.5)
                error = await caught(call)
                assert f"this user may not enter {socket_directory}: run" in error.message
                assert "--listen-tcp" in error.message and "try again" not in error.message


async def test_an_error_names_the_socket_that_the_user_cannot_open(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with gateway:
        path = Path(gateway.endpoint.removeprefix("ipc://"))
        socket_directory.chmod(0o755)
        with shut_out(path, mode=0o444):
            async with Channel(gateway.endpoint, reconnects=False) as channel:
                error = await caught(channel.unary(GET_LIMITS, common.GetLimitsRequest()))
                assert f"this user may not write to {path}: run" in error.message


async def test_open_calls_fail_when_the_connection_drops_and_calls_after_the_reconnect_succeed(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        calling = tasks.create_task(caught(channel.unary(GET_LIMITS, common.GetLimitsRequest())))
        await gateway.next("GetLimits")
        gateway.vanish()
        assert (await calling).status_code is StatusCode.UNAVAILABLE
        gateway.listen()
        again = tasks.create_task(channel.unary(GET_LIMITS, common.GetLimitsRequest()))
        await (await gateway.next("GetLimits")).reply(common.Limits(max_attendees=1))
        assert (await again).max_attendees == 1


async def test_a_channel_without_reconnects_stays_disconnected(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint, reconnects=False) as channel:
        await channel.connected()
        call = asyncio.create_task(caught(channel.unary(GET_LIMITS, common.GetLimitsRequest())))
        await gateway.next("GetLimits")
        gateway.vanish()
        assert (await call).status_code is StatusCode.UNAVAILABLE
        error = await caught(channel.unary(GET_LIMITS, common.GetLimitsRequest()))
        assert error.status_code is StatusCode.UNAVAILABLE and not channel.is_connected


async def test_closing_a_channel_fails_its_open_calls(gateway: ScriptedGateway) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        async with Channel(gateway.endpoint) as channel:
            calling = tasks.create_task(
                caught(channel.unary(GET_LIMITS, common.GetLimitsRequest()))
            )
            await gateway.next("GetLimits")
        assert (await calling).status_code is StatusCode.CANCELLED


@pytest.mark.parametrize(
    "frame", [b"", b"\x09\x08", b"\x04\x10\x01\x18"], ids=["nothing", "cut off", "no header"]
)
async def test_an_invalid_reply_frame_fails_all_open_calls(
    gateway: ScriptedGateway, frame: bytes
) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        calling = tasks.create_task(caught(channel.unary(GET_LIMITS, common.GetLimitsRequest())))
        call = await gateway.next("GetLimits")
        await gateway.send_bytes(frame, call.route)
        error = await calling
        assert error.status_code is StatusCode.INTERNAL_ERROR
        assert error.reason is StatusReason.MALFORMED


async def test_a_reply_with_an_invalid_body_fails_only_its_call(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        first = tasks.create_task(caught(channel.unary(GET_LIMITS, common.GetLimitsRequest())))
        call = await gateway.next("GetLimits")
        second = tasks.create_task(channel.unary(GET_LIMITS, common.GetLimitsRequest()))
        other = await gateway.next("GetLimits")
        await gateway.send_bytes(b"\x04\x08\x01\x10\x01\xff", call.route)
        assert call.header.call_id == 1
        assert (await first).reason is StatusReason.MALFORMED
        await other.reply(common.Limits())
        await second


async def test_an_unreadable_request_fails_all_open_calls(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        calling = tasks.create_task(caught(channel.unary(GET_LIMITS, common.GetLimitsRequest())))
        call = await gateway.next("GetLimits")
        call.header.call_id = 0
        await call.fail(common.STATUS_CODE_INVALID_ARGUMENT, reason=common.STATUS_REASON_MALFORMED)
        assert (await calling).status_code is StatusCode.INVALID_ARGUMENT


async def test_a_stream_yields_its_items_and_then_ends(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        async with channel.stream(WATCH, gateway_pb2.StartRequest()) as items:
            call = await gateway.next("Start")
            assert call.header.timeout_us == 0
            for _ in range(3):
                await call.item(ITEM)
            await call.end()
            assert [item async for item in items] == [ITEM, ITEM, ITEM]


async def test_a_failing_stream_raises_its_error_after_its_items(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        async with channel.stream(WATCH, gateway_pb2.StartRequest()) as items:
            call = await gateway.next("Start")
            await call.item(ITEM)
            await call.end(common.Status(code=common.STATUS_CODE_ABORTED))
            assert await anext(items) == ITEM
            assert (await caught(anext(items))).status_code is StatusCode.ABORTED


async def test_leaving_the_block_of_a_stream_cancels_the_stream(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        async with channel.stream(WATCH, gateway_pb2.StartRequest()) as items:
            call = await gateway.next("Start")
            await call.item(ITEM)
            assert await anext(items) == ITEM
        assert (await gateway.next("CANCEL")).header.call_id == call.header.call_id
        assert (await caught(anext(items))).status_code is StatusCode.CANCELLED


async def test_a_stream_that_is_read_too_slowly_is_cancelled_with_an_error(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        async with channel.stream(WATCH, gateway_pb2.StartRequest(), limit=2) as items:
            call = await gateway.next("Start")
            for _ in range(3):
                await call.item(ITEM)
            await gateway.next("CANCEL")
            assert [await anext(items), await anext(items)] == [ITEM, ITEM]
            error = await caught(anext(items))
            assert error.status_code is StatusCode.RESOURCE_EXHAUSTED
            assert error.reason is StatusReason.SLOW_CONSUMER


async def test_a_unary_call_that_gets_an_item_fails(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel, asyncio.TaskGroup() as tasks:
        calling = tasks.create_task(caught(channel.unary(GET_LIMITS, common.GetLimitsRequest())))
        await (await gateway.next("GetLimits")).item(presence_pb2.SetMutedReply())
        assert (await calling).reason is StatusReason.MALFORMED


@pytest.mark.parametrize(
    "endpoint", ["", "gateway", "http://127.0.0.1", "tcp://127.0.0.1:7400?curve=abc", "ipc://"]
)
async def test_an_invalid_endpoint_is_refused(endpoint: str) -> None:
    with pytest.raises(CarillonError) as error:
        async with Channel(endpoint):
            pass
    assert error.value.status_code is StatusCode.INVALID_ARGUMENT


async def test_a_path_too_long_for_a_unix_socket_is_refused() -> None:
    with pytest.raises(CarillonError) as error:
        async with Channel("ipc:///" + "x" * 200):
            pass
    assert error.value.status_code is StatusCode.INVALID_ARGUMENT

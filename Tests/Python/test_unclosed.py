"""An open object without a reference closes, and warns with the line that created the object."""

from __future__ import annotations

import asyncio
import gc
import inspect
import re
import sys
import tracemalloc
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carillon
from carillon import (
    AttendeeEvent,
    Credentials,
    PublishedVideo,
    Session,
    SessionOptions,
    VideoCodec,
    VideoKind,
    VideoLayer,
)
from carillon.media import (
    AudioReceiver,
    AudioSender,
    MediaConnection,
    MediaListener,
    VideoReceiver,
    VideoSender,
)
from carillon.methods import StreamMethod
from carillon.rpc import Channel
from carillon.v1 import common_pb2 as common, gateway_pb2
from eventually import eventually
from scripted_gateway import ADA, FACADE, GRACE, MEETING, TOKEN, ScriptedGateway, joined
from scripted_media import ScriptedMedia, media_moved
from test_left_streams import read_to_the_end, waiting
from test_media_connection import Ear, moved
from test_session import ada, joining

WATCH = StreamMethod(FACADE + "Start", gateway_pb2.StartRequest, gateway_pb2.SessionEvents)
HERE = re.escape(__file__)


@contextmanager
def nothing_unclosed() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
        gc.collect()
    assert [str(each.message) for each in caught if "carillon" in str(each.source)] == []
    assert [str(each.message) for each in caught if "unclosed" in str(each.message)] == []


# Sessions


async def entered(gateway: ScriptedGateway, **admission: Any) -> Session:
    """Returns an entered session to which only the caller refers."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(gateway.admit(**admission))
        return await ada(gateway).__aenter__()


async def test_a_session_without_a_reference_warns_and_leaves(gateway: ScriptedGateway) -> None:
    async with gateway:
        session = await entered(gateway)
        events = session.events()
        running = session._connection._task
        assert running is not None
        with pytest.warns(ResourceWarning, match=r"unclosed <Session of .*\.py:\d+; .*leave\(\)"):
            del session
        await gateway.next("Stop")
        await asyncio.wait([running])
        assert [type(event).__name__ async for event in events] == ["Joined", "Ended"]


async def test_the_warning_names_the_line_that_made_the_session(gateway: ScriptedGateway) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        tasks.create_task(gateway.admit())
        options = SessionOptions(gateway_url=gateway.endpoint)
        session = carillon.join(MEETING, Credentials(ADA, TOKEN), options)
        line = inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
        await session.__aenter__()
        with pytest.warns(
            ResourceWarning, match=f"made in test_the_.* at {HERE}:{line};"
        ) as caught:
            del session
        assert (caught[0].filename, caught[0].lineno) == (__file__, line)
        await gateway.next("Stop")


async def test_with_tracemalloc_the_warning_has_the_whole_traceback(
    gateway: ScriptedGateway,
) -> None:
    async with gateway:
        tracemalloc.start()
        try:
            session = await entered(gateway)
        finally:
            tracemalloc.stop()
        way = rf"(?s)most recent call last.*{HERE}.*in entered.*in ada\n +return carillon\.join"
        with pytest.warns(ResourceWarning, match=way):
            del session
        await gateway.next("Stop")


async def test_the_collector_finds_a_session_in_a_cycle(gateway: ScriptedGateway) -> None:
    async with gateway:
        session: Any = await entered(gateway)
        session.myself = session
        session = weakref.ref(session)
        with pytest.warns(ResourceWarning, match="unclosed <Session"):
            gc.collect()
        await gateway.next("Stop")


async def test_a_session_leaves_when_another_thread_collects_it(gateway: ScriptedGateway) -> None:
    async with gateway:
        session: Any = await entered(gateway)
        session.myself = session
        events = session.events()
        session = weakref.ref(session)
        with pytest.warns(ResourceWarning, match="unclosed <Session"):
            await asyncio.to_thread(gc.collect)
        await gateway.next("Stop")
        assert [type(event).__name__ async for event in events][-1] == "Ended"


async def test_a_session_without_a_reference_stops_its_reconnects(
    gateway: ScriptedGateway,
) -> None:
    async with gateway:
        session = await entered(gateway)
        running = session._connection._task
        assert running is not None
        gateway.vanish()
        async for event in session.events():
            if type(event).__name__ == "Reconnecting":
                break
        with pytest.warns(ResourceWarning, match="unclosed <Session"):
            del session
        await asyncio.wait([running])


async def test_a_session_that_left_or_ended_or_was_never_entered_causes_no_warning(
    gateway: ScriptedGateway,
) -> None:
    with nothing_unclosed():
        async with joining(gateway):
            pass
        ada(gateway)
        async with gateway:
            session = await entered(gateway)
            await gateway.end()
            assert [type(event).__name__ async for event in session.events()][-1] == "Ended"
            del session


async def test_the_async_with_block_and_a_waiting_call_keep_a_session_alive(
    gateway: ScriptedGateway,
) -> None:
    with nothing_unclosed():
        async with gateway, asyncio.TaskGroup() as tasks:
            session = await entered(gateway)
            muting = tasks.create_task(session.mute())
            left = tasks.create_task(follow(session))
            del session
            gc.collect()
            await (await gateway.next("SetMuted")).reply(common.Limits())
            await muting
            await gateway.events(joined(GRACE))
            await gateway.next("Stop")
            await left


async def follow(session: Session) -> None:
    async for event in session.events():
        if isinstance(event, AttendeeEvent) and event.attendee.attendee_id == GRACE:
            await session.leave()


# Channels and their streams


async def test_a_channel_without_a_reference_warns_and_closes(gateway: ScriptedGateway) -> None:
    async with gateway:
        channel = Channel(gateway.endpoint)
        channel.open()
        dealer = channel._dealer
        assert dealer is not None
        with pytest.warns(ResourceWarning, match=f"unclosed <Channel to .*{HERE}"):
            del channel
        await eventually("the socket to be closed", lambda: not dealer._is_open or None)


async def test_a_waiting_call_keeps_a_channel_alive(gateway: ScriptedGateway) -> None:
    connected = asyncio.Event()

    async def connect() -> None:
        channel = Channel(gateway.endpoint)
        channel.open()
        await channel.connected()
        channel.close()
        connected.set()

    task = weakref.ref(asyncio.create_task(connect()))
    with nothing_unclosed():
        await asyncio.sleep(0)
        gc.collect()
        assert task() is not None
        async with gateway:
            await connected.wait()


async def test_a_stream_without_a_reference_is_cancelled(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        items = await channel.stream(WATCH, gateway_pb2.StartRequest()).__aenter__()
        call = await gateway.next("Start")
        del items
        assert (await gateway.next("CANCEL")).header.call_id == call.header.call_id


async def test_aclose_cancels_and_ends_a_stream(gateway: ScriptedGateway) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        async with channel.stream(WATCH, gateway_pb2.StartRequest()) as items:
            call = await gateway.next("Start")
            reading = asyncio.create_task(read_to_the_end(items))
            await waiting(reading)
            await items.aclose()
            await reading
            assert (await gateway.next("CANCEL")).header.call_id == call.header.call_id


async def test_reading_a_stream_that_was_not_entered_raises_an_error(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, Channel(gateway.endpoint) as channel:
        with pytest.raises(RuntimeError, match="async with"):
            await read_to_the_end(channel.stream(WATCH, gateway_pb2.StartRequest()))


# Media

LAYER = VideoLayer(320, 180, 15, 200_000, VideoCodec.VP8, ssrc=0x3333)
ON_A_CONNECTION: list[Callable[[MediaConnection], MediaListener]] = [
    AudioReceiver,
    AudioSender,
    lambda connection: VideoReceiver(connection, 0x4444),
    lambda connection: VideoSender(connection, PublishedVideo(VideoKind.CAMERA, (LAYER,))),
]


@contextmanager
def connected(peer: ScriptedMedia) -> Iterator[MediaConnection]:
    connection = MediaConnection()
    connection.move(moved(peer))
    yield connection
    connection.close()


@pytest.mark.parametrize("make", ON_A_CONNECTION)
async def test_senders_and_receivers_without_a_reference_are_freed(
    socket_directory: Path, make: Callable[[MediaConnection], MediaListener]
) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/m") as peer:
        with connected(peer) as connection:
            await connection.bound()
            listener = weakref.ref(make(connection))
            assert listener() is None and connection._hearing == [] == connection._listeners


async def test_an_abandoned_receiver_is_freed_while_packets_are_missing(
    socket_directory: Path,
) -> None:
    """The receiver's timer would otherwise keep the receiver alive."""
    async with ScriptedMedia(f"ipc://{socket_directory}/m") as peer:
        with connected(peer) as connection:
            await connection.bound()
            receiver = VideoReceiver(connection, 0x4444)
            receiver._assembler._next = 1  # A key frame is missing.
            receiver._look()
            assert receiver._timer is not None
            left = weakref.ref(receiver)
            del receiver
            assert left() is None


async def test_loops_over_audio_and_frames_leave_no_receiver_behind(
    socket_directory: Path,
) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/m") as peer:
        with connected(peer) as connection:
            await connection.bound()
            async for samples in AudioReceiver(connection):
                assert not np.any(samples)
                break
            assert connection._listeners == []
            reading = asyncio.create_task(read_to_the_end(VideoReceiver(connection, 1)))
            await waiting(reading)
            gc.collect()
            assert len(connection._hearing) == 1
            reading.cancel()
            await asyncio.wait([reading])
            del reading
            assert connection._listeners == []


async def test_aclose_ends_the_iteration_over_audio_and_frames(socket_directory: Path) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/m") as peer:
        with connected(peer) as connection:
            await connection.bound()
            heard, seen = AudioReceiver(connection), VideoReceiver(connection, 1)
            receivers: list[AudioReceiver | VideoReceiver] = [heard, seen]
            for receiver in receivers:
                await receiver.aclose()
                await read_to_the_end(receiver)
            assert connection._listeners == []


async def test_a_media_connection_without_a_reference_warns_and_closes(
    socket_directory: Path,
) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/m") as peer:
        connection, ear = MediaConnection(), Ear()
        connection.add(ear)
        connection.move(moved(peer))
        await connection.bound()
        with pytest.warns(ResourceWarning, match=f"unclosed <MediaConnection to .*{HERE}"):
            del connection
        await eventually("the listener to hear of it", lambda: ear.is_closed or None)


async def test_an_abandoned_session_closes_its_media_connection(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    async with ScriptedMedia(f"ipc://{socket_directory}/m") as peer:
        async with gateway:
            session = await entered(gateway)
            await gateway.events(media_moved(peer.endpoint, peer.ticket))
            connection, ear = await session.media.open(), Ear()
            connection.add(ear)
            with pytest.warns(ResourceWarning, match="unclosed <Session"):
                del session
            with nothing_unclosed():
                await gateway.next("Stop")
                await eventually("media to be closed", lambda: ear.is_closed or None)
                del connection


# Programs

FORGETFUL = """
import asyncio, sys, carillon

async def main(gateway, meeting, attendee):
    options = carillon.SessionOptions(gateway_url=gateway)
    session = carillon.join(meeting, carillon.Credentials(attendee, "token"), options)
    await session.__aenter__()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("holder", ["", "    global session\n"], ids=["main", "the module"])
async def test_a_program_without_a_reference_to_its_session_gets_a_warning_and_ends(
    gateway: ScriptedGateway, tmp_path: Path, holder: str
) -> None:
    program = tmp_path / "forgetful.py"
    program.write_text(FORGETFUL.replace("    options =", f"{holder}    options ="))
    line = 6 if not holder else 7
    async with gateway:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-X", "dev", str(program), gateway.endpoint, MEETING, ADA),
            stderr=asyncio.subprocess.PIPE,
        )
        await gateway.admit()
        if not holder:  # A module's objects live longer than the event loop.
            await gateway.next("Stop")
        _, errors = await process.communicate()
    assert process.returncode == 0
    told = errors.decode()
    assert told.startswith(f"{program}:{line}: ResourceWarning: unclosed <Session of {ADA}")
    assert told.count("unclosed") == 1 and "Task" not in told and "Error" not in told

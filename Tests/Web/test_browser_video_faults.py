"""Video of browsers with packet loss, after kills, and beside hostile browsers."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from carillon.signaling import signaling_pb2 as wire
from installation import Installation
from test_end_to_end import LiveMeeting, live_meeting
from Web.faulty_peer import (
    LONGEST_STALL,
    FaultyWatcher,
    Pair,
    assert_healthy,
    enter,
    longest_gap,
    pair,
)
from Web.numbered_pictures import LEAST_FIDELITY, worst_fidelity
from Web.offers import offer
from Web.udp_relay import lossy_relay
from Web.video_peer import BLUE, GREEN, RED

pytestmark = pytest.mark.seconds(120)

ROUNDS = 3
"""The maximum number of attempts of a measurement."""

REQUESTED = "carillon_media_requested_retransmissions_total"


# Loss


@pytest.mark.alone
async def test_video_does_not_stall_with_packet_loss_on_both_links() -> None:
    async with live_meeting() as tea:
        await asyncio.gather(watch_lossy(tea, "video/VP8", 7), watch_lossy(tea, "video/H264", 11))
        metrics = await tea.installation.metrics(tea.installation.media)
        assert metrics.sum(REQUESTED, outcome="sent") > 30
        assert_healthy(tea.installation)


async def watch_lossy(tea: LiveMeeting, codec: str, seed: int) -> None:
    """Watches a camera with this codec for 15 s while both browsers lose packets.

    Media requests the packets that the sender's link lost, and repeats the packets that the
    receiver's link lost. So no received picture is broken.
    """
    installation, meeting_id = tea.installation, tea.meeting.meeting_id
    sends, sees = await tea.create(f"sends {codec}"), await tea.create(f"sees {codec}")
    async with (
        lossy_relay(seed) as near,
        lossy_relay(seed + 2) as far,
        enter(installation, meeting_id, sends, relay=near, codec=codec, is_numbered=True) as ada,
        enter(installation, meeting_id, sees, relay=far, codec=codec) as bea,
    ):
        await ada.peer.subscribe(camera=RED)
        await bea.peer.subscribe()
        stream = await bea.stream_of(ada.attendee_id)
        await bea.peer.subscribe(streams=[stream])
        await bea.peer.receive(stream, 10)
        requested = ada.peer.count_requests()
        start = asyncio.get_running_loop().time()
        await asyncio.sleep(15)
        gap = longest_gap(bea.peer.arrivals(stream), start)
        assert gap < LONGEST_STALL
        await bea.peer.receive(stream, 10)
        assert near.up.lost > 30 and far.down.lost > 30 and len(requested) > 30
        pictures = bea.peer.pictures(stream)
        worst = await asyncio.to_thread(worst_fidelity, pictures)
        print(f"{codec}: {len(pictures)} pictures, gaps of {gap:.2f} s, {worst:.1f} dB")
        assert worst >= LEAST_FIDELITY


# Kills


@asynccontextmanager
async def again(tea: LiveMeeting, former: Pair) -> AsyncIterator[Pair]:
    """Makes the two attendees of `former` join again. If the first pictures arrive late, the
    attendees join again, at most `ROUNDS` times."""
    installation, meeting_id = tea.installation, tea.meeting.meeting_id
    waits = list[float]()
    # A busy machine may delay one or two rounds. A defect of a service shows in all rounds.
    for _ in range(ROUNDS):
        start = asyncio.get_running_loop().time()
        async with (
            enter(installation, meeting_id, former.ada.who) as ada,
            enter(installation, meeting_id, former.bea.who) as bea,
        ):
            made = Pair(ada, bea)
            await made.meet()
            firsts = bea.peer.arrivals(made.of_ada)[0], ada.peer.arrivals(made.of_bea)[0]
            waits.append(max(firsts) - start)
            if waits[-1] < LONGEST_STALL:
                yield made
                return
    raise AssertionError(f"The first pictures arrived {waits} s after the services were ready.")


@pytest.mark.alone
@pytest.mark.parametrize(("name", "code"), [("media", 4503), ("gateway", 1006)])
async def test_pictures_are_back_in_time_after_a_kill(name: str, code: int) -> None:
    async with live_meeting() as tea, pair(tea) as before:
        process = getattr(tea.installation, name)
        await process.kill()
        for watcher in (before.ada, before.bea):
            assert await watcher.client.closed() == code
        await process.start()
        await tea.installation.become_ready()
        async with again(tea, before) as after, after.unharmed():
            await asyncio.sleep(1)
        assert_healthy(tea.installation)


async def test_video_continues_after_video_tiles_was_killed() -> None:
    async with live_meeting() as tea, pair(tea) as friends:
        await tea.installation.video_tiles.kill()
        await asyncio.sleep(1)
        await tea.installation.video_tiles.start()
        await tea.installation.become_ready()
        ready = asyncio.get_running_loop().time()
        await asyncio.sleep(LONGEST_STALL + 3)
        for watcher, stream in (
            (friends.bea, friends.of_ada),
            (friends.ada, friends.of_bea),
        ):
            gap = longest_gap(watcher.peer.arrivals(stream), ready)
            assert gap < LONGEST_STALL
        await friends.see()
        assert await friends.bea.stream_of(friends.ada.attendee_id) == friends.of_ada
        assert await friends.ada.stream_of(friends.bea.attendee_id) == friends.of_bea
        assert_healthy(tea.installation)


@pytest.mark.alone
async def test_requests_during_an_outage_of_video_tiles_take_effect_after_the_outage() -> None:
    async with live_meeting() as tea, pair(tea) as friends:
        ada, bea = friends.ada.peer, friends.bea.peer
        who = await tea.create("cai")
        async with enter(tea.installation, tea.meeting.meeting_id, who) as cai:
            await cai.peer.subscribe()
            await tea.installation.video_tiles.kill()
            stops = asyncio.create_task(bea.subscribe(camera=BLUE))
            asks = asyncio.create_task(cai.peer.subscribe(camera=GREEN, streams=[friends.of_ada]))
            await asyncio.sleep(1)
            await tea.installation.video_tiles.start()
            await tea.installation.become_ready()
            await asyncio.gather(stops, asks)
            assert cai.peer.refusal == 0
            await cai.peer.see(friends.of_ada, RED)
            stream = await friends.ada.stream_of(cai.attendee_id)
            await ada.subscribe(camera=RED, streams=[friends.of_bea, stream])
            await ada.see(stream, GREEN)
            start = asyncio.get_running_loop().time()
            await bea.subscribe(camera=BLUE, streams=[friends.of_ada])
            await bea.see(friends.of_ada, RED)
            assert longest_gap(bea.arrivals(friends.of_ada), start) < LONGEST_STALL
        assert_healthy(tea.installation)


# Stalls


async def stall_of_a_freeze(service: Any, friends: Pair) -> float:
    """Freezes a service for 3 s and returns the longest stall after that, in seconds."""
    service.send(signal.SIGSTOP)
    await asyncio.sleep(3)
    service.send(signal.SIGCONT)
    thawed = asyncio.get_running_loop().time()
    await asyncio.sleep(LONGEST_STALL + 2)
    watched = ((friends.bea, friends.of_ada), (friends.ada, friends.of_bea))
    return max(longest_gap(watcher.peer.arrivals(stream), thawed) for watcher, stream in watched)


@pytest.mark.alone
@pytest.mark.parametrize("name", ["media", "video_tiles"])
async def test_video_returns_after_a_service_was_frozen(name: str) -> None:
    async with live_meeting() as tea, pair(tea) as friends:
        service = getattr(tea.installation, name)
        seen = [len(watcher.client.frames) for watcher in (friends.ada, friends.bea)]
        # A busy machine may delay one or two rounds. A defect of the service shows in all rounds.
        stalls = [await stall_of_a_freeze(service, friends)]
        while min(stalls) >= LONGEST_STALL and len(stalls) < 3:
            stalls.append(await stall_of_a_freeze(service, friends))
        assert min(stalls) < LONGEST_STALL, stalls
        await friends.see()
        # No attendee left and no camera ended during the freezes.
        for watcher, other, count in zip(
            (friends.ada, friends.bea), (friends.bea, friends.ada), seen, strict=True
        ):
            since = watcher.client.frames[count:]
            for frame in since:
                for person in frame.audio_stream_id_info.streams:
                    assert person.attendee_id, frame
                if frame.HasField("index"):
                    shown = [source.attendee_id for source in frame.index.sources]
                    assert shown == [other.attendee_id], frame
        assert await friends.bea.stream_of(friends.ada.attendee_id) == friends.of_ada
        assert await friends.ada.stream_of(friends.bea.attendee_id) == friends.of_bea
        assert_healthy(tea.installation)


# Hostile browsers


@asynccontextmanager
async def attack() -> AsyncIterator[tuple[Pair, FaultyWatcher]]:
    """Runs Ada and Bea, who see each other, while Eve attacks."""
    async with live_meeting() as tea, pair(tea) as friends:
        meeting_id = tea.meeting.meeting_id
        async with enter(tea.installation, meeting_id, await tea.create("eve")) as eve:
            async with friends.unharmed():
                yield friends, eve
        assert_healthy(tea.installation)


async def send(eve: FaultyWatcher, text: str, streams: list[int] | None = None) -> None:
    """Makes Eve send a SUBSCRIBE with an unchanged offer."""
    sound = wire.SdkStreamDescriptor(stream_id=1, group_id=1, media_type=wire.AUDIO)
    await eve.client.send(
        "SUBSCRIBE",
        sub=wire.SdkSubscribeFrame(
            duplex="RX",
            send_streams=[sound],
            receive_stream_ids=[0, *(streams or [])],
            sdp_offer=text,
            audio_muted=True,
        ),
    )


async def subscribe(
    eve: FaultyWatcher, text: str, streams: list[int] | None = None
) -> wire.SdkSignalFrame:
    """Makes Eve send a SUBSCRIBE, and returns the response."""
    await send(eve, text, streams)
    return await eve.client.next("SUBSCRIBE_ACK")


async def test_110_video_sections_do_no_harm() -> None:
    async with attack() as (friends, eve):
        streams = [friends.of_ada, friends.of_bea]
        frame = await subscribe(eve, offer([str(n) for n in range(111)]), streams)
        assert frame.error.status == 0
        assert frame.suback.sdp_answer.count("m=video") == 110
        assert {track.stream_id for track in frame.suback.tracks} == set(streams)


async def test_200_subscribes_in_a_second_do_no_harm() -> None:
    async with attack() as (friends, eve):
        for number in range(200):
            wanted = [friends.of_ada] if number % 2 else []
            await send(eve, offer(["0", "1", "2"]), wanted)
            await asyncio.sleep(0.005)

        # If the gateway is fast enough, it answers all requests. Otherwise it closes the
        # connection.
        def is_done() -> bool:
            return eve.client.close_code == 4400 or eve.client.kinds.count("SUBSCRIBE_ACK") == 200

        await eve.client.until(is_done, "200 answers, or a close")
        if eve.client.close_code is None:
            for _ in range(20):
                await send(eve, offer(["0", "1", "2"]))
            assert await eve.client.closed() == 4400


async def test_unknown_huge_and_repeated_stream_ids_and_the_clients_own_ids_are_ignored() -> None:
    async with attack() as (friends, eve):
        await eve.peer.subscribe(camera=RED)
        own = await friends.ada.stream_of(eve.attendee_id)
        odd = [own, 12_345, 2**31, 2**32 - 1, *([friends.of_ada] * 500)]
        for streams in (odd, odd[::-1]):
            await eve.client.send(
                "SUBSCRIBE",
                sub=wire.SdkSubscribeFrame(
                    duplex="RX",
                    receive_stream_ids=[0, *streams],
                    sdp_offer=offer(map(str, range(30))),
                ),
            )
            frame = await eve.client.next("SUBSCRIBE_ACK")
            assert frame.error.status == 0
            assert [track.stream_id for track in frame.suback.tracks] == [friends.of_ada]


async def test_a_camera_with_the_ssrc_of_another_camera_does_no_harm() -> None:
    async with attack() as (friends, eve):
        victim = friends.bea.peer.ssrcs[friends.of_ada]
        eve.peer.claim(victim)
        await eve.peer.subscribe(camera=BLUE)
        stream = await friends.bea.stream_of(eve.attendee_id)
        await eve.peer.subscribe(camera=BLUE, streams=[friends.of_ada, friends.of_bea])
        await eve.peer.see(friends.of_bea, BLUE)
        await friends.bea.peer.subscribe(camera=BLUE, streams=[friends.of_ada, stream])
        await friends.bea.peer.see(stream, BLUE)
        await asyncio.sleep(1)


async def test_changed_extension_ids_are_refused_and_the_session_continues() -> None:
    async with attack() as (friends, eve):
        first = offer(["0", "1", "2"])
        assert (await subscribe(eve, first)).error.status == 0
        swapped = re.sub(r"a=extmap:(10|11) ", lambda m: f"a=extmap:{21 - int(m[1])} ", first)
        assert swapped != first
        frame = await subscribe(eve, swapped, [friends.of_ada])
        assert frame.error.status == 400
        frame = await subscribe(eve, first, [friends.of_ada])
        assert frame.error.status == 0
        assert [track.stream_id for track in frame.suback.tracks] == [friends.of_ada]


async def test_a_camera_paused_and_resumed_repeatedly_sends_one_key_frame_a_second() -> None:
    async with attack() as (friends, eve):
        await eve.peer.subscribe()
        await eve.peer.subscribe(streams=[friends.of_ada])
        await eve.peer.see(friends.of_ada, RED)
        await asyncio.sleep(1)
        loop = asyncio.get_running_loop()
        before, start = friends.ada.peer.key_frame_requests, loop.time()
        while loop.time() - start < 4:
            for kind in ("PAUSE", "RESUME"):
                pause = wire.SdkPauseResumeFrame(stream_ids=[friends.of_ada])
                await eve.client.send(kind, pause=pause)
                await asyncio.sleep(0.05)
        told = friends.ada.peer.key_frame_requests - before
        assert 1 <= told <= loop.time() - start + 2
        await eve.peer.see(friends.of_ada, RED)


async def test_requests_for_packets_that_never_existed_do_no_harm() -> None:
    async with attack() as (friends, eve):
        await eve.peer.subscribe()
        await eve.peer.subscribe(streams=[friends.of_ada])
        await eve.peer.see(friends.of_ada, RED)
        await eve.peer.miss(friends.of_ada, 1_000)
        await eve.peer.see(friends.of_ada, RED)


# Replicas


async def test_an_audience_sees_the_stages_camera_and_cannot_show_a_camera() -> None:
    async with Installation() as installation:
        control = installation.control
        stage = await control.create_meeting("stage")
        hall = await control.create_meeting("hall", primary_meeting_id=stage.meeting_id)
        ada_is, eve_is = (
            await control.create_attendee(stage, "ada"),
            await control.create_attendee(hall, "eve"),
        )
        async with (
            enter(installation, stage.meeting_id, ada_is) as ada,
            enter(installation, hall.meeting_id, eve_is) as eve,
        ):
            await ada.peer.subscribe(camera=RED)
            stream = await eve.stream_of(ada.attendee_id)
            await eve.peer.subscribe(camera=BLUE, streams=[stream])
            assert eve.peer.refusal == 206
            await eve.peer.see(stream, RED)
            assert all(source.attendee_id == ada.attendee_id for source in ada.sources)
        assert_healthy(installation)

"""Layers of a bot at a browser: each decoded picture is compared with the sent picture."""

from __future__ import annotations

import asyncio
from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise
from math import inf

import pytest

from carillon import SessionOptions, VideoCodec, VideoLayer
from carillon.media import VideoSender
from eventually import eventually
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from Web.faulty_peer import LONGEST_STALL, FaultyWatcher, assert_healthy, enter
from Web.numbered_pictures import (
    LEAST_FIDELITY,
    NUMBERS,
    luma_of,
    number_in,
    numbered,
    psnr,
    worst_fidelity,
)
from Web.udp_relay import lossy_relay

pytestmark = pytest.mark.seconds(180)

PER_SECOND = 15
SMALL = (320, 180, PER_SECOND, 150_000)
LARGE = (640, 360, PER_SECOND, 450_000)
WISHES = {320: 300, 640: 600}
"""The bitrate with which a browser requests a layer, in kbit/s, by the layer's width."""

SWITCHES = [640, 320, 640, 320, 640]
"""The widths that the browser requests, one after another."""


async def show(bot: Attendee, codec: VideoCodec, sent: list[float]) -> None:
    """Publishes numbered pictures in two layers until cancelled.

    Adds the time of each picture to `sent`, by the event loop's clock.
    """
    layers = [VideoLayer(*SMALL, codec), VideoLayer(*LARGE, codec)]
    published = await bot.session.video.publish(layers)
    connection = await bot.session.media.open()
    with (
        VideoSender(connection, published) as small,
        VideoSender(connection, published, layer=1) as large,
    ):
        number = 0
        while True:
            await small.send(numbered(number, SMALL[0], SMALL[1]))
            await large.send(numbered(number, LARGE[0], LARGE[1]))
            number += 1
            sent.append(asyncio.get_running_loop().time())
            await asyncio.sleep(1 / PER_SECOND)


async def until_wide(watcher: FaultyWatcher, stream: int, width: int, count: int = 20) -> None:
    """Waits until the last pictures have this width."""

    def are_wide() -> bool:
        last = watcher.peer.pictures(stream)[-count:]
        return len(last) == count and all(frame.width == width for frame in last)

    await eventually(f"pictures with a width of {width}", are_wide, every=0.05)


def longest_pause(arrivals: Sequence[float], sent: Sequence[float], start: float) -> float:
    """Returns the longest time without a new picture since `start`, in seconds of the camera.

    A busy machine delays the camera as well as the browser, so the camera's pictures measure time.
    """
    times = [start, *(time for time in arrivals if time > start), inf]
    pauses = (bisect(sent, after) - bisect(sent, before) for before, after in pairwise(times))
    return max(pauses) / PER_SECOND


async def switch_layers(tea: LiveMeeting, codec: VideoCodec, seed: int) -> None:
    """Switches the layer of a camera repeatedly while the browser loses packets."""
    gateway = f"ipc://{tea.installation.client_socket}"
    options = SessionOptions(gateway_url=gateway, is_muted=True)
    bot = await tea.enter(f"sends {codec.value}", options)
    sent: list[float] = []
    showing = asyncio.create_task(show(bot, codec, sent))
    who = await tea.create(f"sees {codec.value}")
    async with (
        lossy_relay(seed) as far,
        enter(tea.installation, tea.meeting.meeting_id, who, relay=far) as ada,
    ):
        await ada.peer.subscribe()
        stream = await ada.stream_of(bot.session.attendee_id)
        [group] = {source.group_id for source in ada.sources if source.stream_id == stream}
        await ada.peer.subscribe(streams=[stream])
        await until_wide(ada, stream, 320)
        start = asyncio.get_running_loop().time()
        for width in SWITCHES:
            await ada.peer.request_bitrate(stream, group, WISHES[width])
            await until_wide(ada, stream, width)
        gap = longest_pause(ada.peer.arrivals(stream), sent, start)
        pictures = ada.peer.pictures(stream)
        worst = await asyncio.to_thread(worst_fidelity, pictures)
        print(f"{codec.value}: {len(pictures)} pictures, gaps of {gap:.2f} s, {worst:.1f} dB")
        assert gap < LONGEST_STALL
        assert worst >= LEAST_FIDELITY
        assert far.down.lost > 30
    showing.cancel()


def test_a_picture_has_the_fidelity_only_of_its_own_number() -> None:
    for number in range(NUMBERS):
        assert number_in(luma_of(number, 320, 180)) == number
    for number in range(0, NUMBERS - 1, 7):
        following = psnr(luma_of(number, 320, 180), luma_of(number + 1, 320, 180))
        assert following < LEAST_FIDELITY


@pytest.mark.alone
async def test_layer_switches_show_no_broken_picture_with_packet_loss() -> None:
    async with live_meeting() as tea:
        await asyncio.gather(
            switch_layers(tea, VideoCodec.VP8, 3), switch_layers(tea, VideoCodec.H264, 5)
        )
        assert_healthy(tea.installation)

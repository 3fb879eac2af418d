"""Video of browsers: pictures by aiortc, the SDK's signaling, real services, and a bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import av
import numpy as np
import pytest

from carillon import VideoLayer
from carillon.media import VideoReceiver, VideoSender
from carillon.signaling import signaling_pb2 as wire
from test_end_to_end import Attendee
from Web.browser_peer import Sound
from Web.signaling_client import SignalingClient, client_of
from Web.test_browser_sound import bot_of
from Web.test_sdk_expectations import Browsers, browsers, say_join
from Web.video_peer import (
    BLUE,
    GREEN,
    RED,
    Colour,
    VideoPeer,
    colour_of,
    is_like,
    picture,
    video_peer,
)

pytestmark = pytest.mark.seconds(240)

SILENCE: Sound = np.zeros(0, np.int16)


class Watcher:
    """A browser in a meeting, with its signaling and its peer connection."""

    def __init__(self, client: SignalingClient, peer: VideoPeer, attendee_id: str) -> None:
        self.client, self.peer, self.attendee_id = client, peer, attendee_id

    @property
    def sources(self) -> list[wire.SdkStreamDescriptor]:
        """The sources of the last index."""
        indexes = [frame.index for frame in self.client.frames if frame.HasField("index")]
        return list(indexes[-1].sources) if indexes else []

    async def stream_of(self, attendee_id: str) -> int:
        """Waits until the index lists an attendee and returns the stream of its pictures."""

        def found() -> list[wire.SdkStreamDescriptor]:
            return [source for source in self.sources if source.attendee_id == attendee_id]

        await self.client.until(lambda: bool(found()), f"an index with {attendee_id}")
        source = found()[0]
        assert source.media_type == wire.VIDEO and source.stream_id and source.group_id
        return source.stream_id

    async def until_gone(self, attendee_id: str) -> None:
        """Waits for an index that does not list an attendee."""
        await self.client.until(
            lambda: all(source.attendee_id != attendee_id for source in self.sources),
            f"an index without {attendee_id}",
        )


@asynccontextmanager
async def browser(tea: Browsers, name: str) -> AsyncIterator[Watcher]:
    """Makes a browser join the meeting without subscribing."""
    who = await tea.tea.create(name)
    async with client_of(tea.tea.installation, tea.tea.meeting.meeting_id, who) as client:
        await say_join(client)
        await client.next("JOIN_ACK")
        async with video_peer(client, SILENCE) as peer:
            yield Watcher(client, peer, who.attendee_id)


async def show(bot: Attendee, colour: Colour) -> None:
    """Publishes a camera of one colour until cancelled."""
    published = await bot.session.video.publish([VideoLayer(320, 180, 15, 400_000)])
    with VideoSender(await bot.session.media.open(), published) as sender:
        while True:
            frame = av.VideoFrame.from_ndarray(picture(colour), format="rgb24")
            await sender.send(frame)
            await asyncio.sleep(1 / 15)


async def until_seen(bot: Attendee, attendee_id: str, colour: Colour, tolerance: int = 25) -> None:
    """Waits until a bot has seen ten pictures of a colour."""
    await bot.session.video.start_remote_video()
    async with asyncio.timeout(30):
        while attendee_id not in bot.session.video.sources:
            await asyncio.sleep(0.02)
        source = bot.session.video.sources[attendee_id]
        seen = 0
        with VideoReceiver(await bot.session.media.open(), source.track_ssrc) as receiver:
            async for frame in receiver:
                seen += is_like(colour_of(frame), colour, tolerance)
                if seen >= 10:
                    return


async def test_two_browsers_see_each_other_until_a_camera_is_off() -> None:
    async with browsers() as tea, browser(tea, "ada") as ada, browser(tea, "bea") as bea:
        await ada.peer.subscribe(camera=RED)
        await bea.peer.subscribe(camera=BLUE)
        reds, blues = await bea.stream_of(ada.attendee_id), await ada.stream_of(bea.attendee_id)
        await bea.peer.subscribe(camera=BLUE, streams=[reds])
        await ada.peer.subscribe(camera=RED, streams=[blues])
        await bea.peer.see(reds, RED)
        await ada.peer.see(blues, BLUE)
        await ada.peer.subscribe(streams=[blues])
        await bea.until_gone(ada.attendee_id)


async def test_a_browser_and_a_bot_see_each_other() -> None:
    async with browsers() as tea:
        bot = await bot_of(tea, "bot", is_muted=True)
        showing = asyncio.create_task(show(bot, GREEN))
        async with browser(tea, "ada") as ada:
            await ada.peer.subscribe(camera=RED)
            stream = await ada.stream_of(bot.session.attendee_id)
            await ada.peer.subscribe(camera=RED, streams=[stream])
            await ada.peer.see(stream, GREEN)
            await until_seen(bot, ada.attendee_id, RED)
        showing.cancel()


async def test_a_browser_that_only_sends_video_gets_the_bitrates_of_its_layers() -> None:
    async with browsers() as tea, browser(tea, "ada") as ada, browser(tea, "bea") as bea:
        await ada.peer.subscribe(camera=RED)
        stream = await bea.stream_of(ada.attendee_id)

        def measured() -> list[int]:
            return [
                bitrate.avg_bitrate_bps
                for frame in ada.client.frames
                if frame.HasField("bitrates")
                for bitrate in frame.bitrates.bitrates
                if bitrate.source_stream_id == stream
            ]

        await ada.client.until(lambda: len(measured()) >= 2, "two frames of bitrates")
        # The picture has one colour, so its bitrate is lower than the declared 1,500 kbit/s.
        assert all(0 < bits < 1_500_000 for bits in measured())
        # A browser that neither sends nor receives video gets no bitrates.
        assert not any(frame.HasField("bitrates") for frame in bea.client.frames)


LINK = 1_000_000
"""The receiver's estimate of its link's bandwidth, in bit/s. Media passes on nine tenths of this
estimate. This bitrate differs from both aiortc's first and aiortc's highest bitrate."""

HIGHEST = 1_500_000
"""aiortc's highest bitrate."""


async def until_bitrate(peer: VideoPeer, least: int, most: int) -> None:
    """Waits until the encoder of a camera keeps to a bitrate within the limits."""
    async with asyncio.timeout(30):
        while not least <= peer.camera_bitrate <= most:
            await asyncio.sleep(0.05)


async def test_a_camera_adapts_to_a_receivers_link_only_if_the_camera_has_one_receiver() -> None:
    async with browsers() as tea, browser(tea, "ada") as ada, browser(tea, "bea") as bea:
        await ada.peer.subscribe(camera=RED)
        stream = await bea.stream_of(ada.attendee_id)
        await bea.peer.subscribe(streams=[stream])

        async def report() -> None:
            while True:
                await bea.peer.report_link(LINK)
                await asyncio.sleep(0.1)

        reporting = asyncio.create_task(report())
        await until_bitrate(ada.peer, LINK * 8 // 10, LINK)
        async with browser(tea, "cleo") as cleo:
            await cleo.peer.subscribe(streams=[stream])
            await until_bitrate(ada.peer, HIGHEST, HIGHEST)
        reporting.cancel()

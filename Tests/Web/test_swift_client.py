"""Video between the Swift client, the Python client and pages, with real services."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from aiortc import RTCRtpReceiver, RTCRtpTransceiver

from carillon import VideoCodec, VideoLayer
from carillon.media import VideoReceiver, VideoSender
from carillon.media.pattern import frame_counter
from carillon.media.pattern.camera import pattern
from carillon.media.rtp.packet import VIDEO_ORIENTATION_ID, RtpPacket
from carillon.media.video.following import following
from carillon.media.video.turning import PictureTurner
from eventually import eventually
from swift_client import SwiftClient, swift_client
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from Web.browser import needs_chromium, new_page
from Web.page_video import (
    BLUE,
    FRAMES,
    GREEN,
    HEIGHT,
    NEAR,
    PER_SECOND,
    RED,
    WIDTH,
    YELLOW,
    Colour,
    numbered_picture,
    until_seen,
    write_film,
)
from Web.signaling_client import client_of
from Web.test_browser_codecs import until_reasons
from Web.test_browser_video import SILENCE, Watcher
from Web.test_meeting import FLAGS
from Web.test_page_video import browser_of, enter, video_of
from Web.test_sdk_expectations import Browsers, browsers, say_join
from Web.video_peer import VideoPeer, colour_of, is_like

pytestmark = pytest.mark.seconds(300)

DIFFERENT = 5
"""The number of different pictures that a client must see of each other client."""


async def film(bot: Attendee, colour: Colour) -> None:
    """Publishes a camera with numbered pictures of one colour until cancelled."""
    published = await bot.session.video.publish([VideoLayer(WIDTH, HEIGHT, PER_SECOND, 400_000)])
    with VideoSender(await bot.session.media.open(), published) as sender:
        number = 0
        while True:
            luma, *chroma = numbered_picture(colour, number % FRAMES)
            halves = [plane.reshape(-1, WIDTH) for plane in chroma]
            picture = np.vstack([luma, *halves])
            await sender.send(av.VideoFrame.from_ndarray(picture, format="yuv420p"))
            number += 1
            await asyncio.sleep(1 / PER_SECOND)


async def python_sees(bot: Attendee, attendee_id: str, colour: Colour) -> None:
    """Waits until a bot has decoded different pictures of a colour from an attendee."""
    sources = bot.session.video.sources
    await eventually(f"a source of {attendee_id}", lambda: attendee_id in sources, 30.0, every=0.02)
    numbers: set[int] = set()
    connection = await bot.session.media.open()
    async with asyncio.timeout(60):
        with VideoReceiver(connection, sources[attendee_id].track_ssrc) as receiver:
            async for picture in receiver:
                number = frame_counter.read(picture)
                if number is not None and is_like(colour_of(picture), colour, NEAR):
                    numbers.add(number)
                if len(numbers) >= DIFFERENT:
                    return


async def swift_sees(bot: SwiftClient, attendee_id: str, colour: Colour) -> None:
    """Waits until `carillon join --view` has printed different pictures of a colour."""

    def seen() -> set[int]:
        return {
            each["number"]
            for each in bot.printed_of("viewed", attendee_id)
            if each["number"] is not None and is_like(rgb(each["colour"]), colour, NEAR)
        }

    await bot.until(f"pictures of {attendee_id}", lambda: len(seen()) >= DIFFERENT)


def rgb(text: str) -> Colour:
    """Reads a colour of the form `#rrggbb`."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@needs_chromium
async def test_two_pages_a_swift_bot_and_a_python_bot_see_each_other(tmp_path: Path) -> None:
    write_film(GREEN, tmp_path / "green.y4m")
    async with (
        live_meeting(gateway=FLAGS) as tea,
        browser_of(RED, tmp_path) as one,
        browser_of(BLUE, tmp_path) as other,
        swift_client(tea, "sven", "--camera", str(tmp_path / "green.y4m"), "--view") as sven,
    ):
        pia = await tea.enter("pia")
        await pia.session.video.start_remote_video()
        showing = asyncio.create_task(film(pia, YELLOW))
        ada, bea = await new_page(one), await new_page(other)
        await enter(ada, tea, "ada", with_camera=True)
        await enter(bea, tea, "bea", with_camera=True)
        colours = {"ada": RED, "bea": BLUE, "sven": GREEN, "pia": YELLOW}
        await pia.knows(*colours)
        ids = {each.name: each.attendee_id for each in pia.session.roster.values()}
        for name, colour in colours.items():
            if name != "ada":
                await until_seen(video_of(ada, name), colour)
            if name != "bea":
                await until_seen(video_of(bea, name), colour)
            if name != "sven":
                await swift_sees(sven, ids[name], colour)
            if name != "pia":
                await python_sees(pia, ids[name], colour)
        showing.cancel()


class VP8Peer(VideoPeer):
    """A peer that decodes only VP8."""

    def _add_section(self) -> RTCRtpTransceiver:
        capabilities = RTCRtpReceiver.getCapabilities("video")
        assert capabilities is not None
        vp8 = [codec for codec in capabilities.codecs if codec.name == "VP8"]
        transceiver = super()._add_section()
        for each in (self._camera, transceiver):
            each.setCodecPreferences(vp8)
        return transceiver


@asynccontextmanager
async def vp8_browser(meeting: Browsers, name: str) -> AsyncIterator[Watcher]:
    """Makes a browser that decodes only VP8 join the meeting without subscribing."""
    tea = meeting.tea
    who = await tea.create(name)
    async with client_of(tea.installation, tea.meeting.meeting_id, who) as client:
        await say_join(client)
        await client.next("JOIN_ACK")
        peer = VP8Peer(client, SILENCE)
        try:
            yield Watcher(client, peer, who.attendee_id)
        finally:
            await peer.close()


class TurningSender(VideoSender):
    """A sender of a camera that a user can turn."""

    is_turned = False
    """Whether the pictures need a quarter turn clockwise."""

    def _send(self, frame: Any, now: float) -> bool:
        build = self.stream.packet

        def turned(*values: Any, is_marked: bool = False) -> RtpPacket:
            packet = build(*values, is_marked=is_marked)
            says = is_marked and self.is_turned
            return replace(packet, extensions={VIDEO_ORIENTATION_ID: b"\x01"} if says else {})

        self.stream.packet = turned  # type: ignore[method-assign, assignment]
        try:
            return super()._send(frame, now)
        finally:
            del self.stream.packet


class H264Camera:
    """A bot's H.264 camera with numbered pictures, which the bot can turn."""

    def __init__(self, bot: Attendee) -> None:
        self.size = (320, 180)
        """The size of the upright picture."""
        self.is_turned = False
        self._bot = bot

    async def show(self) -> None:
        """Publishes the camera until cancelled."""
        layer = VideoLayer(*self.size, 15, 300_000, VideoCodec.H264)
        published = await self._bot.session.video.publish([layer])
        turner = PictureTurner()
        number = 0
        with TurningSender(await self._bot.session.media.open(), published) as sender:
            async with following(self._bot.session, sender):
                while True:
                    picture = pattern(number, *self.size)
                    picture.pts, picture.time_base = number, Fraction(1, 15)
                    sender.is_turned = self.is_turned
                    await sender.send(turner.turn_quarters(picture, 3 if self.is_turned else 0))
                    number += 1
                    await asyncio.sleep(1 / 15)


def read_recording(path: Path) -> list[tuple[int, int, int]]:
    """Decodes a recording. Returns the width, height and number of each upright picture."""
    turner = PictureTurner()
    with av.open(str(path), format="h264") as film:
        pictures = [turner.turn(picture) for picture in film.decode(video=0)]
    numbers = [frame_counter.read(picture) for picture in pictures]
    return [
        (picture.width, picture.height, -1 if number is None else number)
        for picture, number in zip(pictures, numbers, strict=True)
    ]


async def frames_from(swift: SwiftClient, attendee_id: str, width: int, height: int) -> None:
    """Waits for twenty more H.264 frames of a size."""

    def counts() -> list[int]:
        return [
            each["frames"]
            for each in swift.printed_of("viewed", attendee_id)
            if (each["codec"], each["width"], each["height"]) == ("H264", width, height)
        ]

    before = len(counts())
    await swift.until(
        f"H.264 of {width}x{height}",
        lambda: len(counts()) > before + 1 and counts()[-1] >= counts()[before] + 20,
    )


async def test_a_swift_client_records_h264_that_a_vp8_only_browser_does_not_get(
    tmp_path: Path,
) -> None:
    async with browsers() as meeting, vp8_browser(meeting, "ada") as ada:
        tea: LiveMeeting = meeting.tea
        pia = await tea.enter("pia")
        camera = H264Camera(pia)
        showing = asyncio.create_task(camera.show())
        stream = await ada.stream_of(pia.session.attendee_id)
        await ada.peer.subscribe(streams=[stream])
        async with swift_client(
            tea, "sven", "--view", "--record-h264", str(tmp_path / "films")
        ) as sven:
            await frames_from(sven, pia.session.attendee_id, 320, 180)
            await until_reasons(meeting, ["wanted", "cannot_decode"])
            assert ada.peer.pictures(stream) == []

            # The camera changes its size, and is turned on its side.
            camera.size, camera.is_turned = (270, 480), True
            await frames_from(sven, pia.session.attendee_id, 270, 480)

            # Packets are lost while media is down. The recording continues with a key frame.
            await tea.installation.media.kill()
            await tea.installation.media.start()
            await tea.installation.become_ready()
            await frames_from(sven, pia.session.attendee_id, 270, 480)
            assert await sven.process.terminate() == 0
            [recorded] = sven.printed_of("recorded", pia.session.attendee_id)
        showing.cancel()
    pictures = read_recording(Path(recorded["file"]))
    assert len(pictures) == recorded["frames"]
    assert {(width, height) for width, height, _ in pictures} == {(320, 180), (270, 480)}
    # No number is unreadable, and every number follows an earlier one.
    numbers = [number for _, _, number in pictures]
    assert all(0 <= number < after for number, after in pairwise(numbers))
    missing = [after - number - 1 for number, after in pairwise(numbers) if after > number + 1]
    # Pictures are missing only after the restart of media.
    assert len(missing) <= 1, missing

"""Audio and video between real processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

import carillon
from carillon import SessionOptions, VideoCodec, VideoLayer
from carillon.media import (
    AudioMode,
    MediaMetrics,
    VideoReceiver,
    VideoSender,
    play,
    record,
)
from carillon.media.video.h264 import split_units
from carillon.media.video.payload import EncodedFrame
from carillon.media.video.sender import Picture
from eventually import due
from installation import BINARIES, Installation, Process
from test_media_audio import part_heard, tone
from test_media_bots import SIZE, make_file, read_numbers, read_sound
from test_media_video import HEIGHT, WIDTH, number, picture

pytestmark = pytest.mark.skipif(
    not (BINARIES / "media").exists(), reason=f"{BINARIES / 'media'} is not built"
)


@pytest.mark.alone  # This test judges sound in real time.
async def test_clients_hear_and_see_each_other_but_not_themselves(
    socket_directory: Path,
) -> None:
    sound = tone(2)
    played_file = make_file(socket_directory / "played.webm", sound, 60)
    heard_file = socket_directory / "heard.webm"
    echo_file = socket_directory / "echo.wav"
    async with Installation() as installation:
        meeting = await installation.control.create_meeting("tea")
        names = ("ada", "grace")
        credentials = [await installation.control.create_attendee(meeting, name) for name in names]
        url = f"ipc://{installation.client_socket}"
        async with (
            carillon.join(meeting, credentials[0], SessionOptions(gateway_url=url)) as ada,
            carillon.join(
                meeting,
                credentials[1],
                SessionOptions(gateway_url=url, is_muted=True, audio_mode=AudioMode.MONO_48K),
            ) as grace,
        ):
            metrics = ada.media.events()
            recordings = [
                asyncio.create_task(record(grace, heard_file, seconds=4, size=SIZE)),
                asyncio.create_task(record(ada, echo_file, seconds=3)),
            ]
            for session in (ada, grace):
                await session.media.open()
            played = await play(ada, played_file)
            heard, _ = await asyncio.gather(*recordings)
            measured = [await anext(metrics) for _ in range(3)]
    assert played.video_frames == 60
    assert part_heard(read_sound(heard_file), sound) > 0.5
    numbers = read_numbers(heard_file)
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert len(numbers) == heard.video_frames > 30
    assert int(np.abs(read_sound(echo_file)).max()) < 100
    uplinks = [each.audio_send for each in measured if isinstance(each, MediaMetrics)]
    assert any(uplink is not None and uplink.packets > 0 for uplink in uplinks)


async def film(sender: VideoSender, shown: int) -> None:
    """Sends pictures that show the number `shown`, until cancelled."""
    while True:
        await sender.send(picture(shown))
        await asyncio.sleep(1 / 15)


async def sees(receiver: VideoReceiver, shown: int, within: float = 10.0) -> None:
    async with due(f"a picture of {shown}", within):
        async for frame in receiver:
            if number(frame) == shown:
                return


@asynccontextmanager
async def filming(sender: VideoSender, shown: int) -> AsyncIterator[None]:
    """Sends pictures that show the number `shown` during the block."""
    task = asyncio.create_task(film(sender, shown))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.mark.parametrize("kind", ["camera", "content"])
async def test_a_source_that_changes_its_codec_again_and_again_stays_visible(kind: str) -> None:
    async with Installation() as installation:
        meeting = await installation.control.create_meeting("tea")
        credentials = [
            await installation.control.create_attendee(meeting, name) for name in ("ada", "grace")
        ]
        publisher = credentials[0] if kind == "camera" else credentials[0].content
        options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
        async with (
            carillon.join(meeting, publisher, options) as ada,
            carillon.join(meeting, credentials[1], options) as grace,
        ):
            await grace.video.start_remote_video()
            filmed, watched = await ada.media.open(), await grace.media.open()
            receiver: VideoReceiver | None = None
            for shown, codec in enumerate([VideoCodec.VP8, VideoCodec.H264] * 4, start=1):
                layer = VideoLayer(WIDTH, HEIGHT, 15, 300_000, codec)
                published = await ada.video.publish([layer])
                receiver = receiver or VideoReceiver(watched, published.track_ssrc)
                # The sender starts immediately. Its pictures may reach media before video-tiles has
                # decided to forward them.
                with VideoSender(filmed, published) as sender:
                    async with filming(sender, shown):
                        await sees(receiver, shown)


class Zoom:
    """A camera whose pictures have a size and show a number, both of which a test can change."""

    def __init__(self) -> None:
        self.shown = 0
        self.scale = 1

    async def film(self, sender: VideoSender) -> None:
        """Sends pictures until cancelled."""
        while True:
            made = np.zeros((self.scale * HEIGHT, self.scale * WIDTH, 3), np.uint8)
            made[:HEIGHT, :WIDTH] = picture(self.shown)
            await sender.send(made)
            await asyncio.sleep(1 / 15)


@pytest.mark.parametrize("first", ["pictures", "decision"])
async def test_a_camera_that_changes_its_sizes_stays_visible(first: str) -> None:
    async with Installation() as installation:
        meeting = await installation.control.create_meeting("tea")
        credentials = [
            await installation.control.create_attendee(meeting, name) for name in ("ada", "grace")
        ]
        options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
        async with (
            carillon.join(meeting, credentials[0], options) as ada,
            carillon.join(meeting, credentials[1], options) as grace,
        ):
            await grace.video.start_remote_video()
            filmed, watched = await ada.media.open(), await grace.media.open()
            published = await ada.video.publish([VideoLayer(WIDTH, HEIGHT, 15, 300_000)])
            receiver, zoom = VideoReceiver(watched, published.track_ssrc), Zoom()
            with VideoSender(filmed, published) as sender:
                task = asyncio.create_task(zoom.film(sender))
                await sees(receiver, 0)
                for shown, scale in enumerate([2, 1, 2, 1], start=1):
                    key_frames = sender.key_frames
                    layer = VideoLayer(scale * WIDTH, scale * HEIGHT, 15, 300_000)
                    if first == "pictures":
                        zoom.shown, zoom.scale = shown, scale
                        await sees(receiver, shown)
                    # The ids stay, so the pictures before and after this call belong together.
                    assert (await ada.video.publish([layer])).layers[0].ssrc == sender.stream.ssrc
                    zoom.shown, zoom.scale = 100 + shown, scale
                    await sees(receiver, 100 + shown)
                    # The only key frame is the first picture of the new size.
                    assert sender.key_frames == key_frames + 1
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


class ThriftySender(VideoSender):
    """A sender whose H.264 has its parameter sets only in its first frame, as some encoders do."""

    left_out = 0
    """The number of key frames without parameter sets."""

    def _encode(self, picture: Picture, timestamp: int, is_key: bool) -> EncodedFrame | None:
        frame = super()._encode(picture, timestamp, is_key)
        if frame is None or self.frames == 0:
            return frame
        units = [unit for unit in split_units(frame.data) if unit[0] & 0x1F not in (7, 8)]
        self.left_out += frame.is_key
        data = b"".join(b"\x00\x00\x00\x01" + unit for unit in units)
        return EncodedFrame(frame.encoding, data, frame.timestamp, frame.is_key)


async def test_a_late_viewer_sees_h264_whose_parameter_sets_were_sent_once() -> None:
    async with Installation() as installation:
        meeting = await installation.control.create_meeting("tea")
        names = ("ada", "grace", "late")
        credentials = [await installation.control.create_attendee(meeting, name) for name in names]
        options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
        async with (
            carillon.join(meeting, credentials[0], options) as ada,
            carillon.join(meeting, credentials[1], options) as grace,
        ):
            await grace.video.start_remote_video()
            layer = VideoLayer(WIDTH, HEIGHT, 15, 300_000, VideoCodec.H264)
            published = await ada.video.publish([layer])
            receiver = VideoReceiver(await grace.media.open(), published.track_ssrc)
            sender = ThriftySender(await ada.media.open(), published)
            async with filming(sender, 1):
                await sees(receiver, 1)
                for _ in range(2):
                    # For each late viewer, the sender sends a key frame, and this key frame has no
                    # parameter sets.
                    asked = sender.left_out
                    async with carillon.join(meeting, credentials[2], options) as late:
                        await late.video.start_remote_video()
                        watched = await late.media.open()
                        with VideoReceiver(watched, published.track_ssrc) as own:
                            await sees(own, 1)
                    assert sender.left_out > asked
            async with filming(sender, 2):
                await sees(receiver, 2)


async def ready_at(installation: Installation) -> float:
    """Waits until all services are ready, and then returns the time by the event loop's clock."""
    await installation.become_ready()
    return asyncio.get_running_loop().time()


@pytest.mark.alone  # This test judges the time until pictures return.
@pytest.mark.parametrize("service", ["media", "video_tiles", "gateway"])
async def test_pictures_return_after_a_service_is_killed_during_a_change_of_codec(
    service: str,
) -> None:
    loop = asyncio.get_running_loop()
    durations = []
    async with Installation() as installation:
        meeting = await installation.control.create_meeting("tea")
        credentials = [
            await installation.control.create_attendee(meeting, name) for name in ("ada", "grace")
        ]
        options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
        async with (
            carillon.join(meeting, credentials[0], options) as ada,
            carillon.join(meeting, credentials[1], options) as grace,
        ):
            await grace.video.start_remote_video()
            filmed, watched = await ada.media.open(), await grace.media.open()
            receiver: VideoReceiver | None = None
            for shown, codec in enumerate([VideoCodec.VP8, VideoCodec.H264] * 3, start=1):
                layer = VideoLayer(WIDTH, HEIGHT, 15, 300_000, codec)
                started = None
                if receiver is not None:
                    # The new process receives packets of the new codec, or the request to publish,
                    # before it receives the state of the meeting.
                    process: Process = getattr(installation, service)
                    await process.kill()
                    await process.start()
                    started = asyncio.create_task(ready_at(installation))
                published = await ada.video.publish([layer])
                receiver = receiver or VideoReceiver(watched, published.track_ssrc)
                with VideoSender(filmed, published) as sender:
                    async with filming(sender, shown):
                        await sees(receiver, shown)
                if started is not None:
                    durations.append(loop.time() - await started)
    # The durations do not include the time that the process takes to start, because that time
    # depends on the machine.
    assert len(durations) == 5 and max(durations) < 2, durations

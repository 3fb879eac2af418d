"""Audio and video between real processes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
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
from eventually import due
from installation import BINARIES, Installation
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
    """Sends pictures with one number until cancelled."""
    while True:
        await sender.send(picture(shown))
        await asyncio.sleep(1 / 15)


async def sees(receiver: VideoReceiver, shown: int) -> None:
    async with due(f"a picture of {shown}", 10.0):
        async for frame in receiver:
            if number(frame) == shown:
                return


async def test_a_camera_that_changes_its_codec_again_and_again_stays_visible() -> None:
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
            for shown, codec in enumerate([VideoCodec.VP8, VideoCodec.H264] * 4, start=1):
                layer = VideoLayer(WIDTH, HEIGHT, 15, 300_000, codec)
                published = await ada.video.publish([layer])
                receiver = receiver or VideoReceiver(watched, published.track_ssrc)
                # The pictures follow at once, and may reach media before the decision to send them.
                with VideoSender(filmed, published) as sender:
                    filming = asyncio.create_task(film(sender, shown))
                    await sees(receiver, shown)
                    filming.cancel()
                    with suppress(asyncio.CancelledError):
                        await filming

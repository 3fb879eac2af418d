"""The test pattern as a camera, and the count of its pictures, in a session and from a shell."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from carillon import VideoCodec
from carillon.media import Viewed, show_pattern, view
from carillon.media.pattern import frame_counter
from carillon.media.pattern.camera import pattern
from carillon.media.rtp.packet import RtpPacket, is_rtcp
from carillon.media.video.codecs import VideoDecoder, VideoEncoder
from carillon.v1 import video_tiles_pb2
from scripted_gateway import GRACE, ScriptedGateway
from scripted_media import H264, ScriptedMedia, media_moved
from test_media_bots import mirror, serve_video
from test_programs import command, line, program
from test_session import joining
from test_video import board, source, state


@pytest.mark.parametrize("encoding", ["vp8", "h264"])
def test_a_number_in_a_picture_survives_encoding(encoding: str) -> None:
    encoder = VideoEncoder(encoding, 320, 180, bits_per_second=150_000, frames_per_second=15)
    decoder = VideoDecoder()
    numbers = [0, 1, 0xA5A5, 0xFFFF, 0x1_0002]
    for index, number in enumerate(numbers):
        frame = encoder.encode(pattern(number, 320, 180), index * 6_000, is_key=index == 0)
        assert frame is not None
        (picture,) = decoder.decode(frame)
        assert frame_counter.read(picture) == number % frame_counter.MODULUS


def test_no_number_is_read_from_a_picture_without_a_number() -> None:
    assert frame_counter.read(pattern(7, 160, 90)) == 7
    small = pattern(7, 80, 40)
    assert frame_counter.read(small) is None
    luma = np.full((180, 320), 100, np.uint8)
    drawn = luma.copy()
    frame_counter.draw(7, drawn)
    assert (drawn[15:] == luma[15:]).all() and set(np.unique(drawn[:15])) == {16, 235}


@pytest.mark.parametrize("codec", [VideoCodec.VP8, VideoCodec.H264])
async def test_a_viewer_counts_the_frames_of_a_pattern(
    gateway: ScriptedGateway, socket_directory: Path, codec: VideoCodec
) -> None:
    calls: list[str] = []
    told: list[Viewed] = []
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        peer.change = mirror
        async with joining(gateway) as (session, _):
            await gateway.events(
                media_moved(peer.endpoint), board(source(1, GRACE), own=[state(1, GRACE)])
            )
            serving = asyncio.create_task(serve_video(gateway, calls))
            viewing = asyncio.create_task(
                view(session, lambda viewed: told.append(replace(viewed)), interval=0.2)
            )
            shown = await show_pattern(session, codec=codec, seconds=2)
            viewing.cancel()
            await asyncio.wait([viewing])
            serving.cancel()
    assert shown == 30
    assert sorted(calls) == ["PublishVideo", "SetRemoteVideo", "UnpublishVideo"]
    last = told[-1]
    assert (last.tile_id, last.attendee_id, last.width, last.height) == (1, GRACE, 320, 180)
    assert last.numbered == last.frames > 10
    counts = [viewed.frames for viewed in told]
    assert counts == sorted(counts)


# From a shell


@pytest.mark.parametrize("how", ["seconds", "signal"])
async def test_carillon_camera_shows_h264_until_its_time_limit_or_a_signal(
    gateway: ScriptedGateway, socket_directory: Path, how: str
) -> None:
    calls: list[str] = []
    more = ["--codec", "h264", *(["--seconds", "1"] if how == "seconds" else [])]
    arguments = command("camera", gateway, socket_directory, *more)
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer, gateway:
        async with program(*arguments) as process:
            await gateway.admit()
            serving = asyncio.create_task(serve_video(gateway, calls))
            await gateway.events(media_moved(peer.endpoint))
            assert (await line(process))["event"] == "started"
            packet = await peer.packets.get()
            while is_rtcp(packet):
                packet = await peer.packets.get()
            assert RtpPacket.parse(packet).payload_type == H264
            if how == "signal":
                process.send_signal(signal.SIGTERM)
            else:
                assert await line(process) == {"event": "shown", "frames": 15}
            assert await process.wait() == 0
            serving.cancel()
    assert calls[0] == "PublishVideo" and "UnpublishVideo" in calls


async def test_carillon_view_of_one_attendee_ends_at_a_signal(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    arguments = command("view", gateway, socket_directory, "--from", GRACE)
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer, gateway:
        async with program(*arguments) as process:
            assert (await gateway.admit()).is_muted
            await gateway.events(media_moved(peer.endpoint), board(source(1, GRACE)))
            assert (await line(process))["event"] == "started"
            asked = []
            for _ in range(3):
                call = await gateway.next_call()
                if call.method == "UpdateVideoSubscriptions":
                    request = call.read(video_tiles_pb2.UpdateVideoSubscriptionsRequest)
                    asked.append([each.participant_id for each in request.added_or_updated])
                    await call.reply(video_tiles_pb2.UpdateVideoSubscriptionsReply())
                else:
                    assert call.method == "SetRemoteVideo"
                    await call.reply(video_tiles_pb2.SetRemoteVideoReply())
            process.send_signal(signal.SIGTERM)
            assert (await line(process))["event"] == "ended"
            await gateway.next("Stop")
            assert await process.wait() == 0
    assert asked == [[], [GRACE]]

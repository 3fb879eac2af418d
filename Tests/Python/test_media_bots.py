"""Bots that play and record files, in a session and from a shell."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

import carillon
from carillon import CarillonError
from carillon.media import play, record
from carillon.media.audio.file import AudioFile
from carillon.media.audio.opus import Samples
from carillon.media.files.writer import MediaWriter
from carillon.media.rtp.packet import RtpPacket, is_rtcp
from carillon.media.video.file import VideoFile
from carillon.v1 import video_tiles_pb2
from scripted_gateway import GRACE, MEETING, ScriptedGateway
from scripted_media import MIXED_AUDIO, OPUS, OWN_AUDIO, ScriptedMedia, media_moved
from test_control import ATTENDEE_JSON, ControlPlane, plane
from test_media_audio import part_heard, tone
from test_media_video import HEIGHT, WIDTH, number, picture
from test_programs import EXAMPLES, README, command, line, program
from test_session import joining
from test_video import board, source, state

__all__ = ["plane"]

pytestmark = pytest.mark.alone  # These tests judge sound and pictures in real time.
LAYER, TRACK = 0x5555, 1_001
"""The SSRCs of this session's layer, and of Grace's track in `source(1, GRACE)`."""
SIZE = (WIDTH, HEIGHT)


def make_file(path: Path, sound: Samples, pictures: int = 0) -> Path:
    """Writes a file with sound, and with 30 numbered pictures per second."""
    writer = MediaWriter(path, sound.shape[1], SIZE)
    for index in range(pictures):
        frame = av.VideoFrame.from_ndarray(picture(index), format="rgb24")
        writer.write_video(frame, index / 30)
    writer.write_audio(sound)
    writer.close()
    return path


def read_sound(path: Path) -> Samples:
    parts = []
    with AudioFile(path, 1) as file:
        while (part := file.read()) is not None:
            parts.append(part)
    return np.concatenate(parts)


def read_numbers(path: Path) -> list[int]:
    numbers = []
    with VideoFile(path) as file:
        assert (file.width, file.height) == SIZE
        while (frame := file.read()) is not None:
            numbers.append(number(frame))
    return numbers


def mirror(packet: bytes) -> Iterable[bytes]:
    """Returns this session's packets and video feedback as if others had sent them."""
    own, other = LAYER.to_bytes(4, "big"), TRACK.to_bytes(4, "big")
    if is_rtcp(packet):
        if packet[1] >= 205:
            yield packet[:8] + packet[8:].replace(other, own)
        return
    rtp = RtpPacket.parse(packet)
    ssrc = MIXED_AUDIO if rtp.ssrc == OWN_AUDIO else TRACK
    yield replace(rtp, ssrc=ssrc).pack()


async def serve_video(
    gateway: ScriptedGateway,
    calls: list[str],
    layers: list[video_tiles_pb2.VideoLayer] | None = None,
) -> None:
    """Accepts all calls, and records their names and the published layers."""
    while True:
        call = await gateway.next_call()
        calls.append(call.method)
        match call.method:
            case "SetRemoteVideo":
                await call.reply(video_tiles_pb2.SetRemoteVideoReply())
            case "PublishVideo":
                video = call.read(video_tiles_pb2.PublishVideoRequest).video
                video.tile_id, video.track_ssrc, video.layers[0].ssrc = 2, 9_999, LAYER
                if layers is not None:
                    layers.extend(video.layers)
                await call.reply(video_tiles_pb2.PublishVideoReply(video=video))
            case "UnpublishVideo":
                await call.reply(video_tiles_pb2.UnpublishVideoReply())


@pytest.mark.parametrize("ending", ["webm", "mp4"])
async def test_a_bot_can_record_the_sound_that_another_bot_plays(
    gateway: ScriptedGateway, socket_directory: Path, ending: str
) -> None:
    sound = tone(1.5)
    played_file = make_file(socket_directory / f"played.{ending}", sound, 45)
    recorded_file = socket_directory / f"recorded.{ending}"
    calls: list[str] = []
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        peer.change = mirror
        async with joining(gateway) as (session, _):
            await gateway.events(
                media_moved(peer.endpoint), board(source(1, GRACE), own=[state(1, GRACE)])
            )
            serving = asyncio.create_task(serve_video(gateway, calls))
            recording = asyncio.create_task(record(session, recorded_file, seconds=4, size=SIZE))
            played = await play(session, played_file)
            recorded = await recording
            serving.cancel()
    assert played.video_frames == 45 and played.audio_seconds == pytest.approx(1.5, abs=0.05)
    assert sorted(calls) == ["PublishVideo", "SetRemoteVideo", "UnpublishVideo"]
    assert recorded.audio_seconds == 4 and recorded.video_frames > 30
    assert part_heard(read_sound(recorded_file), sound) > 0.5
    numbers = read_numbers(recorded_file)
    assert len(numbers) == recorded.video_frames and numbers == sorted(set(numbers))


async def test_an_invalid_media_file_is_refused_and_nothing_is_published(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    text = socket_directory / "text.wav"
    text.write_text("no sound")
    async with joining(gateway) as (session, _):
        # PyAV determines the text of the error.
        with pytest.raises(ValueError):  # noqa: PT011
            await play(session, text)
        with pytest.raises(FileNotFoundError):
            await play(session, socket_directory / "nothing.wav")
        async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
            await gateway.events(media_moved(peer.endpoint))
            with pytest.raises(ValueError, match="must end in one of"):
                await record(session, socket_directory / "recorded.txt")


async def test_playing_and_recording_end_when_the_session_ends(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    path = make_file(socket_directory / "long.wav", tone(20))
    recorded_file = socket_directory / "short.wav"
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer:
        peer.change = mirror
        async with joining(gateway) as (session, _):
            await gateway.events(media_moved(peer.endpoint))
            playing = asyncio.create_task(play(session, path))
            recording = asyncio.create_task(record(session, recorded_file))
            for _ in range(20):
                await peer.packets.get()
            await session.leave()
            with pytest.raises(CarillonError):
                await playing
            recorded = await recording
    assert 0.1 < recorded.audio_seconds < 2
    assert len(read_sound(recorded_file)) == round(recorded.audio_seconds * 48_000)


# From a shell


async def test_carillon_play_plays_a_file_and_leaves_the_meeting(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    path = make_file(socket_directory / "tone.wav", tone(0.4))
    arguments = command("play", gateway, socket_directory, str(path))
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer, gateway:
        async with program(*arguments) as process:
            assert not (await gateway.admit()).is_muted
            await gateway.events(media_moved(peer.endpoint))
            assert (await line(process))["event"] == "started"
            assert await line(process) == {
                "event": "played",
                "file": str(path),
                "audio_seconds": 0.4,
                "video_frames": 0,
            }
            await gateway.next("Stop")
            assert await process.wait() == 0
        sent = [peer.packets.get_nowait() for _ in range(peer.packets.qsize())]
        assert len([packet for packet in sent if packet[1] & 0x7F == OPUS]) == 20


async def test_carillon_play_refuses_an_unreadable_file(
    gateway: ScriptedGateway, socket_directory: Path
) -> None:
    path = socket_directory / "text"
    path.write_text("no sound")
    async with gateway:
        arguments = command("play", gateway, socket_directory, str(path))
        async with program(*arguments) as process:
            await gateway.admit()
            assert (await line(process))["event"] == "started"
            assert (await line(process))["event"] == "refused"
            await gateway.next("Stop")
            assert await process.wait() == 1


@pytest.mark.parametrize("how", ["seconds", "signal"])
async def test_carillon_record_writes_a_file_until_its_time_limit_or_a_signal(
    gateway: ScriptedGateway, socket_directory: Path, how: str
) -> None:
    path = socket_directory / "heard.wav"
    more = ["--seconds", "0.5"] if how == "seconds" else []
    arguments = command("record", gateway, socket_directory, *more, str(path))
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer, gateway:
        async with program(*arguments) as process:
            assert (await gateway.admit()).is_muted
            await gateway.events(media_moved(peer.endpoint))
            assert (await line(process))["event"] == "started"
            recording = await line(process)
            assert recording == {"event": "recording", "file": str(path)}
            if how == "signal":
                process.send_signal(signal.SIGTERM)
            recorded = await line(process)
            assert recorded["event"] == "recorded", recorded
            assert recorded["video_frames"] == 0
            assert (await line(process))["event"] == "ended"
            await gateway.next("Stop")
            assert await process.wait() == 0
    if how == "seconds":
        assert recorded["audio_seconds"] == 0.5
    assert len(read_sound(path)) == round(recorded["audio_seconds"] * 48_000)


def test_the_readme_shows_the_example_that_plays_and_records() -> None:
    example = (EXAMPLES / "player_recorder.py").read_text()
    assert len(example.splitlines()) <= 30
    assert f"```python\n{example}```" in README.read_text()
    assert carillon.media.play is play


async def test_the_example_plays_and_records(
    gateway: ScriptedGateway, plane: ControlPlane, socket_directory: Path
) -> None:
    sound = tone(0.6)
    played_file = make_file(socket_directory / "played.wav", sound)
    recorded_file = socket_directory / "recorded.wav"
    placement = {"GatewayUrl": gateway.endpoint}
    plane.answer({"Meeting": {"MeetingId": MEETING, "MediaPlacement": placement}})
    plane.answer({"Attendee": ATTENDEE_JSON})
    arguments = [plane.url, MEETING, str(played_file), str(recorded_file)]
    async with ScriptedMedia(f"ipc://{socket_directory}/media") as peer, gateway:
        peer.change = mirror
        async with program(str(EXAMPLES / "player_recorder.py"), *arguments) as process:
            await gateway.admit()
            await gateway.events(media_moved(peer.endpoint))
            await gateway.next("Stop")
            assert await process.wait() == 0
    heard = read_sound(recorded_file)
    assert part_heard(heard, sound[: len(heard) - 9_600]) > 0.5

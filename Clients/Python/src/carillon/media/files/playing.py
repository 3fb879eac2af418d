"""Playing a file into a meeting."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass

from carillon.media.audio.sender import AudioSender
from carillon.media.connection import MediaConnection
from carillon.media.container import has_audio, has_video
from carillon.media.video.file import VideoFile
from carillon.media.video.following import following
from carillon.media.video.sender import VideoSender
from carillon.session import Session
from carillon.video.values import VideoCodec, VideoLayer

_MOST_FRAMES_PER_SECOND = 60


@dataclass(frozen=True)
class Played:
    """How much audio and video of a file was played."""

    audio_seconds: float
    video_frames: int


async def play(
    session: Session,
    path: str | os.PathLike[str],
    *,
    channels: int = 1,
    bits_per_second: int = 800_000,
    codec: VideoCodec = VideoCodec.VP8,
) -> Played:
    """Plays a file into the meeting, and returns at the end of the file.

    The session sends the audio of the file. The session publishes the video as its camera, or as
    content in a content session, and unpublishes the video at the end. `channels` applies to the
    audio; `bits_per_second` and `codec` apply to the video. Raises `CarillonError`, `ValueError` if
    the file has neither audio nor video, and PyAV's errors if PyAV cannot read the file.
    """
    with_audio = await asyncio.to_thread(has_audio, path)
    with_video = await asyncio.to_thread(has_video, path)
    if not with_audio and not with_video:
        raise ValueError(f"{os.fspath(path)} contains neither audio nor video; name another file.")
    connection = await session.media.open()
    audio = asyncio.create_task(_play_audio(connection, path if with_audio else None, channels))
    video = asyncio.create_task(
        _play_video(session, connection, path if with_video else None, bits_per_second, codec)
    )
    try:
        return Played(await audio, await video)
    finally:
        for task in (audio, video):
            task.cancel()
        await asyncio.wait([audio, video])


async def _play_audio(
    connection: MediaConnection, path: str | os.PathLike[str] | None, channels: int
) -> float:
    if path is None:
        return 0.0
    with AudioSender(connection, channels=channels) as sender:
        return await sender.play(path)


async def _play_video(
    session: Session,
    connection: MediaConnection,
    path: str | os.PathLike[str] | None,
    bits_per_second: int,
    codec: VideoCodec,
) -> int:
    if path is None:
        return 0
    with await asyncio.to_thread(VideoFile, path) as file:
        rate = min(max(round(file.frames_per_second), 1), _MOST_FRAMES_PER_SECOND)
        layer = VideoLayer(file.width, file.height, rate, bits_per_second, codec)
    published = await session.video.publish([layer])
    try:
        with VideoSender(connection, published) as sender:
            async with following(session, sender):
                return await sender.play(path)
    finally:
        if session.status is None:
            await session.video.unpublish()

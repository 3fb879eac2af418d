"""A simulated camera that sends a moving test pattern with numbered pictures."""

from __future__ import annotations

import av
import numpy as np

from carillon.media.pacing import Pacer
from carillon.media.pattern import frame_counter
from carillon.media.video.following import following
from carillon.media.video.sender import VideoSender
from carillon.session import Session
from carillon.video.values import VideoCodec, VideoLayer


async def show_pattern(
    session: Session,
    *,
    codec: VideoCodec = VideoCodec.VP8,
    size: tuple[int, int] = (320, 180),
    frames_per_second: int = 15,
    bits_per_second: int = 150_000,
    seconds: float | None = None,
) -> int:
    """Publishes the pattern as the session's camera; returns the number of sent pictures.

    This function runs for `seconds`, or until its cancellation or the end of the session. Then it
    unpublishes the camera. `size` is in pixels; width and height must be even. Raises
    `CarillonError` if the meeting has no room for a camera, and `ValueError` for a codec that this
    PyAV cannot encode.
    """
    connection = await session.media.open()
    width, height = size
    layer = VideoLayer(width, height, frames_per_second, bits_per_second, codec)
    published = await session.video.publish([layer])
    pacer = Pacer(1 / frames_per_second)
    wanted = None if seconds is None else round(seconds * frames_per_second)
    number = 0
    try:
        with VideoSender(connection, published) as sender:
            async with following(session, sender):
                while session.status is None and (wanted is None or number < wanted):
                    await pacer.wait()
                    if session.status is None:
                        await sender.send(pattern(number, width, height))
                    number += 1
        return sender.frames
    finally:
        if session.status is None:
            await session.video.unpublish()


def pattern(number: int, width: int, height: int) -> av.VideoFrame:
    """Returns the picture for a number: a gradient, a moving square, and the number itself."""
    columns, rows = np.arange(width) * 100 // width, np.arange(height) * 60 // height
    luma = (48 + columns[np.newaxis, :] + rows[:, np.newaxis]).astype(np.uint8)
    side = max(2, height // 8)
    left = number * max(1, width // 90) % max(1, width - side)
    luma[height // 2 : height // 2 + side, left : left + side] = 220
    frame_counter.draw(number, luma)
    colour = np.full((height // 2, width), 128, np.uint8)
    return av.VideoFrame.from_ndarray(np.vstack([luma, colour]), format="yuv420p")

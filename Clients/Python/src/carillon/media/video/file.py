"""Reading video from a file."""

from __future__ import annotations

import os
from fractions import Fraction

import av

from carillon.media.container import MediaFile
from carillon.media.video.turning import PictureTurner


class VideoFile(MediaFile):
    """The first video stream of a file, with its pictures turned upright."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path, "video")
        stream = self._container.streams.video[0]
        self.width = stream.width
        self.height = stream.height
        self.frames_per_second = float(stream.average_rate or Fraction(30))
        self._turner = PictureTurner()
        self._frames = self._container.decode(video=0)
        self._first = self._decode_first()

    def _decode_first(self) -> av.VideoFrame | None:
        """Returns the first picture. Only a picture contains the video's orientation and size."""
        try:
            first = self._next()
        except BaseException:
            self.close()
            raise
        if first is not None:
            self.width, self.height = first.width, first.height
        return first

    def read(self) -> av.VideoFrame | None:
        """Returns the next frame; `None` after the last one."""
        first, self._first = self._first, None
        return first if first is not None else self._next()

    def _next(self) -> av.VideoFrame | None:
        frame = next(self._frames, None)
        return None if frame is None else self._turner.turn(frame)

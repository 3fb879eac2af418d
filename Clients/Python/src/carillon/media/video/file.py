"""Video from a file."""

from __future__ import annotations

import os
from fractions import Fraction

import av

from carillon.media.container import MediaFile


class VideoFile(MediaFile):
    """The first video of a file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path, "video")
        stream = self._container.streams.video[0]
        self.width = stream.width
        self.height = stream.height
        self.frames_per_second = float(stream.average_rate or Fraction(30))
        self._frames = self._container.decode(video=0)

    def read(self) -> av.VideoFrame | None:
        """The next frame; `None` behind the last one."""
        return next(self._frames, None)

"""Audio and video from files, as PyAV reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction

import av
import numpy as np

from carillon.media.closing import Closing
from carillon.media.opus import FRAME_SAMPLES, SAMPLE_RATE, Samples, layout

_MOST_SAMPLES = 25 * FRAME_SAMPLES
"""Half a second at a time."""


class _File(Closing):
    """An open file. Everything here blocks: call it in a thread."""

    def __init__(self, path: str | os.PathLike[str], kind: str) -> None:
        self._container = av.open(os.fspath(path))
        if not any(stream.type == kind for stream in self._container.streams):
            self._container.close()
            raise ValueError(f"There is no {kind} in {os.fspath(path)}.")

    def close(self) -> None:
        """Idempotent."""
        self._container.close()


class AudioFile(_File):
    """The first audio of a file, as 48 kHz samples."""

    def __init__(self, path: str | os.PathLike[str], channels: int) -> None:
        super().__init__(path, "audio")
        self._channels = channels
        self._parts = self._decode()

    def read(self) -> Samples | None:
        """The next half a second, or less at the end; `None` behind it."""
        parts: list[Samples] = []
        length = 0
        for part in self._parts:
            parts.append(part)
            length += len(part)
            if length >= _MOST_SAMPLES:
                break
        return np.concatenate(parts) if parts else None

    def _decode(self) -> Iterator[Samples]:
        resampler = av.AudioResampler("s16", layout(self._channels), SAMPLE_RATE)
        for frame in self._container.decode(audio=0):
            for resampled in resampler.resample(frame):
                yield self._samples(resampled)
        for resampled in resampler.resample(None):
            yield self._samples(resampled)

    def _samples(self, frame: av.AudioFrame) -> Samples:
        return frame.to_ndarray().reshape(-1, self._channels).astype(np.int16, copy=False)


class VideoFile(_File):
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


def has_video(path: str | os.PathLike[str]) -> bool:
    """Whether there is moving video in a file: a cover picture is none."""
    return _has(path, "video")


def has_audio(path: str | os.PathLike[str]) -> bool:
    """Whether there is audio in a file."""
    return _has(path, "audio")


def _has(path: str | os.PathLike[str], kind: str) -> bool:
    with av.open(os.fspath(path)) as container:
        return any(
            stream.type == kind and not stream.disposition & av.stream.Disposition.attached_pic
            for stream in container.streams
        )

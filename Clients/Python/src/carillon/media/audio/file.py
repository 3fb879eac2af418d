"""Reading audio from a file."""

from __future__ import annotations

import os
from collections.abc import Iterator

import av
import numpy as np

from carillon.media.audio.opus import FRAME_SAMPLES, SAMPLE_RATE, Samples, layout
from carillon.media.container import MediaFile

_MOST_SAMPLES = 25 * FRAME_SAMPLES
"""The number of samples per read: 0.5 s."""


class AudioFile(MediaFile):
    """The first audio stream of a file, as 48 kHz samples."""

    def __init__(self, path: str | os.PathLike[str], channels: int) -> None:
        super().__init__(path, "audio")
        self._channels = channels
        self._parts = self._decode()

    def read(self) -> Samples | None:
        """Returns about the next 0.5 s, or less at the end; `None` after the end."""
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

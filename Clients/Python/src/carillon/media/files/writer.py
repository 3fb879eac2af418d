"""Writing audio and video to a file with PyAV."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from carillon.media.audio.opus import SAMPLE_RATE, Samples, layout
from carillon.media.video.payload import CLOCK_RATE

_FORMATS: dict[str, tuple[str, str | None]] = {
    ".wav": ("pcm_s16le", None),
    ".opus": ("libopus", None),
    ".ogg": ("libopus", None),
    ".flac": ("flac", None),
    ".mp3": ("libmp3lame", None),
    ".webm": ("libopus", "libvpx"),
    ".mkv": ("libopus", "libvpx"),
    ".mp4": ("aac", "libx264"),
}
"""The audio and video codecs by file name extension."""

_VIDEO_OPTIONS = {
    "libvpx": {"deadline": "realtime", "cpu-used": "8", "auto-alt-ref": "0"},
    "libx264": {"preset": "veryfast", "tune": "zerolatency"},
}
_VIDEO_BITS_PER_SECOND = 1_500_000
_FRAMES_PER_SECOND = 30


class MediaWriter:
    """A media file that is being written. Its methods block: call them in a single thread."""

    def __init__(
        self, path: str | os.PathLike[str], channels: int, size: tuple[int, int] = (640, 360)
    ) -> None:
        """Opens a file whose name extension selects the format.

        All video has one size in pixels. A picture of another size is scaled to fit. Raises
        `ValueError` for an unknown extension, and PyAV's errors.
        """
        ending = Path(path).suffix.lower()
        if ending not in _FORMATS:
            known = " ".join(_FORMATS)
            raise ValueError(f"The name must end in one of {known}; got {ending or 'no ending'}.")
        audio, video = _FORMATS[ending]
        self._channels = channels
        self._size = size[0] & ~1, size[1] & ~1
        self._container = av.open(os.fspath(path), "w")
        stream = self._container.add_stream(audio, SAMPLE_RATE, layout=layout(channels))
        assert isinstance(stream, av.AudioStream)
        self._audio: av.AudioStream = stream
        self._video: av.VideoStream | None = None
        if video is not None:
            self._video = self._add_video(video)
        self._samples = 0
        self._last_pts = -1
        self.frames = 0
        """The number of written pictures."""
        self._is_closed = False

    def _add_video(self, codec: str) -> av.VideoStream:
        stream = self._container.add_stream(codec, _FRAMES_PER_SECOND)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height = self._size
        stream.pix_fmt = "yuv420p"
        stream.bit_rate = _VIDEO_BITS_PER_SECOND
        stream.time_base = Fraction(1, CLOCK_RATE)
        stream.codec_context.time_base = Fraction(1, CLOCK_RATE)
        stream.codec_context.thread_count = 1  # More threads do not help with small pictures.
        stream.codec_context.options = _VIDEO_OPTIONS[codec]
        return stream

    @property
    def has_video(self) -> bool:
        """Whether this format has video."""
        return self._video is not None

    @property
    def seconds(self) -> float:
        """The length of the written audio, in seconds."""
        return self._samples / SAMPLE_RATE

    def write_audio(self, samples: Samples) -> None:
        """Appends audio to the file."""
        packed = np.ascontiguousarray(samples).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(packed, format="s16", layout=layout(self._channels))
        frame.sample_rate = SAMPLE_RATE
        frame.time_base = Fraction(1, SAMPLE_RATE)
        frame.pts = self._samples
        self._samples += len(samples)
        self._container.mux(self._audio.encode(frame))

    def write_video(self, picture: av.VideoFrame, at: float) -> None:
        """Writes a picture.

        A player shows the picture from `at`, in seconds since the start of the audio.

        Does nothing if the format has no video.
        """
        if self._video is None:
            return
        frame = self._fit(picture)
        frame.pts = self._last_pts = max(int(at * CLOCK_RATE), self._last_pts + 1)
        frame.time_base = Fraction(1, CLOCK_RATE)
        self._container.mux(self._video.encode(frame))
        self.frames += 1

    def close(self) -> None:
        """Completes and closes the file. Idempotent."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._samples:
            self._container.mux(self._audio.encode(None))
        if self._video is not None and self._last_pts >= 0:
            self._container.mux(self._video.encode(None))
        self._container.close()

    def _fit(self, picture: av.VideoFrame) -> av.VideoFrame:
        """Returns the picture scaled to fit the size, with black bars beside it."""
        width, height = self._size
        scale = min(width / picture.width, height / picture.height)
        fitted = round(picture.width * scale / 2) * 2, round(picture.height * scale / 2) * 2
        if fitted == self._size:
            return picture.reformat(width, height, "yuv420p")
        small = picture.reformat(*fitted, "rgb24").to_ndarray()
        whole = np.zeros((height, width, 3), np.uint8)
        left, top = (width - fitted[0]) // 2, (height - fitted[1]) // 2
        whole[top : top + fitted[1], left : left + fitted[0]] = small
        return av.VideoFrame.from_ndarray(whole, format="rgb24").reformat(format="yuv420p")

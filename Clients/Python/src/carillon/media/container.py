"""Media files that PyAV reads."""

from __future__ import annotations

import os

import av

from carillon.media.closing import Closing


class MediaFile(Closing):
    """An open media file, read for one kind of media. Its methods block: call them in a thread."""

    def __init__(self, path: str | os.PathLike[str], kind: str) -> None:
        """Opens a file. `kind` is `audio` or `video`.

        Raises `ValueError` if the file has no such stream, and PyAV's errors.
        """
        self._container = av.open(os.fspath(path))
        if not any(stream.type == kind for stream in self._container.streams):
            self._container.close()
            raise ValueError(
                f"{os.fspath(path)} contains no {kind}; name a file that contains {kind}."
            )

    def close(self) -> None:
        """Closes the file. Idempotent."""
        self._container.close()


def has_video(path: str | os.PathLike[str]) -> bool:
    """Returns whether a file has a video stream. A cover picture does not count."""
    return _has(path, "video")


def has_audio(path: str | os.PathLike[str]) -> bool:
    """Returns whether a file has an audio stream."""
    return _has(path, "audio")


def _has(path: str | os.PathLike[str], kind: str) -> bool:
    with av.open(os.fspath(path)) as container:
        return any(
            stream.type == kind and not stream.disposition & av.stream.Disposition.attached_pic
            for stream in container.streams
        )

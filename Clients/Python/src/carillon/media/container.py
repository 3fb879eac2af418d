"""Media files, as PyAV reads them."""

from __future__ import annotations

import os

import av

from carillon.media.closing import Closing


class MediaFile(Closing):
    """An open file with one kind of media. Everything here blocks: call it in a thread."""

    def __init__(self, path: str | os.PathLike[str], kind: str) -> None:
        """`kind` is `audio` or `video`. Raises `ValueError` when there is none in the file."""
        self._container = av.open(os.fspath(path))
        if not any(stream.type == kind for stream in self._container.streams):
            self._container.close()
            raise ValueError(f"There is no {kind} in {os.fspath(path)}.")

    def close(self) -> None:
        """Closes the file. Idempotent."""
        self._container.close()


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

"""The audio mode of a session."""

from __future__ import annotations

from enum import IntEnum


class AudioMode(IntEnum):
    """The sample rate and channels of the audio that a session receives.

    The numbers are those of the original SDK (`docs/clients.md`).
    """

    MONO_16K = 1
    MONO_48K = 2
    STEREO_48K = 3

    @property
    def channels(self) -> int:
        """The number of channels."""
        return 2 if self is AudioMode.STEREO_48K else 1

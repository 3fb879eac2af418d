"""How a session wants what it hears."""

from __future__ import annotations

from enum import IntEnum


class AudioMode(IntEnum):
    """How a session wants audio, with the facade's numbers."""

    MONO_16K = 1
    MONO_48K = 2
    STEREO_48K = 3

    @property
    def channels(self) -> int:
        """How many channels this has."""
        return 2 if self is AudioMode.STEREO_48K else 1

"""What a recognizer gets and gives."""

from __future__ import annotations

import array
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

SAMPLE_RATE = 16_000
"""Samples of a second."""


@dataclass(frozen=True)
class Speech:
    """One utterance of one talker, or its beginning: 16 kHz, one channel."""

    pcm: bytes
    """Samples of 16 bits, signed, little-endian."""
    language: str = ""
    """What is spoken; empty: find out, among `language_options` if there are any."""
    language_options: Sequence[str] = ()
    phrases: Sequence[str] = ()
    """Words and phrases that are likely."""
    translate_to: Sequence[str] = ()
    """Languages that are wanted besides."""
    is_final: bool = True
    """Nothing more comes of this utterance. Otherwise the result is shown until the next one."""

    @property
    def seconds(self) -> float:
        """How long it is."""
        return len(self.pcm) / 2 / SAMPLE_RATE

    def floats(self) -> array.array[float]:
        """The samples as -1 to 1, in a buffer that `numpy.frombuffer` takes as `float32`."""
        samples = array.array("h", self.pcm)
        if sys.byteorder == "big":
            samples.byteswap()
        return array.array("f", (sample / 32_768 for sample in samples))


@dataclass(frozen=True)
class Word:
    """A word or a sign, in seconds from the beginning of the utterance."""

    text: str
    """At most 256 bytes of UTF-8, without line breaks and other control characters."""
    start: float
    end: float
    """0 <= start <= end. What is behind the utterance counts as its end."""
    confidence: float | None = None
    """0-1; `None` when nobody knows."""
    is_stable: bool | None = None


@dataclass(frozen=True)
class Alternative:
    """One reading."""

    words: Sequence[Word]
    """In any order: they are sorted by their start. At most 2,000 in all readings together."""


@dataclass(frozen=True)
class Recognition:
    """What was said."""

    alternatives: Sequence[Alternative]
    """Best first, of which the first ten count; none: nothing was said."""
    language: str = ""
    """The language of the text; empty: the one that was asked for."""
    languages: Sequence[tuple[str, float]] = field(default_factory=tuple)
    """Languages it may be, each with a score of 0-1; the first twenty count."""
    translated_from: str = ""
    """The language that was spoken, if the text is a translation."""


Recognized = Recognition | str | Iterable[Word] | Iterable[Recognition] | None
Recognizer = Callable[[Speech], Recognized]
"""May block, may be called from several threads at once if the engine has several workers."""

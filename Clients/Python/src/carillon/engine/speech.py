"""The input and the output of a recognizer."""

from __future__ import annotations

import array
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

SAMPLE_RATE = 16_000
"""The sample rate of speech, in Hz."""


@dataclass(frozen=True)
class Speech:
    """One utterance of one talker, or the beginning of an utterance, as 16 kHz mono audio."""

    pcm: bytes
    """The samples: signed 16-bit, little-endian."""
    language: str = ""
    """The spoken language. If empty, the recognizer identifies the language, among
    `language_options` if there are any."""
    language_options: Sequence[str] = ()
    phrases: Sequence[str] = ()
    """Words and phrases that the talker is likely to say."""
    translate_to: Sequence[str] = ()
    """The languages of the requested translations."""
    is_final: bool = True
    """Whether the utterance is complete. Later results replace the result of an incomplete
    utterance."""

    @property
    def seconds(self) -> float:
        """The length of the speech in seconds."""
        return len(self.pcm) / 2 / SAMPLE_RATE

    def floats(self) -> array.array[float]:
        """Returns the samples from -1 to 1, in a buffer for `numpy.frombuffer` as `float32`."""
        samples = array.array("h", self.pcm)
        if sys.byteorder == "big":
            samples.byteswap()
        return array.array("f", (sample / 32_768 for sample in samples))


@dataclass(frozen=True)
class Word:
    """A word or a punctuation mark. Times are in seconds since the start of the utterance."""

    text: str
    """The text: at most 256 bytes of UTF-8, without line breaks or other control characters."""
    start: float
    end: float
    """The end; 0 <= start <= end. The engine treats a later end as the end of the utterance."""
    confidence: float | None = None
    """The confidence from 0 to 1; `None` if it is unknown."""
    is_stable: bool | None = None


@dataclass(frozen=True)
class Alternative:
    """One alternative text of an utterance."""

    words: Sequence[Word]
    """The words in any order; the engine sorts them. At most 2,000 in all alternatives."""


@dataclass(frozen=True)
class Recognition:
    """The recognized text of an utterance in one language."""

    alternatives: Sequence[Alternative]
    """The alternative texts, best first; the engine uses only ten. Empty if nothing was said."""
    language: str = ""
    """The language of the text; empty means the requested language."""
    languages: Sequence[tuple[str, float]] = field(default_factory=tuple)
    """The candidate languages, each with a score of 0-1; the engine uses only the first twenty."""
    translated_from: str = ""
    """The spoken language, if the text is a translation."""


Recognized = Recognition | str | Iterable[Word] | Iterable[Recognition] | None
Recognizer = Callable[[Speech], Recognized]
"""A function that recognizes speech. The function may block.

An engine with several workers calls the function on several threads concurrently."""

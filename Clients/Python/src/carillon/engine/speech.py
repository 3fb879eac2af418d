"""What a recognizer gets and gives."""

from __future__ import annotations

import array
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from carillon.v1 import transcription_pb2 as pb

SAMPLE_RATE = 16_000
"""Samples of a second."""

_PUNCTUATION = frozenset(".,;:?!…。、，？！")  # noqa: RUF001 (Chinese and Japanese signs are meant.)


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
    start: float
    end: float
    confidence: float | None = None
    """0-1; `None` when nobody knows."""
    is_stable: bool | None = None


@dataclass(frozen=True)
class Alternative:
    """One reading."""

    words: Sequence[Word]


@dataclass(frozen=True)
class Recognition:
    """What was said."""

    alternatives: Sequence[Alternative]
    """Best first; none: nothing was said."""
    language: str = ""
    """The language of the text; empty: the one that was asked for."""
    languages: Sequence[tuple[str, float]] = field(default_factory=tuple)
    """Languages it may be, each with a score of 0-1."""
    translated_from: str = ""
    """The language that was spoken, if the text is a translation."""


Recognized = Recognition | str | Iterable[Word] | Iterable[Recognition] | None
Recognizer = Callable[[Speech], Recognized]
"""May block, may be called from several threads at once if the engine has several workers."""


def recognitions(said: Recognized, seconds: float) -> list[Recognition]:
    """Whatever a recognizer gives, as what was said in each language.

    Words of a text are spread over the utterance: their times are a guess.
    """
    match said:
        case None:
            return [Recognition([])]
        case Recognition():
            return [said]
        case str():
            return [Recognition([Alternative(_spread(said, seconds))] if said.split() else [])]
        case _:
            entries = list(said)
            several = [entry for entry in entries if isinstance(entry, Recognition)]
            if several:
                return several
            words = [entry for entry in entries if isinstance(entry, Word)]
            return [Recognition([Alternative(words)] if words else [])]


def _spread(text: str, seconds: float) -> list[Word]:
    words = text.split()
    total = sum(len(word) + 1 for word in words)
    spread, position = [], 0
    for word in words:
        start = seconds * position / total
        position += len(word) + 1
        spread.append(Word(word, start, seconds * position / total))
    return spread


def engine_word(word: Word, place: Callable[[float], int]) -> pb.EngineWord:
    """A word as it travels; `place` says where a second of the utterance is in the stream."""
    start, end = place(word.start), place(word.end)
    kind = (
        pb.TRANSCRIPT_ITEM_TYPE_PUNCTUATION
        if set(word.text) <= _PUNCTUATION
        else pb.TRANSCRIPT_ITEM_TYPE_PRONUNCIATION
    )
    made = pb.EngineWord(
        content=word.text.strip()[:64], start_sample=start, end_sample=max(start, end), type=kind
    )
    if word.confidence is not None and math.isfinite(word.confidence):
        made.confidence = min(1.0, max(0.0, word.confidence))
    if word.is_stable is not None:
        made.is_stable = word.is_stable
    return made


def engine_words(words: Iterable[Word], place: Callable[[float], int]) -> list[pb.EngineWord]:
    """Words in order of time, each split from the signs at its end; empty ones are left out."""
    made = []
    for word in sorted(words, key=lambda word: word.start):
        text = word.text.strip()
        bare = text.rstrip("".join(_PUNCTUATION))
        if bare:
            made.append(
                engine_word(
                    Word(bare, word.start, word.end, word.confidence, word.is_stable), place
                )
            )
        signs = (Word(sign, word.end, word.end) for sign in text[len(bare) :])
        made.extend(engine_word(sign, place) for sign in signs)
    return made

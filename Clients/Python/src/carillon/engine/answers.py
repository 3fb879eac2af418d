"""Checks whether a recognizer's answers follow the rules of the `transcription` service.

The engine drops an answer that breaks a rule, and continues. `AnswerError` names the rule. The
error never contains the spoken words, because logs must not contain them.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import Any

from carillon.engine.languages import is_language_code
from carillon.engine.report import REPORT_BYTES, most_result_bytes
from carillon.engine.speech import Alternative, Recognition, Recognized, Word
from carillon.v1 import transcription_pb2 as pb

ALTERNATIVES, LANGUAGES, WORDS, WORD_BYTES = 10, 20, 2_000, 256
"""The limits of a result: alternatives, languages, words in all alternatives, bytes of a word."""

_PIECE = 64
"""The number of characters after which this module splits a long word, for languages without
spaces."""
_PUNCTUATION = frozenset(".,;:?!…。、，？！")  # noqa: RUF001 (Chinese and Japanese marks are meant.)


class AnswerError(ValueError):
    """The `transcription` service would reject an answer. The text is the reason."""


def check_answer(said: Recognized, seconds: float) -> None:
    """Checks an answer to an utterance of `seconds`. Raises `AnswerError` for an invalid answer.

    Use this function in the tests of an engine. `serve` drops and counts an invalid answer, and
    continues.
    """
    for recognition in recognitions(said, seconds):
        fill(pb.EngineResult(), recognition, round, most_result_bytes(REPORT_BYTES))


def recognitions(said: Recognized, seconds: float) -> list[Recognition]:
    """Converts an answer of a recognizer to one `Recognition` per language.

    The words of a plain text are spread over the utterance, so their times are estimates. Raises
    `AnswerError` for an invalid answer, and any error of the recognizer's iterators.
    """
    match said:
        case None:
            return [Recognition([])]
        case Recognition():
            return [said]
        case str():
            return [Recognition([Alternative(_spread(said, seconds))] if said.split() else [])]
        case bytes() | bytearray():
            raise AnswerError("The recognizer returned bytes; decode them to text.")
        case Iterable():
            return _of_entries(list(said))
    raise AnswerError(
        f"The recognizer returned {type(said).__name__}; return text, words or recognitions."
    )


def _of_entries(entries: Sequence[Any]) -> list[Recognition]:
    kinds = {type(entry).__name__ for entry in entries}
    if all(isinstance(entry, Word) for entry in entries):
        return [Recognition([Alternative(entries)] if entries else [])]
    if not all(isinstance(entry, Recognition) for entry in entries):
        names = ", ".join(sorted(kinds))
        raise AnswerError(
            f"The recognizer returned a list of {names}; list only Word or Recognition."
        )
    if len({_key(entry) for entry in entries}) < len(entries):
        raise AnswerError(
            f"Several of {len(entries)} recognitions are in one language; return one for each."
        )
    return list(entries)


def _key(said: Recognition) -> str | None:
    """Returns the key by which the service separates the recognitions of an utterance."""
    return str(said.language).lower() if said.translated_from else None


def _spread(text: str, seconds: float) -> list[Word]:
    words = [
        word[first : first + _PIECE]
        for word in text.split()
        for first in range(0, len(word), _PIECE)
    ]
    total = sum(len(word) + 1 for word in words)
    spread, position = [], 0
    for word in words:
        start = seconds * position / total
        position += len(word) + 1
        spread.append(Word(word, start, seconds * position / total))
    return spread


# One recognition


def fill(
    result: pb.EngineResult, said: Recognition, place: Callable[[float], int], most_bytes: int
) -> None:
    """Writes a recognition into a result.

    This function sets the languages first, because the engine needs the languages to retract the
    result after an error. `place` converts seconds of the utterance to samples of the stream.
    Raises `AnswerError`, also for a result of more than `most_bytes`.
    """
    language, translated_from, languages = engine_languages(said)
    result.language_code, result.translated_from = language, translated_from
    result.language_identification.extend(languages)
    result.alternatives.extend(engine_alternatives(said, place))
    if (size := result.ByteSize()) > most_bytes:
        raise AnswerError(f"The result has {size} bytes; it may have at most {most_bytes}.")


def engine_alternatives(
    said: Recognition, place: Callable[[float], int]
) -> list[pb.EngineAlternative]:
    """Packs the alternatives of a recognition.

    `place` converts seconds of the utterance to samples of the stream. Raises `AnswerError`.
    """
    readings = []
    for alternative in _all(said.alternatives, Alternative, "alternatives")[:ALTERNATIVES]:
        words = engine_words(_all(alternative.words, Word, "words"), place)
        readings.append(pb.EngineAlternative(words=words))
    count = sum(len(reading.words) for reading in readings)
    if count > WORDS:
        raise AnswerError(f"The result has {count} words and signs; it may have at most {WORDS}.")
    return [reading for reading in readings if reading.words]


def engine_languages(said: Recognition) -> tuple[str, str, list[pb.TranscriptLanguageWithScore]]:
    """Returns the text's language, a translation's spoken language, and the candidate languages.

    Raises `AnswerError`.
    """
    scores = []
    for entry in _all(said.languages, Sequence, "languages")[:LANGUAGES]:
        if len(entry) != 2:
            raise AnswerError("Each language must be a pair of a code and a score.")
        score = min(1.0, max(0.0, _number(entry[1], "The score of a language")))
        code = _language(entry[0])
        scores.append(pb.TranscriptLanguageWithScore(language_code=code, score=score))
    if not all(score.language_code for score in scores):
        raise AnswerError("A language with a score has no code; give each score a code.")
    return _language(said.language), _language(said.translated_from), scores


def _language(code: object) -> str:
    if code == "" or is_language_code(code):
        return str(code)
    raise AnswerError("A language must be a code such as en-US.")


def _all(entries: object, kind: type[Any], what: str) -> Sequence[Any]:
    found = list(entries) if isinstance(entries, Iterable) else [entries]
    if wrong := {type(entry).__name__ for entry in found if not isinstance(entry, kind)}:
        raise AnswerError(f"Its {what} must be {kind.__name__}; got {', '.join(sorted(wrong))}.")
    return found


def _number(value: object, what: str) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise AnswerError(f"{what} must be a number; got {type(value).__name__}.") from None
    if not math.isfinite(number):
        raise AnswerError(f"{what} must be a finite number; got {number}.")
    return number


# Words


def engine_words(words: Sequence[Word], place: Callable[[float], int]) -> list[pb.EngineWord]:
    """Packs the words that are not empty, in order of time.

    Punctuation marks at the end of a word become words of their own. Raises `AnswerError`.
    """
    for number, word in enumerate(words, 1):
        _check_word(word, number)
    made: list[pb.EngineWord] = []
    ordered = sorted((word for word in words if word.text.strip()), key=lambda word: word.start)
    following = [*(word.start for word in ordered[1:]), math.inf]
    for word, next_start in zip(ordered, following, strict=True):
        text = word.text.strip()
        bare = text.rstrip("".join(_PUNCTUATION))
        if bare:
            made.append(_engine_word(word, bare, place))
        # Words may overlap, but a punctuation mark must start before the next word.
        at = place(min(word.end, next_start))
        made += [_engine_sign(sign, at) for sign in text[len(bare) :]]
    return made


def _check_word(word: Word, number: int) -> None:
    """Checks a word. Raises `AnswerError`, whose text names the word by its `number`."""
    text = word.text.strip() if isinstance(word.text, str) else None
    if text is None:
        raise AnswerError(f"The text of word {number} must be str; got {type(word.text).__name__}.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise AnswerError(f"Word {number} must not contain line breaks or control characters.")
    if (size := len(text.encode())) > WORD_BYTES:
        raise AnswerError(f"Word {number} has {size} bytes; it may have at most {WORD_BYTES}.")
    start = _number(word.start, f"The start of word {number}")
    end = _number(word.end, f"The end of word {number}")
    if word.confidence is not None and not isinstance(word.confidence, Real):
        raise AnswerError(f"The confidence of word {number} must be a number or None.")
    if not 0 <= start <= end:
        raise AnswerError(f"Word {number} must end after its start; got {start:g} to {end:g} s.")


def _engine_word(word: Word, text: str, place: Callable[[float], int]) -> pb.EngineWord:
    made = pb.EngineWord(
        content=text,
        start_sample=place(word.start),
        end_sample=place(word.end),
        type=pb.TRANSCRIPT_ITEM_TYPE_PRONUNCIATION,
    )
    if word.confidence is not None and not math.isnan(word.confidence):
        made.confidence = min(1.0, max(0.0, word.confidence))
    if word.is_stable is not None:
        made.is_stable = bool(word.is_stable)
    return made


def _engine_sign(sign: str, at: int) -> pb.EngineWord:
    kind = pb.TRANSCRIPT_ITEM_TYPE_PUNCTUATION
    return pb.EngineWord(content=sign, start_sample=at, end_sample=at, type=kind)

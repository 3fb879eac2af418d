"""What an engine says of itself, checked by the rules of transcription."""

from __future__ import annotations

import functools
import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from carillon.engine.languages import is_language_code
from carillon.v1 import transcription_pb2 as pb

_CREDIT_PER_STREAM = 50
_NAME_CHARACTERS = 64
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_LANGUAGES = 200


@dataclass(frozen=True)
class EngineOptions:
    """What an engine says of itself.

    Raises `ValueError` for what transcription would refuse, again and again.
    """

    name: str
    """What a transcription's configuration names it by: `[A-Za-z0-9_.-]{1,64}`."""
    languages: Sequence[str] = ("en-US",)
    """First the one it takes when none is named; 1-200."""
    translates_to: Sequence[str] = ()
    """Languages it can deliver besides; 200 at most."""
    engine_id: str = ""
    """Unique among the engines, in the form of a name; empty: the name and eight random digits."""
    version: str = ""
    """For people; 256 bytes at most."""
    max_streams: int = 4
    """Talkers at the same time, 1-1000."""
    workers: int = 1
    """Threads that recognize, 1 or more."""
    partial_seconds: float | None = None
    """Speech between two results of an utterance that goes on; `None`: none before its end."""
    has_vocabulary: bool = False
    """The recognizer uses `Speech.phrases`."""
    identifies_language: bool = False
    """The recognizer finds out which language is spoken."""

    def __post_init__(self) -> None:
        for what, text in (("name", self.name), ("engine_id", self.engine_id or self.name)):
            _require(_NAME.fullmatch(text) is not None, what, "1-64 of A-Z a-z 0-9 _ . -", text)
        for what, codes in (("languages", self.languages), ("translates_to", self.translates_to)):
            are_codes = not isinstance(codes, str) and all(map(is_language_code, codes))
            _require(are_codes, what, "a list of codes such as en-US", codes)
            _require(len(codes) <= _LANGUAGES, what, f"{_LANGUAGES} at most", len(codes))
        _require(len(self.languages) > 0, "languages", "one or more", self.languages)
        _require(len(self.version.encode()) <= 256, "version", "256 bytes at most", self.version)
        _require(1 <= self.max_streams <= 1_000, "max_streams", "1-1000", self.max_streams)
        _require(self.workers >= 1, "workers", "1 or more", self.workers)
        seconds = self.partial_seconds
        _require(seconds is None or seconds > 0, "partial_seconds", "more than 0", seconds)

    def request(self) -> pb.AttachEngineRequest:
        """What an engine with these options says of itself when it attaches."""
        capabilities = pb.EngineCapabilities(
            name=self.name,
            version=self.version,
            languages=[
                pb.EngineLanguage(language_code=code, translates_to=self.translates_to)
                for code in self.languages
            ],
            has_partials=self.partial_seconds is not None,
            has_vocabulary=self.has_vocabulary,
            identifies_language=self.identifies_language,
            max_streams=self.max_streams,
        )
        return pb.AttachEngineRequest(
            engine_id=self.engine_id or self._own_id,
            capabilities=capabilities,
            credit=min(10_000, self.max_streams * _CREDIT_PER_STREAM),
        )

    @property
    def _own_id(self) -> str:
        """The name and digits of this process alone, as much of the name as there is room for."""
        ending = f"-{_digits_of(os.getpid())}"
        return self.name[: _NAME_CHARACTERS - len(ending)] + ending


@functools.cache
def _digits_of(_process_id: int) -> str:
    """Eight hexadecimal digits that a process keeps, and that its forks do not share.

    A process id alone does not do: in each container the first process has id 1, and two engines
    of one id push each other out.
    """
    return secrets.token_hex(4)


def _require(holds: bool, what: str, rule: str, value: object) -> None:
    if not holds:
        raise ValueError(f"{what} must be {rule}; it is {value!r}.")

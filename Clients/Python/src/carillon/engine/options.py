"""The options of an engine, checked by the rules of the `transcription` service."""

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
    """The name, languages and limits of an engine.

    Raises `ValueError` for an option that the `transcription` service would reject.
    """

    name: str
    """The name by which the configuration of a transcription selects the engine:
    `[A-Za-z0-9_.-]{1,64}`."""
    languages: Sequence[str] = ("en-US",)
    """The languages, 1-200. The first one is the default."""
    translates_to: Sequence[str] = ()
    """The languages to which the engine can translate, at most 200."""
    engine_id: str = ""
    """The id, unique among engines, in the format of `name`; if empty, the engine uses `name` and
    random digits."""
    version: str = ""
    """The version, as a text for people; at most 256 bytes."""
    max_streams: int = 4
    """The number of concurrent talkers, 1-1000."""
    workers: int = 1
    """The number of threads that run the recognizer, at least 1."""
    partial_seconds: float | None = None
    """The seconds of speech between two partial results; `None` for no partial results."""
    has_vocabulary: bool = False
    """Whether the recognizer uses `Speech.phrases`."""
    identifies_language: bool = False
    """Whether the recognizer identifies the spoken language."""

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
        """Returns the request that attaches an engine with these options."""
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
        """The default id: the name, shortened if necessary, and the digits of this process."""
        ending = f"-{_digits_of(os.getpid())}"
        return self.name[: _NAME_CHARACTERS - len(ending)] + ending


@functools.cache
def _digits_of(_process_id: int) -> str:
    """Returns eight hexadecimal digits, constant in a process and different in its forks.

    A process id would not be unique: the first process of each container has id 1, and two engines
    with the same id replace each other.
    """
    return secrets.token_hex(4)


def _require(holds: bool, what: str, rule: str, value: object) -> None:
    if not holds:
        raise ValueError(f"{what} must be {rule}; it is {value!r}.")

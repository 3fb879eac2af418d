"""A listener for the transcription events of a session, and a meeting with speech."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from carillon import (
    AttendeeInfo,
    Session,
    SessionOptions,
    Transcript,
    TranscriptionStatus,
    TranscriptionStatusType,
    TranscriptResult,
)
from carillon.media import play
from spoken import speak, word_error_rate, words
from test_end_to_end import Attendee, LiveMeeting, live_meeting

SECONDS = 20.0
"""The longest wait in this module, in seconds."""
_PATIENCE_SECONDS = 12.0
_ATTEMPTS = 4


class TranscriptListener:
    """The statuses and results that a session has received so far."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.statuses: list[TranscriptionStatusType] = []
        self.results: list[TranscriptResult] = []
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for event in self.session.transcripts:
            async with self._news:
                match event:
                    case TranscriptionStatus(type):
                        self.statuses.append(type)
                    case Transcript(results):
                        self.results += results
                self._news.notify_all()

    async def until(self, condition: Callable[[], bool], seconds: float = SECONDS) -> None:
        try:
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(condition)
        except TimeoutError:
            told = [(each.is_partial, each.text) for each in self.results]
            raise TimeoutError(f"Told were {self.statuses} and {told}.") from None

    async def becomes(self, *types: TranscriptionStatusType) -> None:
        await self.until(lambda: self.statuses == list(types))

    async def hears_end(self, sentence: str, speaker: AttendeeInfo, since: int) -> None:
        """Waits until the last final words of a speaker approximately match a sentence."""
        count = len(words(sentence))

        def is_heard() -> bool:
            last = words(self.text(speaker, since))[-count:]
            return word_error_rate(" ".join(last), sentence) <= 0.4

        await self.until(is_heard, _PATIENCE_SECONDS)

    def text(self, speaker: AttendeeInfo, since: int = 0) -> str:
        return " ".join(each.text for each in self.finals[since:] if each.speakers == (speaker,))

    def says(self, text: str, language_code: str) -> bool:
        """Returns whether a final result has exactly this text and language."""
        return (text, language_code) in [(each.text, each.language_code) for each in self.finals]

    @property
    def finals(self) -> list[TranscriptResult]:
        return [each for each in self.results if not each.is_partial]

    @property
    def repeated(self) -> list[str]:
        """The result ids for which more than one final result arrived."""
        counts = Counter(each.result_id for each in self.finals)
        return [result_id for result_id, count in counts.items() if count > 1]


@dataclass
class Hearing:
    """A meeting in which Ada speaks and Bea reads the transcript."""

    live: LiveMeeting
    ada: Attendee
    bea: Attendee
    listener: TranscriptListener

    @property
    def speaker(self) -> AttendeeInfo:
        session = self.ada.session
        return session.promoted_as or AttendeeInfo(session.attendee_id, "ada")

    async def say(self, sentence: str) -> None:
        """Plays a sentence, and returns at its end."""
        await play(self.ada.session, await speak(sentence, self.live.installation.directory))

    async def say_until_heard(self, sentence: str) -> None:
        """Repeats a sentence until it is in the transcript.

        Use this method if nothing signals when speech arrives again, or if the test does not check
        accuracy: on a loaded machine the engine sometimes misrecognizes words.
        """
        mark = len(self.listener.finals)
        for _ in range(_ATTEMPTS - 1):
            await self.say(sentence)
            with suppress(TimeoutError):
                return await self.listener.hears_end(sentence, self.speaker, mark)
        await self.say(sentence)
        await self.listener.hears_end(sentence, self.speaker, mark)
        return None


@asynccontextmanager
async def hearing(language_code: str = "en-US", **flags: Any) -> AsyncIterator[Hearing]:
    """Opens a transcribed meeting, and checks at the end that the service repeated no final
    result."""
    # The start waits for the engine, which attaches after it has loaded its model.
    flags = {"has_engine": True, "transcription": ["--engine-wait-seconds", "60"]} | flags
    async with live_meeting(**flags) as tea:
        ada, bea = await tea.enter("ada"), await tea.enter("bea", SessionOptions(is_muted=True))
        scene = Hearing(tea, ada, bea, TranscriptListener(bea.session))
        await tea.installation.control.start_transcription(tea.meeting, language_code=language_code)
        yield scene
        assert scene.listener.repeated == []

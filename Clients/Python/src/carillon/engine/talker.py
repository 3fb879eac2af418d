"""One talker's speech, as an engine works through it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from carillon.engine.speech import (
    SAMPLE_RATE,
    Recognition,
    Recognizer,
    Speech,
    engine_words,
    recognitions,
)
from carillon.v1 import transcription_pb2 as pb

logger = logging.getLogger("carillon.engine")


@dataclass
class Report:
    """What an engine has to say."""

    results: list[pb.EngineResult] = field(default_factory=list)
    progress: dict[str, int] = field(default_factory=dict)
    failures: list[pb.EngineFailure] = field(default_factory=list)
    credit: int = 0

    def add(self, other: Report) -> None:
        """Adds what another report says behind what this one does."""
        self.results += other.results
        self.progress |= other.progress
        self.failures += other.failures
        self.credit += other.credit


class Talker:
    """Gathers utterances and has them recognized, one after the other.

    Credit goes back as pieces are gathered. While an utterance is recognized those of the next one
    wait: a slow recognizer slows its own speech down and nobody else's.
    """

    def __init__(
        self,
        started: pb.EngineStreamStarted,
        recognize: Recognizer,
        executor: Executor,
        report: Callable[[Report], None],
        partial_seconds: float | None,
    ) -> None:
        self._started = started
        self._recognize = recognize
        self._executor = executor
        self._report = report
        self._partial_seconds = partial_seconds if started.wants_partials else None
        self._pieces: asyncio.Queue[tuple[pb.EngineAudio, bytes] | None] = asyncio.Queue()
        self._utterance = 0
        self._pcm = bytearray()
        self._places: list[tuple[int, int]] = []
        self._shown_at = 0.0

    def hear(self, audio: pb.EngineAudio, pcm: bytes) -> None:
        """Takes a piece of speech, in order; it is heard when those before it are."""
        self._pieces.put_nowait((audio, pcm))

    def end(self) -> None:
        """Nothing more comes."""
        self._pieces.put_nowait(None)

    async def run(self) -> None:
        """Works until the end; a recognizer that raises gives the talker up."""
        try:
            while (piece := await self._pieces.get()) is not None:
                await self._take(*piece)
            await self._finish()
        except Exception as error:
            logger.exception("The recognizer failed.")
            failure = pb.EngineFailure(
                stream_id=self._started.stream_id, message=f"{type(error).__name__}"
            )
            self._report(Report(failures=[failure]))

    async def _take(self, audio: pb.EngineAudio, pcm: bytes) -> None:
        self._report(Report(credit=1))
        if pcm:
            self._places.append((len(self._pcm) // 2, audio.first_sample))
            self._pcm += pcm
        if audio.is_end_of_utterance:
            await self._finish()
        elif (
            self._partial_seconds is not None
            and self._seconds - self._shown_at >= self._partial_seconds
        ):
            self._shown_at = self._seconds
            await self._show(is_final=False)

    @property
    def _seconds(self) -> float:
        return len(self._pcm) / 2 / SAMPLE_RATE

    async def _finish(self) -> None:
        if not self._pcm:
            return
        await self._show(is_final=True)
        self._utterance += 1
        self._pcm.clear()
        self._places.clear()
        self._shown_at = 0.0

    async def _show(self, *, is_final: bool) -> None:
        speech = Speech(
            pcm=bytes(self._pcm),
            language=self._started.language_code,
            language_options=tuple(self._started.language_options),
            phrases=tuple(self._started.phrases),
            translate_to=tuple(self._started.translate_to),
            is_final=is_final,
        )
        loop = asyncio.get_running_loop()
        said = await loop.run_in_executor(
            self._executor,
            lambda: recognitions(self._recognize(speech), speech.seconds),
        )
        results = [self._result(each, is_final) for each in said]
        shown = [result for result in results if result.is_final or result.alternatives]
        end = self._place(self._seconds)
        self._report(
            Report(results=shown, progress={self._started.stream_id: end} if is_final else {})
        )

    def _result(self, said: Recognition, is_final: bool) -> pb.EngineResult:
        result = pb.EngineResult(
            stream_id=self._started.stream_id,
            utterance=self._utterance + 1,
            is_final=is_final,
            start_sample=self._places[0][1],
            end_sample=self._place(self._seconds),
            language_code=said.language,
            translated_from=said.translated_from,
        )
        for alternative in said.alternatives[:10]:
            words = engine_words(alternative.words, self._place)
            if words:
                result.alternatives.add(words=words)
        for language, score in said.languages[:20]:
            result.language_identification.add(
                language_code=language, score=min(1.0, max(0.0, score))
            )
        return result

    def _place(self, seconds: float) -> int:
        """The place of a moment of the utterance in the stream, across speech that was dropped."""
        sample = min(max(0, round(seconds * SAMPLE_RATE)), len(self._pcm) // 2)
        offset, first = self._places[0]
        for candidate in self._places:
            if candidate[0] < sample:
                offset, first = candidate
        return first + sample - offset

"""The speech of one talker in an engine."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from carillon.engine.answers import AnswerError, fill, recognitions
from carillon.engine.counters import EngineCounters
from carillon.engine.report import Report, most_result_bytes, nothing
from carillon.engine.speech import SAMPLE_RATE, Recognition, Recognizer, Speech
from carillon.v1 import transcription_pb2 as pb

logger = logging.getLogger("carillon.engine")


@dataclass(frozen=True)
class Work:
    """The recognizer and the other objects that all talkers of an engine share."""

    recognize: Recognizer
    executor: Executor
    counters: EngineCounters
    partial_seconds: float | None = None
    """The seconds of speech between two partial results; `None` for no partial results."""


class Talker:
    """Divides the speech of a talker into utterances, and recognizes one utterance after the other.

    The talker returns one credit to the service for each piece that it takes from the queue. While
    the recognizer works, later pieces wait, and the engine returns no credit for these pieces. So a
    slow recognizer delays only its own talker. The talker drops, counts and logs an answer that
    breaks the rules, and recognizes the next utterance as usual.
    """

    def __init__(
        self,
        started: pb.EngineStreamStarted,
        work: Work,
        report: Callable[[Report], None],
        most_bytes: int,
    ) -> None:
        """Creates a talker. `most_bytes` is the size limit of a report."""
        self._started = started
        self._work = work
        self._report = report
        self._most_bytes = most_result_bytes(most_bytes)
        self._partial_seconds = work.partial_seconds if started.wants_partials else None
        self._is_given_up = False
        self._has_refused = False
        """Whether an error in this utterance was already counted and logged."""
        self._pieces: asyncio.Queue[tuple[pb.EngineAudio, bytes] | None] = asyncio.Queue()
        self._utterance = 0
        self._pcm = bytearray()
        self._places: list[tuple[int, int]] = []
        self._shown_at = 0.0

    def hear(self, audio: pb.EngineAudio, pcm: bytes) -> None:
        """Queues a piece of speech. Pieces are processed in order."""
        if self._is_given_up:
            self._report(Report(credit=1))
        else:
            self._pieces.put_nowait((audio, pcm))

    def end(self) -> None:
        """Ends the talker's speech after the queued pieces of audio."""
        self._pieces.put_nowait(None)

    async def run(self) -> None:
        """Processes the queue until its end, or until the recognizer raises an error."""
        try:
            while (piece := await self._pieces.get()) is not None:
                await self._take(*piece)
            await self._finish()
        except Exception as error:
            logger.exception("The recognizer failed.")
            self._give_up(type(error).__name__)

    def _give_up(self, why: str) -> None:
        """Reports a failure and returns all credit, so that another engine takes the talker."""
        self._is_given_up = True
        self._work.counters.failures += 1
        waiting = self._pieces.qsize()
        failure = pb.EngineFailure(stream_id=self._started.stream_id, message=why)
        self._report(Report(failures=[failure], credit=waiting))

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
        self._has_refused = False

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
        said = await loop.run_in_executor(self._work.executor, self._answer, speech)
        if isinstance(said, AnswerError):
            self._refuse(said)
            made = [nothing(self._begin(is_final))]
        else:
            made = self._results(said, is_final)
        results = [result for result in made if result.is_final or result.alternatives]
        end = self._place(self._seconds)
        self._report(
            Report(results=results, progress={self._started.stream_id: end} if is_final else {})
        )

    def _answer(self, speech: Speech) -> list[Recognition] | AnswerError:
        """Calls the recognizer and reads its iterators. Both may block. Runs in a thread."""
        try:
            return recognitions(self._work.recognize(speech), speech.seconds)
        except AnswerError as error:
            return error
        except StopIteration as error:
            # In Python 3.11, a future does not accept `StopIteration`, so the future would never
            # complete.
            raise RuntimeError("The recognizer raised StopIteration.") from error

    def _results(self, said: list[Recognition], is_final: bool) -> list[pb.EngineResult]:
        """Returns the results of an utterance. An answer that breaks the rules becomes empty."""
        results = []
        for each in said:
            result = self._begin(is_final)
            try:
                fill(result, each, self._place, self._most_bytes)
            except AnswerError as error:
                self._refuse(error)
                # The service never shows a translation that has no valid language, so the engine
                # need not retract such a translation.
                if each.translated_from and not result.translated_from:
                    continue
                result = nothing(result)
            results.append(result)
        return results

    def _refuse(self, error: AnswerError) -> None:
        """Counts and logs the first error in an utterance."""
        if not self._has_refused:
            self._has_refused = True
            self._work.counters.refused += 1
            logger.error("Utterance %d of a talker is lost: %s", self._utterance + 1, error)

    def _begin(self, is_final: bool) -> pb.EngineResult:
        return pb.EngineResult(
            stream_id=self._started.stream_id,
            utterance=self._utterance + 1,
            is_final=is_final,
            start_sample=self._places[0][1],
            end_sample=self._place(self._seconds),
        )

    def _place(self, seconds: float) -> int:
        """Converts seconds of the utterance to samples of the stream, which may have gaps."""
        sample = min(max(0, round(seconds * SAMPLE_RATE)), len(self._pcm) // 2)
        offset, first = self._places[0]
        for candidate in self._places:
            if candidate[0] < sample:
                offset, first = candidate
        return first + sample - offset

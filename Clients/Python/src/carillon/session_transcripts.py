"""The transcription of one session: what is said, and in which language it wants to read it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from carillon.asking import Ask, PatientAsk, valid
from carillon.events import TRANSCRIPTS
from carillon.methods import SET_TRANSCRIPT_LANGUAGES
from carillon.streams import BoundedStream
from carillon.transcript_reader import TranscriptReader
from carillon.transcript_streams import ResultStream, TranscriptStream
from carillon.transcripts import (
    Transcript,
    TranscriptEvent,
    TranscriptionStatus,
    TranscriptResult,
)
from carillon.v1 import gateway_pb2


class SessionTranscripts:
    """`Session.transcripts`: iterate over it, or over `events()` or `results()`, with `async for`.

    Each `async for` over it is a consumer of its own. After a lost connection it goes on where it
    was, with nothing twice; whether anything is lost for good is among the session's events.
    """

    def __init__(
        self,
        limit: int,
        transcript_language: str,
        spoken_language: str,
        ask: Ask,
        require_open: Callable[[], Any],
    ) -> None:
        self._limit = limit
        self._view = transcript_language
        self._spoken = spoken_language
        self._ask = PatientAsk(ask, require_open)
        self._choosing = asyncio.Lock()
        self._reader = TranscriptReader()
        self._streams: list[TranscriptStream | ResultStream] = []
        self._early: list[TranscriptEvent] | None = []
        self._is_over = False
        self.slow_streams = 0
        """How many streams have ended because they were read too slowly."""

    # What is known

    @property
    def status(self) -> TranscriptionStatus | None:
        """What became of the transcription last; `None` when nothing was told of any."""
        return self._reader.status

    @property
    def open(self) -> Mapping[str, TranscriptResult]:
        """Partial results that are not final yet, by result id; it stays up to date."""
        return self._reader.open

    @property
    def transcript_language(self) -> str:
        """The language that this session wants to read; empty: all as they were spoken."""
        return self._view

    @property
    def spoken_language(self) -> str:
        """The language that this attendee speaks; empty: the meeting's."""
        return self._spoken

    def __aiter__(self) -> TranscriptStream:
        return self.events()

    def events(self) -> TranscriptStream:
        """The statuses and transcripts from now on; first the last status, and what is open.

        A stream made before the session is entered, or in its block before anything is awaited,
        misses nothing. Any number of consumers may have one each.
        """
        stream = TranscriptStream((), self._limit, self._forget)
        self._follow(stream)
        return stream

    def results(self, final_only: bool = True) -> ResultStream:
        """The single results from now on: final ones, or each revision of all."""
        stream = ResultStream(final_only, self._limit, self._forget)
        self._follow(stream)
        return stream

    def _follow(self, stream: TranscriptStream | ResultStream) -> None:
        self._streams.append(stream)
        if self._early is None:
            stream.begin(self._current())
        for event in self._early or []:
            stream.take(event)
        if self._is_over:
            stream.close()

    def _current(self) -> list[TranscriptEvent]:
        """What tells how things stand now."""
        current: list[TranscriptEvent] = [] if self.status is None else [self.status]
        return current + ([Transcript(tuple(self.open.values()))] if self.open else [])

    # Calls

    async def set_languages(self, *, view: str | None = None, spoken: str | None = None) -> bool:
        """Chooses the language to read, the one this attendee speaks, or both.

        Each is a code such as `de-DE`; empty takes a choice back, `None` leaves it as it is.
        Returns whether the language to read can be had now; the choice stays in either case, after
        a lost connection too. Raises `CarillonError` when it is refused, `INVALID_ARGUMENT` for
        what is no language code; then the choice is as before.
        """
        async with self._choosing:
            before = self._view, self._spoken
            view = before[0] if view is None else view
            spoken = before[1] if spoken is None else spoken
            request = valid(
                lambda: gateway_pb2.SetTranscriptLanguagesRequest(
                    view_language=view, spoken_language=spoken
                )
            )
            self._view, self._spoken = view, spoken
            try:
                reply = await self._ask(SET_TRANSCRIPT_LANGUAGES, request)
            except BaseException:
                self._view, self._spoken = before
                raise
            if view != before[0]:
                self._reader.choose(view)
            return reply.is_offered

    # The session

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """What a Start says of languages."""
        request.transcript_language = self._view
        request.spoken_language = self._spoken

    def forget_early(self) -> None:
        """Streams that are made from now on begin with what is known now."""
        self._early = None

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """An item of the session stream."""
        for event in item.events:
            match event.WhichOneof("event"):
                case "session_started" if TRANSCRIPTS in event.session_started.incomplete_streams:
                    self._reader.lose()
                case "events_lost" if event.events_lost.stream == TRANSCRIPTS:
                    self._reader.lose()
        for news in self._reader.take(item):
            if self._early is not None and len(self._early) <= self._limit:
                self._early.append(news)
            for stream in list(self._streams):
                stream.take(news)

    def close(self) -> None:
        """The session is over: what waits can still be read."""
        self._is_over = True
        for stream in list(self._streams):
            stream.close()

    def _forget(self, stream: BoundedStream[Any]) -> None:
        if stream.was_too_slow:
            self.slow_streams += 1
        self._streams = [each for each in self._streams if each is not stream]

"""The transcription of one session: what is said, and in which language it wants to read it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from carillon.calling import FacadeCalls, valid
from carillon.choice import Choice
from carillon.events import TRANSCRIPTS
from carillon.methods import SET_TRANSCRIPT_LANGUAGES
from carillon.options import SessionOptions
from carillon.session_part import SessionComponent
from carillon.streams import Subscribers
from carillon.transcripts.reader import TranscriptReader
from carillon.transcripts.streams import ResultStream, TranscriptStream
from carillon.transcripts.values import (
    Transcript,
    TranscriptEvent,
    TranscriptionStatus,
    TranscriptResult,
)
from carillon.v1 import gateway_pb2, transcription_pb2


class SessionTranscripts(SessionComponent[TranscriptEvent]):
    """`Session.transcripts`: iterate over it, or over `events()` or `results()`, with `async for`.

    Each `async for` over it is a consumer of its own. After a lost connection it goes on where it
    was, with nothing twice; whether anything is lost for good is among the session's events.
    """

    def __init__(self, options: SessionOptions, call: FacadeCalls) -> None:
        super().__init__(Subscribers(backlog_limit=options.event_limit))
        self._limit = options.event_limit
        self._languages = Choice((options.transcript_language, options.spoken_language))
        """Which one to read, and which one is spoken."""
        self._call = call
        self._choosing = asyncio.Lock()
        self._reader = TranscriptReader()

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
        return self._languages.wanted[0]

    @property
    def spoken_language(self) -> str:
        """The language that this attendee speaks; empty: the meeting's."""
        return self._languages.wanted[1]

    def __aiter__(self) -> TranscriptStream:
        return self.events()

    def events(self) -> TranscriptStream:
        """The statuses and transcripts from now on; first the last status, and what is open.

        A stream made before the session is entered, or in its block before anything is awaited,
        misses nothing. Any number of consumers may have one each.
        """
        stream = TranscriptStream((), self._limit, self._subscribers)
        if not self._subscribers.has_backlog:
            stream.begin(self._current())
        self._subscribers.add(stream, TranscriptStream.push)
        return stream

    def results(self, final_only: bool = True) -> ResultStream:
        """The single results from now on: final ones, or each revision of all."""
        stream = ResultStream(final_only, self._limit, self._subscribers)
        if not self._subscribers.has_backlog:
            for event in self._current():
                stream.begin(stream.wanted(event))
        self._subscribers.add(stream, ResultStream.take)
        return stream

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
            before = self._languages.settled
            view = before[0] if view is None else view
            spoken = before[1] if spoken is None else spoken
            request = valid(
                lambda: transcription_pb2.SetTranscriptLanguagesRequest(
                    session=transcription_pb2.TranscriptSession(
                        view_language=view, spoken_language=spoken
                    )
                )
            )
            with self._languages.asking((view, spoken)):
                reply = await self._call(SET_TRANSCRIPT_LANGUAGES, request)
            if view != before[0]:
                self._reader.choose(view)
            return reply.is_offered

    # The session

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """What a Start says of languages."""
        request.transcript_language, request.spoken_language = self._languages.wanted

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """An item of the session stream."""
        for event in item.events:
            match event.WhichOneof("event"):
                case "session_started" if TRANSCRIPTS in event.session_started.incomplete_streams:
                    self._reader.lose()
                case "events_lost" if event.events_lost.stream == TRANSCRIPTS:
                    self._reader.lose()
        for change in self._reader.take(item):
            self._subscribers.publish(change)

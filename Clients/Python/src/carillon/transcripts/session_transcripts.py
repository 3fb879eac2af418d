"""The transcription of one session: its events, its open results, and its languages."""

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
    """`Session.transcripts`. Iterate over it, or over `events()` or `results()`, with `async for`.

    Each `async for` over this object opens its own stream. After a reconnect, a stream continues at
    the same position and repeats nothing. The session's events `Reconnected` and `StreamGap` report
    losses.
    """

    def __init__(self, options: SessionOptions, call: FacadeCalls) -> None:
        super().__init__(Subscribers(backlog_limit=options.event_limit))
        self._limit = options.event_limit
        self._languages = Choice((options.transcript_language, options.spoken_language))
        """The language to read, and the spoken language."""
        self._call = call
        self._choosing = asyncio.Lock()
        self._reader = TranscriptReader()

    # State

    @property
    def status(self) -> TranscriptionStatus | None:
        """The last status of the transcription; `None` before the first."""
        return self._reader.status

    @property
    def open(self) -> Mapping[str, TranscriptResult]:
        """The results that are not final, by result id, as a live view."""
        return self._reader.open

    @property
    def transcript_language(self) -> str:
        """The language to read transcripts in; empty for the spoken language."""
        return self._languages.wanted[0]

    @property
    def spoken_language(self) -> str:
        """The language that this attendee speaks; empty for the language of the meeting."""
        return self._languages.wanted[1]

    def __aiter__(self) -> TranscriptStream:
        return self.events()

    def events(self) -> TranscriptStream:
        """Returns a stream of the last status, the open results, and all later events.

        To miss no event, open the stream before you enter the session, or in the session's block
        before the first `await`. Each consumer opens its own stream; the session does not limit
        the number of streams.
        """
        stream = TranscriptStream((), self._limit, self._subscribers)
        if not self._subscribers.has_backlog:
            stream.begin(self._current())
        self._subscribers.add(stream, TranscriptStream.push)
        return stream

    def results(self, final_only: bool = True) -> ResultStream:
        """Returns a stream of single results: only final ones, or each revision of every result."""
        stream = ResultStream(final_only, self._limit, self._subscribers)
        if not self._subscribers.has_backlog:
            for event in self._current():
                stream.begin(stream.wanted(event))
        self._subscribers.add(stream, ResultStream.take)
        return stream

    def _current(self) -> list[TranscriptEvent]:
        """Returns the events for the current status and the open results."""
        current: list[TranscriptEvent] = [] if self.status is None else [self.status]
        return current + ([Transcript(tuple(self.open.values()))] if self.open else [])

    # Calls

    async def set_languages(self, *, view: str | None = None, spoken: str | None = None) -> bool:
        """Sets the language of the transcripts, the language that this attendee speaks, or both.

        Each language is a code such as `de-DE`. An empty code resets the choice, and `None` keeps
        it. Returns whether transcripts in the chosen language are available now. If not, the choice
        remains in effect anyway, also after a lost connection. If the server rejects the choice,
        nothing changes, and this method raises `CarillonError`, with `INVALID_ARGUMENT` for an
        invalid language code.
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
        """Writes the languages into a Start."""
        request.transcript_language, request.spoken_language = self._languages.wanted

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Applies an item of the session stream, and publishes its new events."""
        for event in item.events:
            match event.WhichOneof("event"):
                case "session_started" if TRANSCRIPTS in event.session_started.incomplete_streams:
                    self._reader.lose()
                case "events_lost" if event.events_lost.stream == TRANSCRIPTS:
                    self._reader.lose()
        for change in self._reader.take(item):
            self._subscribers.publish(change)

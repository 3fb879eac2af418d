"""What one consumer reads of a transcription: its events, or single results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from carillon.errors import EventsLostError
from carillon.streams import BoundedStream
from carillon.transcripts import Transcript, TranscriptEvent, TranscriptResult


class TranscriptStream(BoundedStream[TranscriptEvent]):
    """The statuses and transcripts of one consumer, in order: iterate over it with `async for`.

    It begins with the last status and the results that are open when it is made, and ends with the
    session, whose `status` says how. At most `limit` later events wait; one more, and the consumer
    gets those that wait and then `EventsLostError`.
    """

    def begin(self, events: Iterable[TranscriptEvent]) -> None:
        """Adds what comes first; called by the session."""
        self._initial.extend(events)

    def take(self, event: TranscriptEvent) -> None:
        """Adds an event; called by the session."""
        self.push(event)

    def _overflow_error(self, item: TranscriptEvent) -> EventsLostError:
        return EventsLostError(self._limit)


class ResultStream(BoundedStream[TranscriptResult]):
    """The results of one consumer, in order: iterate over it with `async for`.

    With `final_only` there is one of each id, which is not revised any more; else it begins with
    those that are open when it is made. It ends, and is bounded, like a `TranscriptStream`.
    """

    def __init__(
        self, final_only: bool, limit: int, on_close: Callable[[BoundedStream[Any]], None]
    ) -> None:
        super().__init__((), limit, on_close)
        self.final_only = final_only

    def begin(self, events: Iterable[TranscriptEvent]) -> None:
        """Adds what comes first, as far as it is asked for; called by the session."""
        for event in events:
            self._initial.extend(self._wanted(event))

    def take(self, event: TranscriptEvent) -> None:
        """Adds the results of an event as far as they are asked for; called by the session."""
        for result in self._wanted(event):
            self.push(result)

    def _wanted(self, event: TranscriptEvent) -> list[TranscriptResult]:
        results = event.results if isinstance(event, Transcript) else ()
        return [result for result in results if not (self.final_only and result.is_partial)]

    def _overflow_error(self, item: TranscriptResult) -> EventsLostError:
        return EventsLostError(self._limit)

"""The streams of a transcription for one consumer: of events, or of single results."""

from __future__ import annotations

from typing import Any

from carillon.streams import BoundedStream, Subscribers
from carillon.transcripts.values import Transcript, TranscriptEvent, TranscriptResult


class TranscriptStream(BoundedStream[TranscriptEvent]):
    """The statuses and transcripts of one consumer, in order, to iterate over with `async for`.

    The stream starts with the last status and the open results. It ends when the session ends; the
    session's `status` is the reason. At most `limit` later events wait. If one more arrives, the
    consumer gets the waiting events and then `EventsLostError`.
    """


class ResultStream(BoundedStream[TranscriptResult]):
    """The results of one consumer, in order, to iterate over with `async for`.

    With `final_only`, the stream has one final result for each id. Otherwise it has every revision,
    and starts with the open results. The stream has the same limit and ends at the same time as a
    `TranscriptStream`.
    """

    def __init__(self, final_only: bool, limit: int, subscribers: Subscribers[Any]) -> None:
        super().__init__((), limit, subscribers)
        self.final_only = final_only

    def take(self, event: TranscriptEvent) -> None:
        """Adds those results of an event that the consumer wants. Called by the session."""
        for result in self.wanted(event):
            self.push(result)

    def wanted(self, event: TranscriptEvent) -> list[TranscriptResult]:
        """Returns those results of an event that the consumer wants."""
        results = event.results if isinstance(event, Transcript) else ()
        return [result for result in results if not (self.final_only and result.is_partial)]

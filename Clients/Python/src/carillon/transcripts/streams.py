"""What one consumer reads of a transcription: its events, or single results."""

from __future__ import annotations

from typing import Any

from carillon.streams import BoundedStream, Subscribers
from carillon.transcripts.values import Transcript, TranscriptEvent, TranscriptResult


class TranscriptStream(BoundedStream[TranscriptEvent]):
    """The statuses and transcripts of one consumer, in order: iterate over it with `async for`.

    It begins with the last status and the results that are open when it is made, and ends with the
    session, whose `status` says how. At most `limit` later events wait; one more, and the consumer
    gets those that wait and then `EventsLostError`.
    """


class ResultStream(BoundedStream[TranscriptResult]):
    """The results of one consumer, in order: iterate over it with `async for`.

    With `final_only` there is one of each id, which is not revised any more; else it begins with
    those that are open when it is made. It ends, and is bounded, like a `TranscriptStream`.
    """

    def __init__(self, final_only: bool, limit: int, subscribers: Subscribers[Any]) -> None:
        super().__init__((), limit, subscribers)
        self.final_only = final_only

    def take(self, event: TranscriptEvent) -> None:
        """Adds the results of an event as far as they are asked for; called by the session."""
        for result in self.wanted(event):
            self.push(result)

    def wanted(self, event: TranscriptEvent) -> list[TranscriptResult]:
        """The results of an event as far as they are asked for."""
        results = event.results if isinstance(event, Transcript) else ()
        return [result for result in results if not (self.final_only and result.is_partial)]

"""The state of a meeting's transcription, built from the session stream. It uses no clock."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from carillon.events import TRANSCRIPTS
from carillon.positions import Position, ReadPosition
from carillon.transcripts.values import (
    Transcript,
    TranscriptEvent,
    TranscriptionStatus,
    TranscriptResult,
)
from carillon.transcripts.wire import read_result, read_status
from carillon.v1 import gateway_pb2, transcription_pb2

logger = logging.getLogger("carillon.transcripts")

_KNOWN_RESULTS = 4096
"""The number of results whose last revision the reader keeps: far more than the server repeats."""


class TranscriptReader:
    """The last status and the open results of a meeting. An open result is not final.

    `take` reads an item of the session stream and returns the new events, in order. The reader
    skips events with a position that it has read, and results with a revision that it knows. The
    reader compares a snapshot with the current state. A status is new if it differs from the last
    status, and an open result is new if its revision differs. Results that the snapshot does not
    list are no longer open.
    """

    def __init__(self) -> None:
        self._status: TranscriptionStatus | None = None
        self._open: dict[str, TranscriptResult] = {}
        self._revisions: OrderedDict[str, int] = OrderedDict()
        """The last revision of each result, the most recent result last."""
        self._read = ReadPosition()

    @property
    def status(self) -> TranscriptionStatus | None:
        """The last status; `None` before the first."""
        return self._status

    @property
    def open(self) -> Mapping[str, TranscriptResult]:
        """The results that are not final, by result id, as a live view."""
        return MappingProxyType(self._open)

    def take(self, item: gateway_pb2.SessionEvents) -> list[TranscriptEvent]:
        """Returns the new events of an item, in order."""
        found: list[TranscriptEvent] = []
        events, positions = _events(item), _positions(item)
        # An item may combine many events, each with its position. If the number of events differs
        # from the number of positions, the reader cannot pair them. The last position then
        # determines whether the events are new.
        is_paired = len(events) == len(positions)
        is_new = not positions or positions[-1].is_ahead_of(self._read.last)
        for index, event in enumerate(events):
            if event.WhichOneof("event") == "transcript_snapshot":
                found += self._take_snapshot(event.transcript_snapshot)
            elif self._read.advance(positions[index]) if is_paired else is_new:
                found += self._take_events(event.transcript_events.events)
        if positions:
            self._read.advance(positions[-1])
        return found

    def lose(self) -> None:
        """Forgets the open results after a loss, because these results may have become final."""
        self._open.clear()

    def choose(self, language: str) -> None:
        """Forgets open results in other languages, whose final results will not arrive."""
        for result in list(self._open.values()):
            if not _is_read(result, language):
                del self._open[result.result_id]

    def _take_events(
        self, events: Iterable[transcription_pb2.TranscriptEvent]
    ) -> Iterator[TranscriptEvent]:
        for event in events:
            match event.WhichOneof("event"):
                case "status":
                    yield from self._take_status(event.status)
                case "transcript":
                    yield from self._take_results(event.transcript.results)
                case _:
                    logger.info("A transcript event of a kind unknown here was passed over.")

    def _take_snapshot(
        self, snapshot: transcription_pb2.TranscriptSnapshot
    ) -> Iterator[TranscriptEvent]:
        position = Position(snapshot.epoch, snapshot.sequence)
        if position != self._read.last and not self._read.advance(position):
            return
        are_open = {result.result_id for result in snapshot.open.results}
        for result_id in self._open.keys() - are_open:
            del self._open[result_id]
        if snapshot.HasField("status"):
            yield from self._take_status(snapshot.status)
        yield from self._take_results(snapshot.open.results)

    def _take_status(
        self, packed: transcription_pb2.TranscriptionStatus
    ) -> Iterator[TranscriptionStatus]:
        status = read_status(packed)
        if status != self._status:
            self._status = status
            yield status

    def _take_results(
        self, packed: Iterable[transcription_pb2.TranscriptResult]
    ) -> Iterator[Transcript]:
        results = [read_result(each) for each in packed]
        if kept := tuple(result for result in results if self._take_result(result)):
            yield Transcript(kept)

    def _take_result(self, result: TranscriptResult) -> bool:
        """Stores a result, and returns whether its revision is new."""
        known = self._revisions.get(result.result_id)
        if known is not None and result.revision < known:
            return False
        self._revisions[result.result_id] = result.revision
        self._revisions.move_to_end(result.result_id)
        if len(self._revisions) > _KNOWN_RESULTS:
            self._revisions.popitem(last=False)
        if result.is_partial:
            self._open[result.result_id] = result
        else:
            self._open.pop(result.result_id, None)
        return result.revision != known


def _events(item: gateway_pb2.SessionEvents) -> list[gateway_pb2.SessionEvent]:
    kinds = ("transcript_events", "transcript_snapshot")
    return [event for event in item.events if event.WhichOneof("event") in kinds]


def _positions(item: gateway_pb2.SessionEvents) -> list[Position]:
    return [
        Position(each.epoch, each.sequence) for each in item.positions if each.stream == TRANSCRIPTS
    ]


def _is_read(result: TranscriptResult, language: str) -> bool:
    """Returns whether a session that reads transcripts in this language gets a result.

    With an empty language, the session gets the results in the spoken language.
    """
    if not language:
        return result.translated_from is None
    if result.language_code is None:
        return True
    code, wanted = result.language_code.lower(), language.lower()
    return code == wanted or ("-" not in wanted and code.partition("-")[0] == wanted)

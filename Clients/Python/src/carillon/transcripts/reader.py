"""What a meeting's transcription is at, as the session stream tells it: a value without clock."""

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
"""Results whose last revision is remembered: many more than can be told twice."""


class TranscriptReader:
    """The last status and the open results of a meeting.

    `take` reads an item of the session stream and returns what is new in it, in order. What its
    position, or a result's revision, shows to be known is passed over. A snapshot is compared with
    what is known: its status counts when it is another one than the last, and of its open results
    those that have another revision; what is open no more is forgotten.
    """

    def __init__(self) -> None:
        self._status: TranscriptionStatus | None = None
        self._open: dict[str, TranscriptResult] = {}
        self._revisions: OrderedDict[str, int] = OrderedDict()
        """The last revision of each result, those heard of last at the end."""
        self._read = ReadPosition()

    @property
    def status(self) -> TranscriptionStatus | None:
        """The last one; `None` before the first."""
        return self._status

    @property
    def open(self) -> Mapping[str, TranscriptResult]:
        """The results that are not final, by id; a view that stays up to date."""
        return MappingProxyType(self._open)

    def take(self, item: gateway_pb2.SessionEvents) -> list[TranscriptEvent]:
        """What is new in an item, in order."""
        found: list[TranscriptEvent] = []
        events, positions = _events(item), _positions(item)
        # A packed event has its position with it, and an item may be many of them. Where it cannot
        # be told which belongs to which, the last one says whether there is anything new.
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
        """Something is lost for good: what was open may have ended."""
        self._open.clear()

    def choose(self, language: str) -> None:
        """Results in another language are open no more: their ends will not be told here."""
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
        """Whether it is new."""
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
    """Whether a session that reads this language gets a result. Empty: all as they were spoken."""
    if not language:
        return result.translated_from is None
    if result.language_code is None:
        return True
    code, wanted = result.language_code.lower(), language.lower()
    return code == wanted or ("-" not in wanted and code.partition("-")[0] == wanted)

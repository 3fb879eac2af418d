"""The reports of an engine to the `transcription` service."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from carillon.v1 import transcription_pb2 as pb

REPORT_BYTES = 256 << 10
"""The size limit of a report in bytes, if the `transcription` service sets none."""
ENTRIES = 1_000
"""The maximum number of results, and of other entries, in one report."""
_OTHER_BYTES = 1_024
"""The number of bytes that are reserved for the other fields of a report."""

_Entry = pb.EngineResult | pb.EngineProgress | pb.EngineFailure


@dataclass
class Report:
    """What an engine reports: results, progress, failures and credit."""

    results: list[pb.EngineResult] = field(default_factory=list)
    progress: dict[str, int] = field(default_factory=dict)
    failures: list[pb.EngineFailure] = field(default_factory=list)
    credit: int = 0

    def add(self, other: Report) -> None:
        """Appends the entries of another report."""
        self.results += other.results
        self.progress |= other.progress
        self.failures += other.failures
        self.credit += other.credit

    def requests(self, engine_id: str, most_bytes: int) -> Iterator[pb.ReportResultsRequest]:
        """Yields the report as requests of at most `most_bytes`, results first and in order.

        There is always at least one request; an empty request is a keep-alive. Each result must fit
        in a request.
        """
        request = pb.ReportResultsRequest(engine_id=engine_id)
        size = _OTHER_BYTES
        entries: list[_Entry] = [*self.results, *self._progress(), *self.failures]
        for count, entry in enumerate(entries):
            size += entry.ByteSize() + 8
            if size > most_bytes or (count and count % ENTRIES == 0):
                yield request
                request = pb.ReportResultsRequest(engine_id=engine_id)
                size = _OTHER_BYTES + entry.ByteSize() + 8
            _append(request, entry)
        request.credit = self.credit
        yield request

    def _progress(self) -> list[pb.EngineProgress]:
        return [
            pb.EngineProgress(stream_id=stream, through_sample=through)
            for stream, through in self.progress.items()
        ]


def most_result_bytes(most_bytes: int) -> int:
    """Returns the size limit of a result, given the size limit of a report, in bytes."""
    return most_bytes - _OTHER_BYTES - 8


def apart(request: pb.ReportResultsRequest) -> list[pb.ReportResultsRequest]:
    """Splits a request: one request for each result, and one for any other fields that are set."""
    engine_id = request.engine_id
    each = [
        pb.ReportResultsRequest(engine_id=engine_id, results=[result]) for result in request.results
    ]
    rest = pb.ReportResultsRequest()
    rest.CopyFrom(request)
    rest.ClearField("results")
    has_more = bool(rest.progress or rest.failures or rest.credit)
    return [*each, rest] if has_more else each


def nothing(result: pb.EngineResult) -> pb.EngineResult:
    """Returns a copy of a result, without the words. A final copy retracts the whole utterance."""
    ended = pb.EngineResult()
    ended.CopyFrom(result)
    ended.ClearField("alternatives")
    ended.ClearField("language_identification")
    return ended


def _append(request: pb.ReportResultsRequest, entry: _Entry) -> None:
    match entry:
        case pb.EngineResult():
            request.results.append(entry)
        case pb.EngineProgress():
            request.progress.append(entry)
        case pb.EngineFailure():
            request.failures.append(entry)

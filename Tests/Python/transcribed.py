"""Transcription events of the session stream, as a gateway sends them."""

from __future__ import annotations

from typing import Any

from carillon.v1 import gateway_pb2, transcription_pb2 as pb
from scripted_gateway import GRACE, ScriptedGateway, info

STARTED = pb.TRANSCRIPTION_STATUS_TYPE_STARTED
STOPPED = pb.TRANSCRIPTION_STATUS_TYPE_STOPPED
EPOCH = 5
ORIGIN = 1_700_000_000_000
"""The time of the first word in these meetings, in milliseconds since the Unix epoch."""


def status(type: int = STARTED, at: int = ORIGIN, **fields: Any) -> pb.TranscriptEvent:
    named = pb.TranscriptionStatus(event_time_ms=at, **fields)
    named.type = type  # type: ignore[assignment]
    return pb.TranscriptEvent(status=named)


def result(
    result_id: str,
    text: str = "",
    revision: int = 1,
    *,
    is_partial: bool = False,
    start: int = 0,
    word_ms: int = 500,
    speaker: str = GRACE,
    **fields: Any,
) -> pb.TranscriptResult:
    """Returns a result with words of `word_ms` each, the first at `start` ms after the origin."""
    words = text.split()
    made = pb.TranscriptResult(
        result_id=result_id,
        is_partial=is_partial,
        revision=revision,
        start_time_ms=ORIGIN + start,
        end_time_ms=ORIGIN + start + word_ms * len(words),
        **fields,
    )
    if words:
        alternative = made.alternatives.add(transcript=text)
        for index, word in enumerate(words):
            begin = ORIGIN + start + word_ms * index
            alternative.items.add(
                type=pb.TRANSCRIPT_ITEM_TYPE_PRONUNCIATION,
                start_time_ms=begin,
                end_time_ms=begin + word_ms,
                attendee=info(speaker),
                content=word,
            )
    return made


def partial(result_id: str, text: str, revision: int = 1, **fields: Any) -> pb.TranscriptResult:
    return result(result_id, text, revision, is_partial=True, **fields)


def said(*results: pb.TranscriptResult) -> pb.TranscriptEvent:
    return pb.TranscriptEvent(transcript=pb.Transcript(results=results))


def transcribed(*events: pb.TranscriptEvent) -> gateway_pb2.SessionEvent:
    return gateway_pb2.SessionEvent(transcript_events=pb.TranscriptEvents(events=events))


def snapshot(
    last: pb.TranscriptEvent | None,
    *open: pb.TranscriptResult,
    sequence: int,
    epoch: int = EPOCH,
) -> gateway_pb2.SessionEvent:
    made = pb.TranscriptSnapshot(epoch=epoch, sequence=sequence, open=pb.Transcript(results=open))
    if last is not None:
        made.status.CopyFrom(last.status)
    return gateway_pb2.SessionEvent(transcript_snapshot=made)


async def tell(
    gateway: ScriptedGateway, sequence: int, *events: pb.TranscriptEvent, epoch: int = EPOCH
) -> None:
    """Sends one event of the stream with the event's position."""
    await gateway.send_item(packed((sequence, *events), epoch=epoch))


async def show(gateway: ScriptedGateway, event: gateway_pb2.SessionEvent) -> None:
    """Sends a snapshot with the snapshot's position."""
    item = gateway_pb2.SessionEvents(events=[event])
    shown = event.transcript_snapshot
    item.positions.add(stream="transcripts", epoch=shown.epoch, sequence=shown.sequence)
    await gateway.send_item(item)


def packed(*numbered: Any, epoch: int = EPOCH) -> gateway_pb2.SessionEvents:
    """Packs events, each `(sequence, event, …)`, into one item, as a gateway does."""
    item = gateway_pb2.SessionEvents()
    for sequence, *events in numbered:
        item.events.append(transcribed(*events))
        item.positions.add(stream="transcripts", epoch=epoch, sequence=sequence)
    return item

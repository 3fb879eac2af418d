"""The counters of an engine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class EngineCounters:
    """The counters over all attachments of an engine since its start."""

    results: int = 0
    """Results that the transcription service accepted."""
    refused: int = 0
    """Answers that break the contract, found by this package or by the `transcription` service."""
    dropped: int = 0
    """Results that the `transcription` service dropped, usually because their talkers had left."""
    failures: int = 0
    """Talkers that the engine gave up because the recognizer raised an error."""

"""The counters of an engine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class EngineCounters:
    """The counters over all attachments of an engine since its start."""

    results: int = 0
    """The number of results that the `transcription` service accepted."""
    refused: int = 0
    """The number of answers that this package or the `transcription` service refused because they
    break the contract."""
    dropped: int = 0
    """The number of results that the `transcription` service dropped, usually because their talkers
    had left."""
    failures: int = 0
    """The number of talkers that the engine gave up because the recognizer raised an error."""

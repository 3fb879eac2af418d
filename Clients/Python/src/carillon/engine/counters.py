"""What became of an engine's answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class EngineCounters:
    """Counts over all attachments of an engine, since it began."""

    results: int = 0
    """How many results transcription took."""
    refused: int = 0
    """Answers that break the contract, by the kit's own checks or by those of transcription."""
    dropped: int = 0
    """Results that transcription dropped by itself: mostly their talkers were gone by then."""
    failures: int = 0
    """Talkers that were given up because the recognizer raised."""

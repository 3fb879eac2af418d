"""Speech for tests, made by flite(1), and how much of it was understood."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

MEETING = "the meeting will begin in ten minutes"
PLAN = "we should talk about the plan for next year"
REPORT = "please send me the report by tomorrow morning"
"""Sentences that PocketSphinx understands."""


async def speak(sentence: str, directory: Path) -> Path:
    """A sentence as a file: 16 kHz, one channel. The same one is made once."""
    wave = directory / (sentence.replace(" ", "-") + ".wav")
    if not wave.exists():
        flite = await asyncio.create_subprocess_exec(
            *("flite", "-voice", "slt", "-t", sentence, "-o", str(wave)),
            stdin=asyncio.subprocess.DEVNULL,
        )
        assert await flite.wait() == 0
    return wave


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


def word_error_rate(heard: str, said: str) -> float:
    """Words that are wrong, missing or too many, of all that were said (Levenshtein's distance)."""
    heard_words, said_words = words(heard), words(said)
    row = list(range(len(heard_words) + 1))
    for line, word in enumerate(said_words):
        following = [line + 1]
        for column, other in enumerate(heard_words):
            following.append(
                min(row[column] + (word != other), row[column + 1] + 1, following[column] + 1)
            )
        row = following
    return row[-1] / max(1, len(said_words))

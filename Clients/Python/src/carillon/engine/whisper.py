r"""An example of an engine with a Whisper model.

```sh
pip install faster-whisper
WHISPER_MODEL=/models/small.en python -m carillon.engine carillon.engine.whisper:load --factory \
    --name whisper --partial-seconds 2 --max-streams 2
```

The model is not part of Carillon: `WHISPER_MODEL` names its directory, or a size that
`faster-whisper` downloads. `WHISPER_DEVICE` is `cpu` or `cuda`.
"""

from __future__ import annotations

import importlib
import math
import os
from typing import Any

from carillon.engine.speech import Alternative, Recognition, Recognizer, Speech, Word


def load() -> Recognizer:
    """Loads the model and returns a recognizer. Raises `ImportError` without faster-whisper."""
    whisper: Any = importlib.import_module("faster_whisper")
    numpy: Any = importlib.import_module("numpy")
    model = whisper.WhisperModel(
        os.environ.get("WHISPER_MODEL", "small"), device=os.environ.get("WHISPER_DEVICE", "cpu")
    )

    def recognize(speech: Speech) -> Recognition:
        segments, information = model.transcribe(
            numpy.frombuffer(speech.floats(), dtype=numpy.float32),
            language=speech.language.partition("-")[0].lower() or None,
            initial_prompt=", ".join(speech.phrases) or None,
            word_timestamps=True,
            beam_size=5 if speech.is_final else 1,
        )
        words = [
            Word(word.word.strip(), word.start, word.end, _portion(word.probability))
            for segment in segments
            for word in segment.words or []
        ]
        return Recognition(
            [Alternative(words)] if words else [],
            language=speech.language or information.language,
            languages=[(information.language, _portion(information.language_probability))],
        )

    return recognize


def _portion(value: float) -> float:
    return min(1.0, max(0.0, value)) if math.isfinite(value) else 0.0

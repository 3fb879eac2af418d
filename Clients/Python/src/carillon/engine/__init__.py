"""Runs any callable as an engine for live transcription.

```python
from carillon.engine import Speech, serve

def recognize(speech: Speech) -> str:
    return model.transcribe(speech.floats(), language=speech.language)

asyncio.run(serve(recognize, name="mine", languages=["en-US"]))
```

The callable gets one utterance of one talker at a time and returns its words: a text, words with
times, or a `Recognition` with alternatives. The callable runs in a thread and may block. If the
`transcription` service would reject an answer, the transcript lacks only the words of that
utterance. Use `check_answer` to find these answers in the tests of an engine. To run an engine from
a shell, use `python -m carillon.engine mypackage.mymodule:recognize --name mine`.
`carillon.engine.whisper` is an example with a Whisper model.
"""

from carillon.engine.answers import AnswerError, check_answer
from carillon.engine.attachment import Attachment
from carillon.engine.counters import EngineCounters
from carillon.engine.options import EngineOptions
from carillon.engine.serving import endpoints_in, serve
from carillon.engine.speech import (
    SAMPLE_RATE,
    Alternative,
    Recognition,
    Recognizer,
    Speech,
    Word,
)
from carillon.engine.talker import Work

__all__ = [
    "SAMPLE_RATE",
    "Alternative",
    "AnswerError",
    "Attachment",
    "EngineCounters",
    "EngineOptions",
    "Recognition",
    "Recognizer",
    "Speech",
    "Word",
    "Work",
    "check_answer",
    "endpoints_in",
    "serve",
]

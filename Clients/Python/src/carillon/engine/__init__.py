"""Runs any callable as an engine of live transcription.

```python
from carillon.engine import Speech, serve

def recognize(speech: Speech) -> str:
    return model.transcribe(speech.floats(), language=speech.language)

asyncio.run(serve(recognize, name="mine", languages=["en-US"]))
```

The callable gets one utterance of one talker at a time and returns its words: a text, words with
times, or a `Recognition` with alternatives. It may block; it runs in a thread. An answer that
transcription would refuse costs its utterance alone, and `check_answer` finds it in tests of an
engine. The same from a shell: `python -m carillon.engine mypackage.mymodule:recognize --name mine`.
`carillon.engine.whisper` is an example with a model of the Whisper class.
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

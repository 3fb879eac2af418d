"""Resource warnings, as in asyncio, for objects that Python collects while they are open."""

from __future__ import annotations

import inspect
import os
import traceback
import tracemalloc
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_PACKAGE = f"{Path(__file__).parent}{os.sep}"


@dataclass(frozen=True)
class MadeAt:
    """The place in a program where an object was created."""

    file: str
    line: int
    function: str
    way: str = ""
    """The stack, oldest call first. It is recorded only under tracemalloc, because recording is
    expensive."""

    @classmethod
    def here(cls) -> Self:
        """Returns the place of the innermost call outside this package."""
        frame = inspect.currentframe()
        while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            frame = frame.f_back
        if frame is None:
            return cls("unknown", 0, "unknown")
        way = "".join(traceback.format_stack(frame)) if tracemalloc.is_tracing() else ""
        return cls(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, way)

    def warn(self, thing: object, advice: str) -> None:
        """Warns that Python collected an open object. Call this method in the object's `__del__`.

        The warning names the line that created the object. Python's own allocation traces cannot
        name this line, because these traces lack most objects in Python 3.11.
        """
        what = f"unclosed {thing!r}, made in {self.function} at {self.file}:{self.line}; {advice}"
        if self.way:
            what += f"\nMade at (most recent call last):\n{self.way}"
        warnings.warn_explicit(what, ResourceWarning, self.file, self.line, source=thing)

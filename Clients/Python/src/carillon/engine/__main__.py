"""`python -m carillon.engine MODULE:CALLABLE`: a recognizer as an engine, from a shell."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import logging
from pathlib import Path
from typing import Any

from carillon.commands.leaving import on_signal
from carillon.commands.reader import escape_what_cannot_be_shown
from carillon.engine.options import EngineOptions
from carillon.engine.serving import serve
from carillon.engine.speech import Recognizer


def main() -> None:
    """Runs the engine that the options describe. Exits with 0 after SIGINT or SIGTERM."""
    escape_what_cannot_be_shown()
    parser = argparse.ArgumentParser(prog="carillon.engine", description=__doc__)
    parser.add_argument("recognizer", metavar="MODULE:CALLABLE")
    parser.add_argument(
        "--factory",
        action="store_true",
        help="call it once without arguments to get the recognizer",
    )
    parser.add_argument("--name", required=True, help="what configurations name the engine by")
    parser.add_argument("--language", action="append", metavar="CODE", help="default: en-US")
    parser.add_argument("--max-streams", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--partial-seconds", type=float, default=None)
    parser.add_argument("--runtime-dir", type=Path, default=None)
    parser.add_argument("--endpoint", default=None)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    module, _, name = arguments.recognizer.partition(":")
    recognize: Any = getattr(importlib.import_module(module), name)
    try:
        options = EngineOptions(
            name=arguments.name,
            languages=arguments.language or ["en-US"],
            max_streams=arguments.max_streams,
            workers=arguments.workers,
            partial_seconds=arguments.partial_seconds,
        )
    except ValueError as error:
        parser.error(str(error))
    recognizer = recognize() if arguments.factory else recognize
    asyncio.run(_serve(recognizer, options, arguments.endpoint, arguments.runtime_dir))


async def _serve(
    recognize: Recognizer, options: EngineOptions, endpoint: str | None, directory: Path | None
) -> None:
    serving = asyncio.ensure_future(
        serve(recognize, options, endpoint=endpoint, runtime_directory=directory)
    )
    # The first process of a container ignores SIGTERM unless this process has set a handler.
    on_signal(serving.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await serving


if __name__ == "__main__":
    main()

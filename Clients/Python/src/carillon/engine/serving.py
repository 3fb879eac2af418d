"""Keeps an engine attached to every instance of the `transcription` service."""

from __future__ import annotations

import asyncio
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from carillon.engine.attachment import Attachment
from carillon.engine.counters import EngineCounters
from carillon.engine.options import EngineOptions
from carillon.engine.speech import Recognizer
from carillon.engine.talker import Work
from carillon.errors import CarillonError

logger = logging.getLogger("carillon.engine")

_RETRY_SECONDS = 0.5
_LOOK_SECONDS = 1.0


def default_runtime_directory() -> Path:
    """Returns the default runtime directory, which contains Carillon's sockets."""
    given = os.environ.get("CARILLON_RUNTIME_DIR")
    if given:
        return Path(given)
    shared = Path("/run/carillon")
    if shared.is_dir():
        return shared
    return Path(os.environ.get("XDG_RUNTIME_DIR", "/tmp")) / "carillon"


def endpoints_in(runtime_directory: Path) -> list[str]:
    """Returns the engine endpoints of the `transcription` instances in a runtime directory."""
    return [f"ipc://{path}" for path in sorted(runtime_directory.glob("*.engines.sock"))]


async def _keep_attached(endpoint: str, options: EngineOptions, work: Work) -> None:
    """Attaches to one endpoint, and attaches again whenever the attachment ends."""
    while True:
        try:
            await Attachment(endpoint, options.request(), work).run()
        except CarillonError as error:
            logger.warning("The attachment to %s ended: %s", endpoint, error)
        await asyncio.sleep(_RETRY_SECONDS)


async def serve(
    recognize: Recognizer,
    options: EngineOptions | None = None,
    *,
    endpoint: str | None = None,
    runtime_directory: Path | None = None,
    counters: EngineCounters | None = None,
    **settings: object,
) -> None:
    """Runs a callable as an engine until cancelled.

    `settings` are the fields of `EngineOptions`, for a call without `options`. With an `endpoint`,
    such as `ipc:///run/carillon/transcription-a.engines.sock`, the engine attaches there. Otherwise
    the engine attaches to every instance in the runtime directory, including those that start
    later. If an answer breaks the rules of the `transcription` service, the transcript lacks only
    the words of that utterance. `counters` counts the answer, and the logger `carillon.engine` logs
    the cause. Raises `ValueError` for invalid settings.
    """
    engine = options or EngineOptions(**settings)  # type: ignore[arg-type]
    directory = runtime_directory or default_runtime_directory()
    keepers: dict[str, asyncio.Task[None]] = {}
    with ThreadPoolExecutor(engine.workers, thread_name_prefix=engine.name) as executor:
        work = Work(recognize, executor, counters or EngineCounters(), engine.partial_seconds)
        async with asyncio.TaskGroup() as tasks:
            while True:
                found = [endpoint] if endpoint else endpoints_in(directory)
                for each in found:
                    if each not in keepers:
                        keepers[each] = tasks.create_task(_keep_attached(each, engine, work))
                await asyncio.sleep(_LOOK_SECONDS)

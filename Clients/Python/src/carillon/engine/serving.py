"""Keeps an engine attached to every instance of transcription."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from carillon.engine.attachment import Attachment
from carillon.engine.speech import Recognizer
from carillon.errors import CarillonError
from carillon.v1 import transcription_pb2 as pb

logger = logging.getLogger("carillon.engine")

_RETRY_SECONDS = 0.5
_LOOK_SECONDS = 1.0
_CREDIT_PER_STREAM = 50


@dataclass(frozen=True)
class EngineOptions:
    """What an engine says of itself."""

    name: str
    """What a transcription's configuration names it by: `[A-Za-z0-9_.-]{1,64}`."""
    languages: Sequence[str] = ("en-US",)
    """First the one it takes when none is named."""
    translates_to: Sequence[str] = ()
    """Languages it can deliver besides."""
    engine_id: str = ""
    """Unique among the engines; empty: name and process id."""
    version: str = ""
    max_streams: int = 4
    """Talkers at the same time, 1-1000."""
    workers: int = 1
    """Threads that recognize."""
    partial_seconds: float | None = None
    """Speech between two results of an utterance that goes on; `None`: none before its end."""
    has_vocabulary: bool = False
    """The recognizer uses `Speech.phrases`."""
    identifies_language: bool = False
    """The recognizer finds out which language is spoken."""

    def request(self) -> pb.AttachEngineRequest:
        """What an engine with these options says of itself when it attaches."""
        capabilities = pb.EngineCapabilities(
            name=self.name,
            version=self.version,
            languages=[
                pb.EngineLanguage(language_code=code, translates_to=self.translates_to)
                for code in self.languages
            ],
            has_partials=self.partial_seconds is not None,
            has_vocabulary=self.has_vocabulary,
            identifies_language=self.identifies_language,
            max_streams=self.max_streams,
        )
        return pb.AttachEngineRequest(
            engine_id=self.engine_id or f"{self.name}-{os.getpid()}",
            capabilities=capabilities,
            credit=min(10_000, self.max_streams * _CREDIT_PER_STREAM),
        )


def default_runtime_directory() -> Path:
    """The directory that has Carillon's sockets unless somebody says otherwise."""
    given = os.environ.get("CARILLON_RUNTIME_DIR")
    if given:
        return Path(given)
    shared = Path("/run/carillon")
    if shared.is_dir():
        return shared
    return Path(os.environ.get("XDG_RUNTIME_DIR", "/tmp")) / "carillon"


def endpoints_in(runtime_directory: Path) -> list[str]:
    """The endpoints at which the instances of transcription in a runtime directory take engines."""
    return [f"ipc://{path}" for path in sorted(runtime_directory.glob("*.engines.sock"))]


@dataclass
class _Keeper:
    """Attaches to one endpoint, again and again."""

    endpoint: str
    options: EngineOptions
    recognize: Recognizer
    executor: ThreadPoolExecutor
    task: asyncio.Task[None] | None = field(default=None)

    async def run(self) -> None:
        while True:
            attachment = Attachment(
                self.endpoint,
                self.options.request(),
                self.recognize,
                self.executor,
                self.options.partial_seconds,
            )
            try:
                await attachment.run()
            except CarillonError as error:
                logger.warning("The attachment to %s ended: %s", self.endpoint, error)
            await asyncio.sleep(_RETRY_SECONDS)


async def serve(
    recognize: Recognizer,
    options: EngineOptions | None = None,
    *,
    endpoint: str | None = None,
    runtime_directory: Path | None = None,
    **settings: object,
) -> None:
    """Runs a callable as an engine until cancelled.

    `settings` are those of `EngineOptions` where that is not given. With an `endpoint`, such as
    `ipc:///run/carillon/transcription-a.engines.sock`, it attaches there; without, to every
    instance in the runtime directory, also to those that come later.
    """
    engine = options or EngineOptions(**settings)  # type: ignore[arg-type]
    directory = runtime_directory or default_runtime_directory()
    keepers: dict[str, _Keeper] = {}
    with ThreadPoolExecutor(engine.workers, thread_name_prefix=engine.name) as executor:
        async with asyncio.TaskGroup() as tasks:
            while True:
                found = [endpoint] if endpoint else endpoints_in(directory)
                for each in found:
                    if each not in keepers:
                        keeper = _Keeper(each, engine, recognize, executor)
                        keepers[each] = keeper
                        keeper.task = tasks.create_task(keeper.run())
                await asyncio.sleep(_LOOK_SECONDS)

"""`carillon up` in its own directory, with its keys and its store."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config

ROOT = Path(__file__).parents[2]
CARILLON = Path(os.environ.get("CARILLON_BINARIES", ROOT / ".build" / "debug")) / "carillon"
READY_SECONDS = 60
REGION = "us-east-1"


@dataclass(frozen=True)
class Key:
    """An access key, as printed by `carillon keys create`."""

    access_key_id: str
    secret_access_key: str


class House:
    """A running installation with default settings."""

    def __init__(self, directory: Path, url: str, settings: dict[str, str]) -> None:
        self.directory = directory
        self.url = url
        self.settings = settings

    @property
    def printed(self) -> str:
        """The output of the installation's processes."""
        return (self.directory / "log").read_text(errors="replace")

    @property
    def runtime(self) -> Path:
        return self.directory / "run"

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def carillon(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs `carillon` with this installation's environment."""
        return subprocess.run(
            [CARILLON, *words], env=self.environment, capture_output=True, text=True, check=False
        )

    @property
    def environment(self) -> dict[str, str]:
        own = {k: v for k, v in os.environ.items() if not k.startswith(("CARILLON_", "AWS_"))}
        own |= {"CARILLON_RUNTIME_DIR": str(self.runtime), "HOME": str(self.directory)}
        own |= self.settings
        return own | {"AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "1"}

    def keys(self, *words: str) -> list[dict[str, Any]]:
        """Runs `carillon keys` and returns its output."""
        run = self.carillon("keys", *words, "--output", "json")
        assert run.returncode == 0, run.stderr
        return [json.loads(line) for line in run.stdout.splitlines()]

    def make_key(self, name: str, *words: str) -> Key:
        (made,) = self.keys("create", name, *words)
        return Key(made["access_key_id"], made["secret_access_key"])

    def client(self, key: Key, region: str = REGION) -> Any:
        """Returns the SDK's client. Only the endpoint differs from the endpoint of the original
        service."""
        return boto3.session.Session().client(
            "chime-sdk-meetings",
            endpoint_url=self.url,
            region_name=region,
            aws_access_key_id=key.access_key_id,
            aws_secret_access_key=key.secret_access_key,
            # These settings turn off the SDK's own checks of arguments, because the tests check
            # what the server rejects.
            config=Config(parameter_validation=False, retries={"total_max_attempts": 1}),
        )

    def store(self) -> dict[str, list[tuple[Any, ...]]]:
        """Returns every row of the store, without the time when a meeting was last occupied."""
        with sqlite3.connect(f"file:{self.data}/meetings.sqlite?mode=ro", uri=True) as database:
            rows = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            tables = [name for (name,) in rows if not name.startswith(("sqlite_", "grdb_"))]
            found = {}
            for table in tables:
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                kept = ", ".join(column for column in columns if column != "last_occupied_at")
                found[table] = sorted(database.execute(f"SELECT {kept} FROM {table}"), key=repr)
        database.close()
        return found


@contextmanager
def running(**settings: str) -> Iterator[House]:
    """Starts the services and stops them at the end.

    `settings`: flags of services as environment variables: `CARILLON_MAX_ATTENDEES="9"`.
    """
    directory = Path(tempfile.mkdtemp(prefix="c-"))
    house = House(directory, "", settings)
    log = (directory / "log").open("wb")
    words = ["up", "--rest-port", "0", "--data-dir", house.data, "--output", "json"]
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", CARILLON, *map(str, words)],
        env=house.environment,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    # If the process is not ready in time, the timer kills the process, and `readline` below
    # returns.
    deadline = threading.Timer(READY_SECONDS, process.kill)
    deadline.start()
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        deadline.cancel()
        assert line, house.printed
        house.url = json.loads(line)["rest"]
        yield house
    finally:
        deadline.cancel()
        process.terminate()
        process.communicate(timeout=READY_SECONDS)
        log.close()
        shutil.rmtree(directory, ignore_errors=True)

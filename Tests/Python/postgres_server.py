"""A PostgreSQL server for tests (Debian's), on a Unix socket or in a network namespace."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import tempfile
from collections.abc import Sequence
from pathlib import Path

from eventually import eventually
from installation import Process

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
"""The directory of the programs, which `Scripts/postgresql.sh` installs."""


class PostgresServer:
    """A server that runs inside `async with PostgresServer() as server`.

    `settings` are lines of its `postgresql.conf`. With an `address`, the server also listens there;
    `prefix` is the command prefix that runs programs on the host of this address.
    """

    def __init__(
        self, *settings: str, prefix: Sequence[str | Path] = (), address: str = ""
    ) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="pg-"))
        self.address = address
        self._settings = settings
        self._prefix = prefix
        self._origin: PostgresServer | None = None
        # The server refuses to run as root.
        self._user: list[str] = []
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.directory, nobody.pw_uid, nobody.pw_gid)
            ids = ["--reuid", str(nobody.pw_uid), "--regid", str(nobody.pw_gid)]
            self._user = ["setpriv", *ids, "--clear-groups", "--pdeathsig", "KILL"]
        command: list[str | Path] = [*prefix, *self._user, PROGRAMS / "postgres", "-D", self._data]
        self.process = Process("postgresql", command, self.directory / "log")

    @property
    def url(self) -> str:
        return f"postgresql://carillon@/postgres?host={self.directory}"

    @property
    def _data(self) -> Path:
        return self.directory / "data"

    async def __aenter__(self) -> PostgresServer:
        if self._origin is None:
            flags = ["--username", "carillon", "--auth", "trust", "--encoding", "UTF8"]
            flags += ["--locale", "C", "--no-sync"]
            await self._run(PROGRAMS / "initdb", "--pgdata", self._data, *flags)
            with (self._data / "pg_hba.conf").open("a") as file:
                # Trust all clients in the network of the test.
                file.write("host all,replication all 10.77.71.0/24 trust\n")
                file.write("host replication all 10.77.71.0/24 trust\n")
        lines = [f"listen_addresses = '{self.address}'"]
        lines += [f"unix_socket_directories = '{self.directory}'", "max_connections = 300"]
        with (self._data / "postgresql.conf").open("a") as file:
            file.write("\n".join([*lines, *self._settings]) + "\n")
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.crash()
        shutil.rmtree(self.directory, ignore_errors=True)

    async def start(self) -> None:
        await self.process.start()
        ready: list[str | Path] = ["--quiet", "--host", self.directory, "--username", "carillon"]

        async def is_ready() -> bool:
            assert self.process.is_running, self.process.log
            return await self._succeeds(PROGRAMS / "pg_isready", *ready)

        await eventually("PostgreSQL to be ready", is_ready, every=0.05)

    async def crash(self) -> None:
        """Stops the server immediately, as in a crash. The server recovers at the next start."""
        self.process.send(signal.SIGQUIT)
        if self.process.is_running:
            await self.process.wait()

    # Two servers

    async def make_standby(self, *, prefix: Sequence[str | Path], address: str) -> PostgresServer:
        """Creates a standby of this server. Start it with `async with`."""
        standby = PostgresServer("synchronous_standby_names = ''", prefix=prefix, address=address)
        standby._origin = self
        origin = f"host={self.address} user=carillon application_name=standby"
        backup = ["--dbname", origin, "--write-recovery-conf", "--checkpoint", "fast", "--no-sync"]
        await standby._run(PROGRAMS / "pg_basebackup", "--pgdata", standby._data, *backup)
        return standby

    async def promote(self) -> None:
        """Promotes a standby, so that it accepts writes."""
        await self._run(PROGRAMS / "pg_ctl", "promote", "-D", self._data)

    async def _run(self, *command: str | Path) -> None:
        process = await asyncio.create_subprocess_exec(
            *map(str, [*self._prefix, *self._user, *command]),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await process.communicate()
        assert process.returncode == 0, f"{command[0]} failed: {errors.decode()}"

    @staticmethod
    async def _succeeds(*command: str | Path) -> bool:
        process = await asyncio.create_subprocess_exec(
            *map(str, command),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        return await process.wait() == 0

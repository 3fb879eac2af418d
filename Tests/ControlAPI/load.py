"""Measures how many meetings a gateway creates per second, and checks that all exist afterwards.

CARILLON_BINARIES=RELEASE PYTHONPATH=Tests .venv/bin/python -m ControlAPI.load    two minutes

The gateway is killed halfway and restarted. Every acknowledged creation must exist afterwards, or
the exit status is 1. The peer for the comparison is SQLite alone, which stores the same rows with
the same settings on the same disk, one transaction per creation. Benchmarks/README.md has the rows.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from ControlAPI.callers import Answers, Load, check, create
from ControlAPI.gateways import Gateway, gateways

PROCESSES = 2
PEER_SECONDS = 8.0


@dataclass
class Peer:
    """How many seconds SQLite needs for each transaction with the same rows."""

    seconds: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        return len(self.seconds) / sum(self.seconds)


Statements = list[tuple[str, Sequence[object]]]


def creations(database: sqlite3.Connection) -> Iterator[Statements]:
    """Yields the statements that fill the gateway's store: one list for each creation of a meeting
    or an attendee, in order."""

    def rows(table: str, order: str) -> Iterator[sqlite3.Row]:
        cursor = database.cursor()
        cursor.row_factory = sqlite3.Row
        yield from cursor.execute(f"SELECT * FROM {table} ORDER BY {order}")

    def insertion(table: str, row: sqlite3.Row) -> tuple[str, Sequence[object]]:
        places = ", ".join("?" * len(row))
        return f"INSERT INTO {table} ({', '.join(row.keys())}) VALUES ({places})", tuple(row)

    records = {row["meeting_id"]: row for row in rows("record", "meeting_id")}
    attendees = {row["id"]: row for row in rows("attendee", "ordinal")}
    meetings = {row["id"]: row for row in rows("meeting", "ordinal")}
    # Every created meeting and every created attendee has one event. The events are in the order in
    # which the gateway stored them.
    for event in rows("meeting_event", "number"):
        meeting = event["meeting_id"]
        statements: Statements = []
        if event["sequence"] == 1:
            statements.append(insertion("meeting", meetings[meeting]))
            statements.append(insertion("record", records[meeting]))
        else:
            statements.append(insertion("attendee", attendees[event["attendee_id"]]))
        statements.append(
            (
                "UPDATE record SET last_event = ? WHERE meeting_id = ?",
                (event["sequence"], meeting),
            )
        )
        statements.append(insertion("meeting_event", event))
        yield statements


def measure_peer(source: Path, peer: Peer) -> None:
    """For `PEER_SECONDS`, copies the gateway's rows into a second file beside the store."""
    with tempfile.TemporaryDirectory(dir=source.parent) as directory:
        target = sqlite3.connect(Path(directory) / "peer.sqlite", isolation_level=None)
        original = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            target.execute(f"PRAGMA {pragma}")
        schema = "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'"
        for (sql,) in original.execute(schema):
            target.execute(sql)
        end = time.perf_counter() + PEER_SECONDS
        for statements in creations(original):
            began = time.perf_counter()
            target.execute("BEGIN IMMEDIATE")
            for sql, values in statements:
                target.execute(sql, values)
            target.execute("COMMIT")
            now = time.perf_counter()
            peer.seconds.append(now - began)
            if now >= end:
                break
        target.close()
        original.close()


def processor_seconds(process: int) -> float:
    """Returns the processor time of a process: `utime` and `stime` of proc(5)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_load(gateway: Gateway, flags: argparse.Namespace, peer: Peer) -> tuple[Answers, float]:
    """Returns the results, and the processor time per creation that the gateway used before it was
    killed, in seconds.
    """
    store = gateway.data / "meetings.sqlite"
    load = Load(gateway.url, gateway.key, flags.connections // PROCESSES, flags.seconds)
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as processes:
        # The warm-up starts the processes and creates rows that the peer can copy.
        warm = Load(gateway.url, gateway.key, flags.connections // PROCESSES, 3)
        list(processes.map(create, [warm] * PROCESSES, ["warm-0", "warm-1"]))
        measure_peer(store, peer)
        had, before = processor_seconds(gateway.process_id), count(store)
        working = [processes.submit(create, load, f"load-{i}") for i in range(PROCESSES)]
        # Wait until half of the load's time has passed, and then kill the gateway.
        threading.Event().wait(flags.seconds / 2)
        had, made = processor_seconds(gateway.process_id) - had, count(store) - before
        gateway.kill()
        gateway.start()
        answers = Answers.together([each.result() for each in working])
    return answers, had / max(made, 1)


def count(store: Path) -> int:
    """Returns how many creations of meetings and attendees the store has recorded."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        (found,) = database.execute("SELECT count(*) FROM meeting_event").fetchone()
    database.close()
    return int(found)


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def rows_of(
    answers: Answers, alone: Answers, peer: Peer, costs: dict[str, float]
) -> list[dict[str, object]]:
    """Returns the rows in the format of `bench`."""

    def row(name: str, value: float, unit: str, other: float | None = None) -> dict[str, object]:
        return {
            "name": f"control.{name}",
            "value": round(value, 3),
            "unit": unit,
            "peer": None if other is None else "sqlite",
            "peer_value": None if other is None else round(other, 3),
            "ratio": None if other is None else round(value / other, 3),
            "rounds": 1,
        }

    def times(name: str, found: Sequence[float]) -> list[dict[str, object]]:
        return [
            row(f"{name}.{label}", to(found) * 1e3, "ms", to(peer.seconds) * 1e3)
            for label, to in PERCENTILES.items()
        ]

    return [
        row("create.throughput", answers.per_second, "creations/s", peer.per_second),
        *times("create_meeting", answers.meeting_seconds),
        *times("create_attendee", answers.attendee_seconds),
        *times("create.alone", alone.meeting_seconds + alone.attendee_seconds),
        *(
            row(f"create.{name}", value, unit)
            for (name, unit), value in zip(COSTS, costs.values(), strict=True)
        ),
    ]


PERCENTILES: dict[str, Callable[[Sequence[float]], float]] = {
    "p50": statistics.median,
    "p99": lambda values: percentile(values, 0.99),
}
COSTS = (("cpu", "ms"), ("driver_cpu", "cores"), ("outage", "s"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--results", type=Path, help="rows are added to this file")
    flags = parser.parse_args()
    peer = Peer()
    # The gateway keeps all events, so that the peer can copy all rows.
    with gateways("gateway-a", CARILLON_MAX_MEETING_EVENTS="10000000") as (gateway,):
        answers, cost = run_load(gateway, flags, peer)
        measure_peer(gateway.data / "meetings.sqlite", peer)
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
            lone = Load(gateway.url, gateway.key, 1, min(flags.seconds, 10))
            alone = processes.submit(create, lone, "alone").result()
            missing = [
                *processes.submit(check, lone, answers.attendees).result(),
                *processes.submit(check, lone, alone.attendees).result(),
            ]
    costs = {
        "cpu": cost * 1e3,
        "driver_cpu": answers.processor_seconds / flags.seconds,
        "outage": answers.outage,
    }
    rows = rows_of(answers, alone, peer, costs)
    for row in rows:
        print(json.dumps(row))
    if flags.results:
        flags.results.parent.mkdir(exist_ok=True)
        with flags.results.open("a") as results:
            results.writelines(json.dumps(row) + "\n" for row in rows)
    print(
        f"{len(answers.attendees)} meetings, each with an attendee, and {answers.retried} requests "
        f"sent again around the kill; {len(missing)} of what was answered is missing."
    )
    for each in missing[:20]:
        print(f"  {each}", file=sys.stderr)
    return 1 if missing or not answers.retried else 0


if __name__ == "__main__":
    sys.exit(main())

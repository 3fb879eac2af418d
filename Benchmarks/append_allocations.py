"""Counts messaging's allocations per append, by stage. `make allocations` runs it.

A client of `Peers/crowd` appends messages of 2 KiB at messaging's own socket. Messaging runs with
the preloaded counter of `Tests/AllocationCounter`, whose header describes the layout of the counts.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

APPENDS, WINDOW = 2_000, 192
FRAMES, SITES, OWNER = 80, 1024, 48
HEAD, SITE = 32, 16 + OWNER + 8 * FRAMES

# The stages of an append. An allocation belongs to the first stage that lists a file of the
# allocation's call stack.
STAGES = {
    "storing": {"MessagesStore.swift"},
    "publishing": {"MeetingEventStream.swift", "StoredMessage+Wire.swift"},
    "giving it a place": {"MessageLogs.swift"},
    "checking": {"MessageDraft.swift", "MessageDraft+Wire.swift"},
    "waiting and answering": {"MessagingService.swift", "MessagingService+Requests.swift"},
    "reading the request": {"MessageUnpacker.swift", "RequestServer.swift"},
}

LIMITS = ("data-message", "attendee-flood", "meeting-flood")


def append(messaging: Path, counter: Path, crowd: Path, place: Path) -> bytes:
    """Runs warm-up appends and measured appends; returns the counts of the measured ones."""
    counts = place / "counts"
    counts.write_bytes(bytes(HEAD + SITES * SITE))
    rates = ("data-messages-per-second", *(f"{limit}-per-second" for limit in LIMITS[1:]))
    raised = [*rates, *(f"{limit}-burst" for limit in LIMITS)]
    socket = place / "run" / "messaging-a.rpc.sock"
    meetings = place / "meetings"
    meetings.write_text(f"{socket} {uuid.uuid4()}\n")
    service = subprocess.Popen(
        [str(messaging), "--instance", "messaging-a"]
        + ["--runtime-dir", str(place / "run"), "--data-dir", str(place / "data")]
        + [word for flag in raised for word in (f"--{flag}", "1000000")],
        env=os.environ | {"LD_PRELOAD": str(counter), "ALLOCATION_COUNTER_FILE": str(counts)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with ExitStack() as ending:
        ending.callback(service.wait)
        ending.callback(service.terminate)
        while not socket.exists():
            time.sleep(0.05)
        client = ending.enter_context(
            subprocess.Popen(
                [str(crowd), "append", str(meetings), "2048"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdout.readline()
        for is_counted in (False, True):
            with counts.open("r+b") as file:
                file.write(struct.pack("<4Q", is_counted, 0, 0, 0))
            client.stdin.write(f"fan {APPENDS} {WINDOW}\n")
            client.stdin.flush()
            client.stdout.readline()
        return counts.read_bytes()


def sites(counts: bytes) -> list[tuple[int, list[int]]]:
    """Returns the count and the return addresses of each allocation site."""
    found = []
    for index in range(struct.unpack_from("<Q", counts, 24)[0]):
        at = HEAD + index * SITE
        frames = struct.unpack_from(f"<{FRAMES}Q", counts, at + 16 + OWNER)
        (count,) = struct.unpack_from("<Q", counts, at)
        found.append((count, [frame for frame in frames if frame]))
    return found


def files(messaging: Path, addresses: set[int]) -> dict[int, set[str]]:
    """Returns the files of the functions at these addresses, including inlined functions."""
    asked = sorted(addresses)
    # A return address may already belong to the next function.
    text = "\n".join(hex(address - 1) for address in asked)
    command = ["addr2line", "--inlines", "--addresses", "-e", str(messaging)]
    answer = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    found: list[set[str]] = []
    for line in answer.stdout.splitlines():
        if line.startswith("0x"):
            found.append(set())
        else:
            found[-1].add(line.rsplit(":", 1)[0].rsplit("/", 1)[-1])
    return dict(zip(asked, found, strict=True))


def main() -> None:
    """Prints the allocations per append, one line for each stage."""
    messaging, counter, crowd = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as place:
        counted = sites(append(messaging, counter, crowd, Path(place)))
    known = files(messaging, {address for _, frames in counted for address in frames})
    sums: Counter[str] = Counter()
    for count, frames in counted:
        within = set().union(*(known[address] for address in frames))
        sums[next((stage for stage, of in STAGES.items() if of & within), "the rest")] += count
    for stage, count in [*sums.most_common(), ("together", sums.total())]:
        print(f"{stage:24}{count / APPENDS:6.2f}")


if __name__ == "__main__":
    main()

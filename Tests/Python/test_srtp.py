"""`SRTPSender` and `SRTPReceiver` against libsrtp2, an independent implementation.

`srtp-echo` protects and opens packets with our code; pylibsrtp is the other side. The path of
`srtp-echo` is $SRTP_ECHO, by default in the debug build.
"""

from __future__ import annotations

import mmap
import os
import random
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pylibsrtp import Error, Policy, Session

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build" / "debug"

# The profiles, by their DTLS-SRTP numbers. Each has libsrtp2's profile, and the total length of the
# master key and the master salt, in bytes.
PROFILES = {
    0x0007: (Policy.SRTP_PROFILE_AEAD_AES_128_GCM, 16 + 12),
    0x0008: (Policy.SRTP_PROFILE_AEAD_AES_256_GCM, 32 + 12),
    0x0001: (Policy.SRTP_PROFILE_AES128_CM_SHA1_80, 16 + 14),
}
# The replay window of our receiver and of libsrtp2, in packets.
WINDOW = 1_024
# The layout of `allocation_counts` in Tests/AllocationCounter: the format of the head, the size of
# a site in bytes, and the total size in bytes.
COUNTS_HEAD = struct.Struct("<QQQQ")
COUNTS_SITE = 8 + 8 + 48 + 80 * 8
COUNTS_BYTES = COUNTS_HEAD.size + 1_024 * COUNTS_SITE

all_profiles = pytest.mark.parametrize("profile", PROFILES, ids=["gcm-128", "gcm-256", "cm-sha1"])
seeds = pytest.mark.parametrize("seed", range(4))


class Echo:
    """`srtp-echo`, which uses our sender and our receiver, in a separate process."""

    def __init__(self, profile: int, key: bytes, environment: dict[str, str] | None = None) -> None:
        program = os.environ.get("SRTP_ECHO", str(BUILD / "srtp-echo"))
        self._process = subprocess.Popen(
            [program, str(profile), key.hex()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
        )

    def ask(self, command: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line.endswith("\n"), "srtp-echo has ended"
        return line.removesuffix("\n")

    def protect(self, kind: str, packet: bytes) -> bytes:
        return bytes.fromhex(self.ask(f"protect-{kind} {packet.hex()}"))

    def open(self, kind: str, packet: bytes) -> bytes | str:
        """Returns the packet, or the reason of its rejection."""
        answer = self.ask(f"open-{kind} {packet.hex()}")
        try:
            return bytes.fromhex(answer)
        except ValueError:
            return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=10) == 0
        self._process.stdout.close()


@contextmanager
def echo(profile: int, key: bytes, environment: dict[str, str] | None = None) -> Iterator[Echo]:
    result = Echo(profile, key, environment)
    try:
        yield result
    finally:
        result.close()


class Peer:
    """libsrtp2, with one session to send and one to receive."""

    def __init__(self, profile: int, key: bytes) -> None:
        self._sender = self._session(profile, key, Policy.SSRC_ANY_OUTBOUND)
        self._receiver = self._session(profile, key, Policy.SSRC_ANY_INBOUND)

    def _session(self, profile: int, key: bytes, ssrcs: int) -> Session:
        policy = Policy(key=key, ssrc_type=ssrcs, srtp_profile=PROFILES[profile][0])
        policy.window_size = WINDOW
        return Session(policy=policy)

    def protect(self, kind: str, packet: bytes) -> bytes:
        return self._call(self._sender.protect, self._sender.protect_rtcp, kind, packet)

    def open(self, kind: str, packet: bytes) -> bytes | None:
        """Returns the packet, or `None` after its rejection."""
        try:
            return self._call(self._receiver.unprotect, self._receiver.unprotect_rtcp, kind, packet)
        except Error:
            return None

    @staticmethod
    def _call(
        rtp: Callable[[bytes], bytes], rtcp: Callable[[bytes], bytes], kind: str, packet: bytes
    ) -> bytes:
        return (rtp if kind == "rtp" else rtcp)(packet)


class Packets:
    """Random packets of several RTP and RTCP streams, from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        # RFC 3711 recommends a first sequence number below 2^15.
        self._numbers = {
            self._random.getrandbits(32): self._random.randrange(1 << 15) for _ in range(4)
        }

    def next(self) -> tuple[str, bytes]:
        if self._random.random() < 0.2:
            return "rtcp", self._rtcp()
        return "rtp", self._rtp()

    def _rtp(self) -> bytes:
        ssrc = self._random.choice(list(self._numbers))
        # To the receiver, a jump of the sequence number looks like losses, even across a rollover.
        jump = self._random.randrange(1, 20_000) if self._random.random() < 0.1 else 1
        self._numbers[ssrc] = number = self._numbers[ssrc] + jump
        contributors = self._random.randrange(4)
        extension = self._random.randrange(4)
        first = 0x80 | (0x10 if extension else 0) | contributors
        header = struct.pack(">BBHII", first, 96, number & 0xFFFF, number * 160 & 0xFFFFFFFF, ssrc)
        header += self._random.randbytes(4 * contributors)
        if extension:
            header += struct.pack(">HH", 0xBEDE, extension) + self._random.randbytes(4 * extension)
        return header + self._random.randbytes(self._random.randrange(1, 1_200))

    def _rtcp(self) -> bytes:
        ssrc = self._random.choice(list(self._numbers))
        words = self._random.randrange(1, 40)
        application = struct.pack(">BBH", 0x80, 204, words) + self._random.randbytes(4 * words)
        return struct.pack(">BBHI", 0x80, 201, 1, ssrc) + application


@all_profiles
@seeds
def test_libsrtp_decrypts_our_packets(profile: int, seed: int) -> None:
    key = random.Random(seed).randbytes(PROFILES[profile][1])
    packets, peer = Packets(seed), Peer(profile, key)
    with echo(profile, key) as ours:
        for _ in range(300):
            kind, packet = packets.next()
            assert peer.open(kind, ours.protect(kind, packet)) == packet


@all_profiles
@seeds
def test_our_rtp_protection_equals_that_of_libsrtp(profile: int, seed: int) -> None:
    key = random.Random(seed).randbytes(PROFILES[profile][1])
    packets, peer = Packets(seed), Peer(profile, key)
    with echo(profile, key) as ours:
        for _ in range(300):
            kind, packet = packets.next()
            # libsrtp2 counts RTCP indices per SSRC; our sender has one index for all SSRCs.
            if kind == "rtp":
                assert ours.protect(kind, packet) == peer.protect(kind, packet)


@all_profiles
@seeds
def test_we_decrypt_and_reject_packets_as_libsrtp_does(profile: int, seed: int) -> None:
    """The test drops, reorders, repeats and modifies packets."""
    chance = random.Random(seed)
    key = chance.randbytes(PROFILES[profile][1])
    packets, peer = Packets(seed), Peer(profile, key)
    under_way: list[tuple[str, bytes, bytes]] = []
    refused: set[str] = set()
    with echo(profile, key) as ours:
        for _ in range(600):
            kind, packet = packets.next()
            protected = peer.protect(kind, packet)
            if chance.random() > 0.1:
                under_way.append((kind, packet, protected))
            if len(under_way) < 20:
                continue
            place = chance.randrange(len(under_way))
            repeated = chance.random() < 0.2
            kind, packet, protected = under_way[place] if repeated else under_way.pop(place)
            if chance.random() < 0.1:
                bit = chance.randrange(96, 8 * len(protected))
                changed = bytearray(protected)
                changed[bit // 8] ^= 1 << bit % 8
                protected = bytes(changed)
            answer = ours.open(kind, protected)
            expected = peer.open(kind, protected)
            if isinstance(answer, str):
                assert expected is None
                refused.add(answer)
            else:
                assert answer == expected == packet
    # A changed bit in an extension's length makes a packet malformed.
    assert {"forged", "repeated"} <= refused <= {"forged", "repeated", "tooOld", "malformed"}


@all_profiles
def test_after_a_warm_up_the_packets_of_a_stream_allocate_no_memory(
    profile: int, tmp_path: Path
) -> None:
    key = random.Random(profile).randbytes(PROFILES[profile][1])
    counts = tmp_path / "counts"
    counts.write_bytes(bytes(COUNTS_BYTES))
    environment = {
        "LD_PRELOAD": str(BUILD / "liballocation-counter.so"),
        "ALLOCATION_COUNTER_FILE": str(counts),
    }
    with echo(profile, key, environment) as ours, counts.open("r+b") as file:
        with mmap.mmap(file.fileno(), COUNTS_BYTES) as memory:
            ours.ask("repeat 100 1000")
            # Reading the command and writing the answer allocate a few times.
            assert 0 < allocations(memory, ours, "repeat 10000 1000") < 100


def allocations(memory: mmap.mmap, ours: Echo, command: str) -> int:
    """Returns the number of allocations for a command, including those to read and answer the
    command."""
    memory[: COUNTS_HEAD.size] = COUNTS_HEAD.pack(1, 0, 0, 0)
    ours.ask(command)
    _, _, unplaced, sites = COUNTS_HEAD.unpack_from(memory)
    memory[: COUNTS_HEAD.size] = COUNTS_HEAD.pack(0, 0, 0, 0)
    found = (COUNTS_HEAD.size + COUNTS_SITE * index for index in range(sites))
    return int(unplaced + sum(struct.unpack_from("<Q", memory, place)[0] for place in found))

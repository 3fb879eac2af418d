"""A program whose peers violate the rules of ZMTP or exhaust the limits of a service.

    python hostile.py ATTACK ENDPOINT SECONDS [SHARES [SECRET]]

The program attacks for at most SECONDS and prints the number of its connections. If several
processes attack together, SHARES is their number, and each opens its share of the connections. The
program uses only bytes and sockets, and no code of Carillon. SECRET (hex) is a frame that media
answers.
"""

from __future__ import annotations

import os
import resource
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, cycle

GREETING = b"\xff\0\0\0\0\0\0\0\0\x7f\x03\x01NULL" + bytes(48)
READY = b"\x04\x1c\x05READY\x0bSocket-Type\0\0\0\x06DEALER"
HANDSHAKE = GREETING + READY
UNFINISHED = b"\2" + (65_536).to_bytes(8, "big") + bytes(65_535)
EMPTY = b"\0\0"
PING = b"\x04\x07\x04PING\0\0"
# 26/CURVEZMQ: the first message of a client. The box at the end of this message uses keys that
# nobody has.
CURVE_GREETING = b"\xff\0\0\0\0\0\0\0\0\x7f\x03\x01CURVE" + bytes(47)
HELLO = b"\x04\xc8\x05HELLO\x01\0" + bytes(72) + bytes(range(32)) + bytes(7) + b"\1" + bytes(80)

MANY = 10_000
CROWD = 1_500
SOME = 500
FEW = 8
_PAUSE = 0.002


@dataclass(frozen=True)
class Target:
    """The target and the duration of an attack."""

    endpoint: str
    end: float
    """The end of the attack, on the clock `time.monotonic`."""
    shares: int = 1
    secret: bytes = b""

    @property
    def is_on(self) -> bool:
        return time.monotonic() < self.end


class Peer:
    """A non-blocking stream socket without a protocol."""

    opened = 0
    """The number of connections of all peers."""

    def __init__(self, endpoint: str, *, receive_buffer: int | None = None) -> None:
        self.is_ended = False
        """Whether the other side has closed the connection."""
        self.is_connected = False
        transport, _, place = endpoint.partition("://")
        if transport == "ipc":
            self._socket = socket.socket(socket.AF_UNIX)
            self._address: str | tuple[str, int] = place
        else:
            self._socket = socket.socket()
            host, _, port = place.rpartition(":")
            self._address = (host, int(port))
        if receive_buffer is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.setblocking(False)
        self.connect()

    def connect(self) -> bool:
        """Connects. Returns false if the queue of waiting connections is full."""
        if not self.is_connected:
            try:
                self._socket.connect(self._address)
            except BlockingIOError:
                # The connection over TCP is not complete yet.
                self.is_connected = isinstance(self._address, tuple)
            except ConnectionRefusedError:
                self.is_ended = True
            else:
                self.is_connected = True
            Peer.opened += self.is_connected
        return self.is_connected

    def send(self, data: bytes | memoryview) -> int:
        """Sends as much as the system accepts now, and returns the number of bytes."""
        if self.is_ended or not self.connect():
            return 0
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            self.is_ended = True
            return 0

    def read(self) -> bytes:
        """Returns some of the bytes that have arrived."""
        if not self.is_connected or self.is_ended:
            return b""
        try:
            data = self._socket.recv(65_536)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        self.is_ended = not data
        return data

    def look(self) -> bool:
        """Discards all bytes that have arrived, and returns whether the connection is open."""
        while self.read():
            pass
        return not self.is_ended

    def close(self) -> None:
        self._socket.close()


class Talker:
    """A peer that sends data as fast as the other side accepts it."""

    def __init__(self, peer: Peer, words: Iterator[bytes]) -> None:
        self.peer = peer
        self._words = words
        self._rest = memoryview(next(words))

    def say(self, word: bytes) -> None:
        """Appends data to what this talker sends."""
        self._words = chain(self._words, [word])

    def go_on(self) -> bool:
        """Sends more data, and returns whether the peer accepted any."""
        sent = self.peer.send(self._rest)
        self._rest = self._rest[sent:]
        if not self._rest:
            self._rest = memoryview(next(self._words, b""))
        return sent > 0


def shout(
    target: Target,
    openings: list[bytes],
    block: bytes = b"",
    *,
    reads: bool = False,
    peers: int = FEW,
) -> None:
    """Sends an opening and then the same block endlessly. Reconnects when disconnected."""

    def words(opening: bytes) -> Iterator[bytes]:
        yield opening
        while block:
            yield block

    kinds = cycle(openings)
    talkers = [Talker(Peer(target.endpoint), words(next(kinds))) for _ in range(peers)]
    while target.is_on:
        is_busy = False
        for index, talker in enumerate(talkers):
            is_busy |= talker.go_on()
            # A peer that does not read notices a disconnect only when a send fails.
            if ((reads or not block) and not talker.peer.look()) or talker.peer.is_ended:
                talker.peer.close()
                talkers[index] = Talker(Peer(target.endpoint), words(next(kinds)))
        if not is_busy:
            time.sleep(_PAUSE)


def meet(target: Target, openings: list[bytes]) -> list[Talker]:
    """Opens a connection for each opening, and prepares to send the opening there."""
    return [Talker(Peer(target.endpoint), iter([opening])) for opening in openings]


def hold(target: Target, talkers: list[Talker], drip: bytes = b"") -> None:
    """Continues to send, and sends `drip` once a second, until all peers are disconnected."""
    next_drop = time.monotonic() + 1
    while talkers and target.is_on:
        for talker in talkers:
            talker.go_on()
        if drip and time.monotonic() >= next_drop:
            next_drop += 1
            for talker in talkers:
                talker.peer.send(drip)
        for talker in [each for each in talkers if not each.peer.look()]:
            talker.peer.close()
            talkers.remove(talker)
        time.sleep(0.02)


# Attacks


def endless_multipart(target: Target) -> None:
    """Endlessly sends frames that have the flag MORE."""
    shout(target, [HANDSHAKE], (b"\1\xff" + bytes(255)) * 200)


def endless_frame(target: Target) -> None:
    """Sends a frame of one terabyte, and a frame of 2^63 bytes."""
    sizes = [(1 << 40).to_bytes(8, "big"), (1 << 63).to_bytes(8, "big")]
    shout(target, [HANDSHAKE + b"\2" + size for size in sizes], bytes(65_536))


def unfinished_frames(target: Target) -> None:
    """Sends large but legal frames, 32 MB in total without pauses, each without its last byte."""
    talkers = meet(target, [HANDSHAKE] * SOME)
    waiting = list(talkers)
    while waiting and target.is_on:
        for talker in waiting:
            talker.go_on()
        waiting = [talker for talker in waiting if not talker.peer.read()]
    for talker in talkers:
        talker.say(UNFINISHED)
    hold(target, talkers)


def byte_a_second(target: Target) -> None:
    """Each peer sends one byte per second: half of the peers a greeting, the others a message."""
    hold(target, meet(target, [GREETING[:1], HANDSHAKE + b"\0\xff"] * (SOME // 2)), b"\0")


def silence(target: Target) -> None:
    """Connects and sends nothing, until all peers have connected."""
    waiting = [Peer(target.endpoint) for _ in range(-(-MANY // target.shares))]
    least = time.monotonic() + 5
    while target.is_on and (time.monotonic() < least or not all(map(Peer.connect, waiting))):
        for peer in waiting:
            peer.look()
        time.sleep(0.02)


def half_handshakes(target: Target) -> None:
    """Sends a greeting, half of a greeting, or a greeting and a part of READY."""
    hold(target, meet(target, [GREETING, GREETING[:40], GREETING + READY[:10]] * (SOME // 3)))


def empty_frames(target: Target) -> None:
    """Sends empty frames, and does not read any answers that reject them."""
    shout(target, [HANDSHAKE], EMPTY * 4_096, peers=4 * FEW)


def unread_echoes(target: Target) -> None:
    """Sends frames that media answers with frames of equal size, and reads no answers."""
    frame = bytes([0, len(target.secret)]) + target.secret
    shout(target, [HANDSHAKE], frame * 500, peers=1)


def wrong_greeting(target: Target) -> None:
    """Sends other protocols, older versions of ZMTP, and noise."""
    openings = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + os.urandom(500),
        b"\xff\0\0\0\0\0\0\0\x01\x7f\x01\x05\0\0",  # ZMTP 2.0
        b"\x01\0\x02\0ring",  # ZMTP 1.0
        os.urandom(64) + READY,
        HANDSHAKE.replace(b"NULL", b"NONE"),
        HANDSHAKE.replace(b"DEALER", b"XSXSXS"),
        GREETING + b"\0\0",
    ]
    shout(target, openings)


def curve(target: Target) -> None:
    """Sends CURVE to a NULL endpoint: repeated HELLOs, and a HELLO after a NULL greeting."""
    shout(target, [CURVE_GREETING + HELLO, GREETING + HELLO, CURVE_GREETING + HELLO * 3])


def pings(target: Target) -> None:
    """Sends PINGs endlessly, as fast as the peer accepts them, and reads the answers."""
    shout(target, [HANDSHAKE], PING * 1_000, reads=True)


def steady_pings(target: Target) -> None:
    """Sends several hundred PINGs per second on each connection, a few at a time."""
    talkers = meet(target, [HANDSHAKE] * FEW)
    while talkers and target.is_on:
        for talker in list(talkers):
            if not talker.go_on():
                talker.peer.send(PING * 10)
            if not talker.peer.look():
                talkers.remove(talker)
        time.sleep(0.02)


def crowd(target: Target) -> None:
    """Completes handshakes, then sends nothing and stays connected."""
    talkers = meet(target, [HANDSHAKE] * CROWD)
    while target.is_on and not all(talker.peer.connect() for talker in talkers):
        time.sleep(_PAUSE)
    print("All are there.", flush=True)
    hold(target, talkers)


ATTACKS: dict[str, Callable[[Target], None]] = {
    attack.__name__: attack
    for attack in (
        endless_multipart,
        endless_frame,
        unfinished_frames,
        byte_a_second,
        silence,
        half_handshakes,
        empty_frames,
        unread_echoes,
        wrong_greeting,
        curve,
        pings,
        steady_pings,
        crowd,
    )
}


def main(name: str, endpoint: str, seconds: str, shares: str = "1", secret: str = "") -> None:
    # A real attacker has a machine of its own, so this attacker leaves the processor to its
    # targets.
    os.nice(10)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    end = time.monotonic() + float(seconds)
    ATTACKS[name](Target(endpoint, end, int(shares), bytes.fromhex(secret)))
    print(Peer.opened)


if __name__ == "__main__":
    main(*sys.argv[1:])

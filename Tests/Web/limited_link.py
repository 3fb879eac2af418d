"""A simulated link between browsers and media, with a rate, a delay and a queue."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from Web.udp_relay import Address, Loss, UDPRelay

SAMPLE_SECONDS = 0.1
"""The length of a sample of a link."""

BITS = 8


@dataclass(frozen=True)
class LinkProfile:
    """The properties of a link during a trial: an entry of Benchmarks/adaptive.json."""

    name: str
    subject: str
    seconds: float
    rates: Sequence[tuple[float, float]]
    """The times of the changes, in seconds, and the rates from these times on, in kbit/s; 0 for no
    limit."""
    delay: float
    """The delay of each datagram, in seconds."""
    queue: float
    """The maximum length of the queue, as the time to send the queue at the current rate, in
    seconds."""
    seeds: Sequence[int]
    jitter: float = 0.0
    """The largest additional delay, as a share of the delay."""
    other_kbps: float = 0.0
    """The rate in the other direction, in kbit/s; 0 for no limit."""
    is_ramp: bool = False
    """Whether the rate changes evenly between the changes."""
    wander: tuple[float, float] | None = None
    """The limits of a factor of the rate. The factor changes five times per second."""

    @staticmethod
    def of(entry: dict[str, Any]) -> LinkProfile:
        return LinkProfile(
            name=entry["name"],
            subject=entry["subject"],
            seconds=entry["seconds"],
            rates=[(each["at"], each["kbps"]) for each in entry["rates"]],
            delay=entry["delayMs"] / 1_000,
            queue=entry["queueMs"] / 1_000,
            seeds=entry["seeds"],
            jitter=entry.get("jitterPercent", 0) / 100,
            other_kbps=entry.get("otherKbps", 0),
            is_ramp=entry.get("isRamp", False),
            wander=tuple(entry["wander"]) if "wander" in entry else None,
        )

    @property
    def changes_continuously(self) -> bool:
        return self.is_ramp or self.wander is not None

    def kbps(self, at: float, factors: Sequence[float] = ()) -> float:
        """Returns the rate at a time, in kbit/s; 0 for no limit."""
        began = [index for index, (time, _) in enumerate(self.rates) if time <= at]
        if not began:
            return 0.0
        (start, kbps), following = self.rates[began[-1]], self.rates[began[-1] + 1 :]
        if self.is_ramp and following:
            end, to = following[0]
            kbps += (to - kbps) * (at - start) / (end - start)
        return kbps * (factors[min(int(at * 5), len(factors) - 1)] if factors else 1.0)

    def draw_factors(self, seed: int) -> list[float]:
        """Draws the factors of the rate; an empty list for a rate that does not wander."""
        if self.wander is None:
            return []
        numbers, factor, factors = random.Random(seed), 1.0, []
        for _ in range(int(self.seconds * 5) + 1):
            factor = min(max(factor * numbers.uniform(0.8, 1.25), self.wander[0]), self.wander[1])
            factors.append(factor)
        return factors


@dataclass
class LinkSample:
    """The measurements of a link during 100 ms."""

    at: float
    """The end of the sample, in seconds since the start of the profile."""
    kbps: float
    """The rate at the end of the sample, in kbit/s; 0 for no limit."""
    waits: list[float] = field(default_factory=list)
    """How long each datagram waited until the link had sent it, in seconds."""
    carried: int = 0
    """The bytes of the sent datagrams."""
    dropped: int = 0
    """The bytes of the datagrams for which the queue had no room."""


class Link:
    """One direction of a link. The datagrams of all clients share the link."""

    def __init__(self) -> None:
        self.kbps = 0.0
        """The rate, in kbit/s; 0 for no limit."""
        self.delay = 0.0
        self.jitter = 0.0
        """The largest additional delay, in seconds."""
        self.longest_wait = 1.0
        self.random = random.Random(0)
        self.current = LinkSample(0.0, 0.0)
        self._waiting: deque[tuple[float, bytes, Callable[[], None]]] = deque()
        self._waiting_bytes = 0
        self._is_sending = False
        self._flying: deque[tuple[float, Callable[[], None]]] = deque()
        """The arrival times of the sent datagrams, in order, each with the call that delivers the
        datagram."""

    @property
    def waiting_since(self) -> list[float]:
        """How long the oldest datagram has waited, in seconds; empty for an empty queue."""
        now = asyncio.get_running_loop().time()
        return [now - arrived for arrived, _, _ in list(self._waiting)[:1]]

    def take(self, datagram: bytes, deliver: Callable[[], None]) -> None:
        """Delivers a datagram later, or drops it if the queue is full."""
        room = self.kbps * 1_000 / BITS * self.longest_wait
        if self.kbps > 0 and self._waiting_bytes + len(datagram) > max(room, 2_000):
            self.current.dropped += len(datagram)
            return
        self._waiting.append((asyncio.get_running_loop().time(), datagram, deliver))
        self._waiting_bytes += len(datagram)
        if not self._is_sending:
            self._send(asyncio.get_running_loop().time())

    def _send(self, start: float) -> None:
        """Sends the oldest datagram, from this time on."""
        self._is_sending = bool(self._waiting)
        if not self._waiting:
            return
        size = len(self._waiting[0][1])
        end = start + (size * BITS / (self.kbps * 1_000) if self.kbps > 0 else 0.0)
        loop = asyncio.get_running_loop()
        if end > loop.time():
            loop.call_at(end, self._finish, end)
        else:
            self._finish(end)

    def _finish(self, end: float) -> None:
        """Delivers the oldest datagram, which the link has sent at this time."""
        arrived, datagram, deliver = self._waiting.popleft()
        self._waiting_bytes -= len(datagram)
        self.current.carried += len(datagram)
        self.current.waits.append(end - arrived)
        arrival = end + self.delay + self.random.random() * self.jitter
        if self._flying:
            arrival = max(arrival, self._flying[-1][0])
        self._flying.append((arrival, deliver))
        if len(self._flying) == 1:
            self._deliver()
        self._send(end)

    def _deliver(self) -> None:
        """Delivers the datagrams that have arrived. A link keeps the order of datagrams."""
        loop = asyncio.get_running_loop()
        while self._flying and self._flying[0][0] <= loop.time():
            self._flying.popleft()[1]()
        if self._flying:
            loop.call_at(self._flying[0][0], self._deliver)


class LimitedRelay(UDPRelay):
    """A relay whose clients share one link in each direction. A link drops a datagram only if its
    queue has no room for the datagram."""

    def __init__(self) -> None:
        super().__init__(Loss(0, 0.0), Loss(0, 0.0))
        self.links = {"up": Link(), "down": Link()}
        self._is_closed = False

    def close(self) -> None:
        """Closes the relay. Datagrams that have not arrived are lost."""
        self._is_closed = True
        super().close()

    def _go_up(self, datagram: bytes, client: Address) -> None:
        self.links["up"].take(datagram, lambda: self._arrive_up(datagram, client))

    def _go_down(self, datagram: bytes, client: Address) -> None:
        self.links["down"].take(datagram, lambda: self._arrive_down(datagram, client))

    def _arrive_up(self, datagram: bytes, client: Address) -> None:
        if not self._is_closed:
            super()._go_up(datagram, client)

    def _arrive_down(self, datagram: bytes, client: Address) -> None:
        if not self._is_closed:
            super()._go_down(datagram, client)

    async def follow(self, profile: LinkProfile, direction: str, seed: int) -> list[LinkSample]:
        """Makes the link follow a profile until the end of the profile.

        Returns the samples of this direction.
        """
        link = self.links[direction]
        other = self.links["down" if direction == "up" else "up"]
        for each in (link, other):
            each.delay, each.longest_wait = profile.delay, profile.queue
        other.kbps = profile.other_kbps
        link.jitter, link.random = profile.delay * profile.jitter, random.Random(seed)
        factors = profile.draw_factors(seed)
        loop = asyncio.get_running_loop()
        start, samples = loop.time(), list[LinkSample]()
        link.current = LinkSample(0.0, 0.0)
        while (now := loop.time() - start) < profile.seconds:
            link.kbps = profile.kbps(now, factors)
            if now >= SAMPLE_SECONDS * (len(samples) + 1):
                link.current.at, link.current.kbps = now, link.kbps
                link.current.waits += link.waiting_since
                samples.append(link.current)
                link.current = LinkSample(0.0, 0.0)
            await asyncio.sleep(0.02)
        link.kbps = other.kbps = 0.0
        return samples

"""The measurements of a trial in which the link of a browser changes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from Web.limited_link import LinkProfile, LinkSample

ADAPTATION = 3.0
"""The time after a change of the rate during which gaps do not count, in seconds."""
SETTLING = 5.0
"""The time after a change of the rate during which the goodput does not count, in seconds."""
SHORT_WAIT = 0.25
"""The longest wait of a packet before the link, in seconds, on a link to which senders have
adapted."""
FRAMES_PER_SECOND = 15.0
LEAST_FRAMES = 10
"""The minimum number of frames of the pinned camera in a second on a link to which senders have
adapted."""


@dataclass(frozen=True)
class Sound:
    """A piece of received sound."""

    at: float
    seconds: float
    is_tone: bool


@dataclass
class Trace:
    """The recordings of a trial. Times are in seconds since the start of the profile."""

    profile: LinkProfile
    wanted_kbps: float
    """The rate that the clients of the link use if the link has no limit."""
    top_width: int
    """The width of the largest layer of the pinned camera."""
    link: Sequence[LinkSample]
    frames: Sequence[tuple[float, int]]
    """The time and the width of each shown frame of the pinned camera."""
    minor_frames: Sequence[Sequence[float]] = ()
    """The times of the shown frames of each other camera."""
    sounds: Sequence[Sound] = ()
    goodput: Sequence[tuple[float, float]] = ()
    """For each second, the time and the rate of the video and sound that passed the link, in
    kbit/s, without retransmissions and padding."""
    pauses: Sequence[tuple[float, float]] = field(default_factory=list)
    """When the pinned camera was paused."""

    @property
    def falls(self) -> list[float]:
        """When the rate fell below the wanted rate."""
        rates = self.profile.rates
        before = [0.0, *(kbps for _, kbps in rates)]
        return [
            at
            for (at, kbps), former in zip(rates, before, strict=False)
            if 0 < kbps < self.wanted_kbps and (former == 0 or former > kbps)
        ]

    @property
    def adapt_seconds(self) -> float:
        """The longest time from a fall of the rate to the first second in which packets wait at
        most `SHORT_WAIT` and the pinned camera moves. 0 for a rate that changes continuously."""
        if self.profile.changes_continuously:
            return 0.0
        return max((self._adapts(fall) for fall in self.falls), default=0.0)

    def _adapts(self, fall: float) -> float:
        later = [at for at, _ in self.profile.rates if at > fall]
        end = later[0] if later else self.profile.seconds
        for step in range(int((end - fall) * 10)):
            start = fall + step / 10
            window = [each for each in self.link if start < each.at <= start + 1]
            frames = sum(start < at <= start + 1 for at, _ in self.frames)
            waits = [wait for each in window for wait in each.waits]
            if max(waits, default=0.0) <= SHORT_WAIT and frames >= LEAST_FRAMES:
                return step / 10
        return end - fall

    @property
    def recover_seconds(self) -> float | None:
        """The time from the end of the limit until the page shows all cameras, with the pinned
        camera in full size; `None` if the limit lasts until the end of the profile."""
        rates = self.profile.rates
        if len(rates) < 2 or rates[-1][1] != 0:
            return None
        last = rates[-1][0]
        times = [[at for at, width in self.frames if width >= self.top_width], *self.minor_frames]
        firsts = [next((at for at in each if at > last), self.profile.seconds) for each in times]
        return max(firsts) - last

    def _is_settled(self, at: float, after: float = ADAPTATION) -> bool:
        return not any(change <= at < change + after for change, _ in self.profile.rates)

    def _is_paused(self, start: float, end: float) -> bool:
        return any(begin <= end and start <= until for begin, until in self.pauses)

    @property
    def longest_gap(self) -> float:
        """The longest time between two frames of the pinned camera, in seconds."""
        times = [0.0, *(at for at, _ in self.frames), self.profile.seconds]
        gaps = (
            after - before
            for before, after in itertools.pairwise(times)
            if self._is_settled(before)
            and self._is_settled(after)
            and not self._is_paused(before, after)
        )
        return max(gaps, default=self.profile.seconds)

    @property
    def audio_gap(self) -> float:
        """The longest time without the tone, in milliseconds."""
        longest = quiet = 0.0
        for sound in self.sounds:
            is_quiet = self._is_settled(sound.at) and not sound.is_tone
            quiet = quiet + sound.seconds if is_quiet else 0.0
            longest = max(longest, quiet)
        return longest * 1_000

    @property
    def used_share(self) -> float | None:
        """The share of the rate that video and sound used while the rate was below the wanted rate;
        `None` if the rate was never below the wanted rate."""
        used = possible = 0.0
        for at, kbps in self.goodput:
            rate = next((each.kbps for each in reversed(self.link) if each.at <= at), 0.0)
            if at > SETTLING and self._is_settled(at, SETTLING) and 0 < rate < self.wanted_kbps:
                used, possible = used + kbps, possible + rate
        return used / possible if possible > 0 else None

    @property
    def queue_ms(self) -> float:
        """The 95th percentile of the time that packets waited, in milliseconds."""
        waits = sorted(wait for each in self.link for wait in each.waits)
        return waits[min(len(waits) - 1, len(waits) * 95 // 100)] * 1_000 if waits else 0.0


@dataclass(frozen=True)
class Bar:
    """A measurement of a trial, and the limit for the median of the trials."""

    name: str
    unit: str
    limit: float
    is_most: bool
    value: Callable[[Trace], float | None]

    @property
    def text(self) -> str:
        return f"{'at most' if self.is_most else 'at least'} {self.limit:g}"

    def is_met(self, value: float) -> bool:
        return value <= self.limit if self.is_most else value >= self.limit


BARS = [
    Bar("adapt", "s", 3.0, True, lambda trace: trace.adapt_seconds),
    Bar("recover", "s", 5.0, True, lambda trace: trace.recover_seconds),
    Bar("gap", "s", 1.0, True, lambda trace: trace.longest_gap),
    Bar("audio_gap", "ms", 100.0, True, lambda trace: trace.audio_gap),
    Bar("goodput", "of 1", 0.8, False, lambda trace: trace.used_share),
    Bar("queue.p95", "ms", 250.0, True, lambda trace: trace.queue_ms),
]


def measured(traces: Sequence[Trace]) -> Iterator[tuple[Bar, list[float]]]:
    """Returns each bar that applies to these trials, with the value of each trial."""
    for bar in BARS:
        values = [value for trace in traces if (value := bar.value(trace)) is not None]
        if values:
            yield bar, values

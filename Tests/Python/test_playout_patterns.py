"""The delay and the concealment of received sound under seeded patterns of packet delays.

The patterns and the limits equal those of the jitter buffer in Swift (Tests/RTPTests,
PlayoutDelayEstimatorTests): after two seconds of speech, at most 3 in 100 frames are concealed, and
no packet is delayed more than 20 ms beyond the pattern's 99th percentile.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from carillon.media.audio.opus import FRAME_SAMPLES, FRAME_SECONDS, OpusEncoder, Samples, silence
from carillon.media.audio.playout import AudioPlayout
from carillon.media.rtp.packet import RtpPacket

Delays = list[float]
Pattern = Callable[[random.Random, int], Delays]

COUNT = 800
SETTLED = 100
"""The number of packets after which the limits apply: 2 s of speech."""
PAYLOAD = OpusEncoder().encode(silence(1))


def periodic(period: int, late: float) -> Pattern:
    """One packet in each period is late, and the next packets overtake it."""

    def delays(generator: random.Random, count: int) -> Delays:
        phase = generator.randrange(period)
        return [late if index % period == phase else 0 for index in range(count)]

    return delays


def scans(length: float, period: float = 0.5) -> Pattern:
    """The link stops twice a second, and the packets that waited arrive together."""

    def delays(generator: random.Random, count: int) -> Delays:
        phase = generator.uniform(0, period)
        return [
            max(0, length - (index * FRAME_SECONDS + phase) % period) + generator.uniform(0, 0.002)
            for index in range(count)
        ]

    return delays


def bursts(late: float) -> Pattern:
    """At random times, 3 to 8 packets in a row are late, and the next 20 to 60 are not."""

    def delays(generator: random.Random, count: int) -> Delays:
        made: Delays = []
        while len(made) < count:
            made += [0] * generator.randint(20, 60) + [late] * generator.randint(3, 8)
        return [delay + generator.uniform(0, 0.003) for delay in made[:count]]

    return delays


def bimodal(share: float, late: float) -> Pattern:
    """Each packet takes one of two paths at random."""

    def delays(generator: random.Random, count: int) -> Delays:
        return [
            (late if generator.random() < share else 0) + generator.uniform(0, 0.005)
            for _ in range(count)
        ]

    return delays


PATTERNS = {
    "each 10th packet 40 ms late": periodic(10, 0.04),
    "each 3rd packet 40 ms late": periodic(3, 0.04),
    "each 25th packet 60 ms late": periodic(25, 0.06),
    "each 5th packet 100 ms late": periodic(5, 0.1),
    "each 4th packet 20 ms late": periodic(4, 0.02),
    "each 50th packet 80 ms late": periodic(50, 0.08),
    "a scan of 60 ms": scans(0.06),
    "a scan of 110 ms": scans(0.11),
    "a scan of 200 ms": scans(0.2),
    "bursts 50 ms late": bursts(0.05),
    "bursts 120 ms late": bursts(0.12),
    "bursts 190 ms late": bursts(0.19),
    "30 % of packets 50 ms late": bimodal(0.3, 0.05),
    "5 % of packets 90 ms late": bimodal(0.05, 0.09),
    "half of the packets 150 ms late": bimodal(0.5, 0.15),
}


def speech(generator: random.Random, count: int) -> list[int]:
    """Returns the send times, in units of a packet's length: phrases of 0.5-2 s with pauses of
    0.3-1.5 s."""
    times: list[int] = []
    time = 0
    while time < count:
        length = generator.randint(25, 100)
        times += range(time, min(time + length, count))
        time += length + generator.randint(15, 75)
    return times


class Listener(AudioPlayout):
    """A playout that measures the time from the recording of each packet to its playback."""

    def __init__(self) -> None:
        super().__init__()
        self.ticks = 0
        self.delays: list[float] = []
        self._arrivals: list[tuple[float, int, int]] = []

    def send(self, times: list[int], delays: Delays) -> None:
        """Sends packets at the given times, in units of a packet's length."""
        self._arrivals = sorted(
            (time * FRAME_SECONDS + delays[time], number, time) for number, time in enumerate(times)
        )
        self._arrivals.reverse()

    def run(self, ticks: int) -> None:
        """Pulls a frame every 20 ms, 3 ms after a packet without delay arrives."""
        for _ in range(ticks):
            now = self.ticks * FRAME_SECONDS + 0.003
            while self._arrivals and self._arrivals[-1][0] <= now:
                arrival, number, time = self._arrivals.pop()
                packet = RtpPacket(
                    payload_type=111,
                    sequence=number,
                    timestamp=time * FRAME_SAMPLES,
                    ssrc=1,
                    payload=PAYLOAD,
                )
                self.put(packet, arrival)
            self.pull(now)
            self.ticks += 1

    def _play(self, number: int) -> Samples:
        recorded = self._held[number].timestamp / FRAME_SAMPLES
        self.delays.append((self.ticks - recorded) * FRAME_SECONDS + 0.003)
        return super()._play(number)


def expect_steady(listener: Listener, delays: Delays, first: int, times: list[int]) -> None:
    """Runs the listener from the frame `first` to the end of the pattern, and checks both limits.

    The pattern begins at frame 0.
    """
    concealed, played = listener.counters.concealed, len(listener.delays)
    listener.run(times[-1] + 1 - first)
    concealed = listener.counters.concealed - concealed
    assert concealed * 100 <= sum(time >= first for time in times) * 3
    percentile = sorted(delays)[-1 - len(delays) // 100]
    assert max(listener.delays[played:]) <= percentile + FRAME_SECONDS + 1e-9


@pytest.mark.parametrize("pauses", [False, True])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", PATTERNS)
def test_playout_conceals_little_and_waits_no_longer_than_needed(
    name: str, seed: int, pauses: bool
) -> None:
    generator, listener = random.Random(seed), Listener()
    delays = PATTERNS[name](generator, COUNT)
    times = speech(generator, COUNT) if pauses else list(range(COUNT))
    listener.send(times, delays)
    listener.run(times[SETTLED])
    expect_steady(listener, delays, times[SETTLED], times)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", PATTERNS)
def test_the_wait_adapts_to_new_jitter_during_speech(name: str, seed: int) -> None:
    listener, quiet = Listener(), 500
    delays = PATTERNS[name](random.Random(seed), COUNT)
    times = list(range(quiet + COUNT))
    listener.send(times, [0.0] * quiet + delays)
    listener.run(quiet + SETTLED)
    expect_steady(listener, delays, quiet + SETTLED, times)


def test_the_wait_shrinks_during_speech_when_the_jitter_ends() -> None:
    listener = Listener()
    times = list(range(1_600))
    listener.send(times, PATTERNS["each 5th packet 100 ms late"](random.Random(1), 800) + [0] * 800)
    listener.run(800)
    assert 0.1 <= listener.delays[-1] <= 0.12
    listener.run(800)
    assert listener.delays[-1] <= 0.024


@pytest.mark.parametrize("drift", [-0.36, -0.03, 0.03, 0.36])
def test_no_speech_is_lost_after_a_pause_in_which_the_clocks_drifted_apart(drift: float) -> None:
    generator, listener = random.Random(1), Listener()
    times = [*range(500), *range(3_500, 4_500)]  # The pause lasts a minute.
    delays = [generator.uniform(0, 0.05) + (drift if time >= 3_500 else 0) for time in range(4_500)]
    listener.send(times, delays)
    listener.run(3_500)
    before = listener.counters.concealed
    listener.run(1_020)
    assert listener.counters.concealed - before <= 5
    # The buffer skips packets that wait much longer than necessary.
    assert listener.counters.played >= 1_495
    assert listener.delays[-1] <= drift + 0.07

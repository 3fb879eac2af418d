"""The delay and the concealment of received sound under seeded patterns of packet delays.

After two seconds, at most 3 in 100 frames are concealed. The buffer plays each packet at most 20 ms
after the longer of two delays: the pattern's 99th percentile, and the minimum delay.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from carillon.media.audio.opus import FRAME_SAMPLES, FRAME_SECONDS, OpusEncoder, Samples, silence
from carillon.media.audio.playout import DELAY_SECONDS, AudioPlayout
from carillon.media.rtp.packet import RtpPacket

Delays = list[float]
Pattern = Callable[[random.Random], Delays]

COUNT = 800
SETTLED = 100
"""The number of frames after which the limits apply: 2 s."""


def periodic(generator: random.Random, period: int = 5, late: float = 0.1) -> Delays:
    """Returns delays: each fifth packet is late, and the next packets overtake it."""
    phase = generator.randrange(period)
    return [late if index % period == phase else 0 for index in range(COUNT)]


def scans(generator: random.Random, period: float = 0.5, length: float = 0.11) -> Delays:
    """Returns delays: the link stops twice a second, and the packets that waited arrive
    together."""
    phase = generator.uniform(0, period)
    return [
        max(0, length - (index * FRAME_SECONDS + phase) % period) + generator.uniform(0, 0.002)
        for index in range(COUNT)
    ]


def bursts(generator: random.Random, late: float = 0.12) -> Delays:
    """Returns delays: 3 to 8 packets in a row are late, and the next 20 to 60 are not."""
    delays: Delays = []
    while len(delays) < COUNT:
        delays += [0] * generator.randint(20, 60) + [late] * generator.randint(3, 8)
    return [delay + generator.uniform(0, 0.003) for delay in delays[:COUNT]]


def bimodal(generator: random.Random, share: float = 0.3, late: float = 0.09) -> Delays:
    """Returns delays: each packet takes one of two paths at random."""
    return [
        (late if generator.random() < share else 0) + generator.uniform(0, 0.005)
        for _ in range(COUNT)
    ]


def speech(generator: random.Random, pauses: bool) -> list[int]:
    """Returns the send times, in units of a packet's length: continuous, or phrases of 0.5-2 s with
    pauses of 0.3-1.5 s."""
    if not pauses:
        return list(range(COUNT))
    times: list[int] = []
    time = 0
    while time < COUNT:
        length = generator.randint(25, 100)
        times += range(time, min(time + length, COUNT))
        time += length + generator.randint(15, 75)
    return times


class Listener(AudioPlayout):
    """A playout that measures the time from the recording of each packet to its playback."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.delays: list[float] = []

    def _play(self, timestamp: int) -> Samples:
        self.delays.append(self.now - timestamp / FRAME_SAMPLES * FRAME_SECONDS)
        return super()._play(timestamp)


@pytest.mark.parametrize("pauses", [False, True])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("pattern", [periodic, scans, bursts, bimodal])
def test_playout_conceals_little_and_waits_no_longer_than_needed(
    pattern: Pattern, seed: int, pauses: bool
) -> None:
    generator = random.Random(seed)
    delays = pattern(generator)
    percentile = sorted(delays)[-1 - COUNT // 100]
    times = speech(generator, pauses)
    playout, payload = Listener(), OpusEncoder().encode(silence(1))
    arrivals = sorted(
        (time * FRAME_SECONDS + delays[time], number, time) for number, time in enumerate(times)
    )
    lost, played = 0, 0
    for tick in range(COUNT):
        playout.now = tick * FRAME_SECONDS + 0.003
        while arrivals and arrivals[0][0] <= playout.now:
            arrival, number, time = arrivals.pop(0)
            packet = RtpPacket(
                payload_type=111,
                sequence=number,
                timestamp=time * FRAME_SAMPLES,
                ssrc=1,
                payload=payload,
            )
            playout.put(packet, arrival)
        playout.pull(playout.now)
        if tick == SETTLED:
            lost, played = concealed(playout, pauses), len(playout.delays)
    lost = concealed(playout, pauses) - lost
    assert lost * 100 <= sum(time >= SETTLED for time in times) * 3
    longest = max(playout.delays[played:])
    assert longest <= max(percentile, DELAY_SECONDS) + FRAME_SECONDS


def concealed(playout: AudioPlayout, pauses: bool) -> int:
    """Returns the number of concealed frames. With pauses, the buffer starves at the end of each
    phrase. So the frames that the buffer concealed because no packet was waiting do not count."""
    return playout.counters.concealed + (0 if pauses else playout.counters.starved)

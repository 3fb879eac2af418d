"""Steady sound from packets that come as they like."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from carillon.media.audio.delay import Lateness, Pace, Step
from carillon.media.audio.opus import FRAME_SAMPLES, SAMPLE_RATE, OpusDecoder, Samples, silence
from carillon.media.errors import MalformedPacketError
from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.sequence import Unwrapper

DELAY_SECONDS = 0.06
"""How long packets wait for those that are late, at least."""
MOST_DELAY_SECONDS = 0.24
"""How long they wait at most, however late others come."""

_DELAY = int(DELAY_SECONDS * SAMPLE_RATE)
_MOST_DELAY = int(MOST_DELAY_SECONDS * SAMPLE_RATE)
_SPARE = int(0.2 * SAMPLE_RATE)
"""This much more than needed waits: a burst came."""
_LONGEST_JUMP = 10 * SAMPLE_RATE
_MOST_STARVED = 5
"""Frames without a packet that are concealed, before it is silence."""
_REMEMBERED = 512
"""Packets of which is remembered that they came."""


@dataclass
class PlayoutCounters:
    """What became of packets, and what was played."""

    played: int = 0
    """Packets."""
    concealed: int = 0
    """Frames made up for packets that were lost, or bad, or so that all that follow wait longer."""
    starved: int = 0
    """Frames made up because nothing had come; also the end of what somebody says."""
    silent: int = 0
    """Frames in which nobody sent anything."""
    late: int = 0
    """Packets that came after their time, or twice."""
    skipped: int = 0
    """Packets left out, or faded into the next one, to catch up."""
    malformed: int = 0


class AudioPlayout:
    """Puts packets in order, waits a little for late ones, decodes, and fills what is missing.

    How long it waits follows how late packets come, in the middle of speech too: 60 to 240 ms.

    A value without a clock: `pull` is called each 20 ms, and times are seconds of any origin.
    """

    def __init__(self, channels: int = 1) -> None:
        self.counters = PlayoutCounters()
        self._decoder = OpusDecoder(channels)
        self._channels = channels
        self._timestamps = Unwrapper(32)
        self._sequences = Unwrapper(16)
        self._held: dict[int, tuple[int, bytes]] = {}
        """Sequence and payload by timestamp."""
        self._head: int | None = None
        """The timestamp that is played next."""
        self._newest = 0
        self._last_sequence: int | None = None
        """The sequence number of the packet played last."""
        self._starved = 0
        self._ready = silence(channels, 0)
        self._lateness = Lateness()
        self._pace = Pace()
        self._arrived: deque[int] = deque(maxlen=_REMEMBERED)
        """The sequence numbers of the last packets."""

    def put(self, packet: RtpPacket, now: float) -> None:
        """A packet arrived."""
        if not packet.payload:
            self.counters.malformed += 1
            return
        timestamp = self._timestamps.unwrap(packet.timestamp)
        sequence = self._sequences.unwrap(packet.sequence)
        if self._head is None or abs(timestamp - self._newest) > _LONGEST_JUMP:
            timestamp, sequence = self._restart(packet)
        elif sequence in self._arrived:
            self.counters.late += 1
            return
        self._arrived.append(sequence)
        self._lateness.take(round(now * SAMPLE_RATE) - timestamp)
        self._hold(timestamp, sequence, packet.payload)

    def _hold(self, timestamp: int, sequence: int, payload: bytes) -> None:
        if self._head is None:
            return
        if self._last_sequence is not None and sequence <= self._last_sequence:
            self.counters.late += 1
            return
        if not self._held and self._starved >= _MOST_STARVED:
            self._head = timestamp - self._wanted
        elif timestamp < self._head:
            if self._held:
                self.counters.late += 1
                return
            self._head = timestamp  # Nothing was there to be played: from now on all waits longer.
            self._pace.stretch()
        if timestamp in self._held:
            self.counters.late += 1
            return
        self._held[timestamp] = (sequence, payload)
        self._newest = max(self._newest, timestamp)
        self._catch_up()

    @property
    def _needed(self) -> int:
        """How long packets must wait, so that few come too late."""
        return min(self._lateness.value, _MOST_DELAY)

    @property
    def _wanted(self) -> int:
        """How long packets wait at first, and are made to wait no less."""
        return max(_DELAY, self._needed)

    def pull(self, now: float) -> Samples:
        """The next 20 ms: 960 rows."""
        while len(self._ready) < FRAME_SAMPLES:
            self._ready = np.concatenate([self._ready, self._next(round(now * SAMPLE_RATE))])
        frame, self._ready = self._ready[:FRAME_SAMPLES], self._ready[FRAME_SAMPLES:]
        return frame

    def _restart(self, packet: RtpPacket) -> tuple[int, int]:
        """What comes has nothing to do with what came before."""
        self._held.clear()
        self._timestamps.restart()
        self._sequences.restart()
        self._arrived.clear()
        self._lateness = Lateness()
        timestamp = self._timestamps.unwrap(packet.timestamp)
        self._head = timestamp - _DELAY
        self._newest = timestamp
        self._last_sequence = None
        return timestamp, self._sequences.unwrap(packet.sequence)

    def _catch_up(self) -> None:
        if self._head is None or self._newest - self._head <= self._wanted + _SPARE:
            return
        self._head = self._newest - self._wanted
        for timestamp in [each for each in self._held if each < self._head]:
            del self._held[timestamp]
            self.counters.skipped += 1

    def _next(self, now: int) -> Samples:
        if self._head is None:
            return self._be_silent()
        if not self._held:
            return self._starve(self._head)
        timestamp = min(self._held)
        if timestamp >= self._head + FRAME_SAMPLES:
            return self._bridge(self._head, self._held[timestamp][0])
        wait = now - timestamp - self._lateness.quickest
        step = self._pace.step(wait, self._needed, self._wanted + FRAME_SAMPLES)
        if step is Step.LATER:
            return self._conceal()
        samples = self._play(timestamp)
        following = timestamp + len(samples)
        if step is Step.SOONER and following in self._held:
            self.counters.skipped += 1
            return _fade(samples, self._play(following))
        return samples

    def _play(self, timestamp: int) -> Samples:
        sequence, payload = self._held.pop(timestamp)
        self._last_sequence = sequence
        self._starved = 0
        try:
            samples = self._decoder.decode(payload)
        except MalformedPacketError:
            self.counters.malformed += 1
            self._head = timestamp + FRAME_SAMPLES
            return self._conceal()
        self.counters.played += 1
        self._head = timestamp + len(samples)
        return samples

    def _starve(self, head: int) -> Samples:
        """Nothing has come: it is late, lost, or was never sent."""
        self._head = head + FRAME_SAMPLES
        if self._last_sequence is None or self._starved >= _MOST_STARVED:
            return self._be_silent()
        self._starved += 1
        self.counters.starved += 1
        return self._decoder.conceal()

    def _bridge(self, head: int, next_sequence: int) -> Samples:
        """Nothing for now, but something for later has come."""
        self._head = head + FRAME_SAMPLES
        if self._last_sequence is None or next_sequence == self._last_sequence + 1:
            return self._be_silent()
        return self._conceal()

    def _conceal(self) -> Samples:
        self.counters.concealed += 1
        return self._decoder.conceal()

    def _be_silent(self) -> Samples:
        self.counters.silent += 1
        return silence(self._channels)


def _fade(first: Samples, second: Samples) -> Samples:
    """The first into the second, in the time of the shorter one."""
    count = min(len(first), len(second))
    weight = np.linspace(0, 1, count, endpoint=False).reshape(-1, 1)
    return (first[:count] * (1 - weight) + second[:count] * weight).astype(np.int16)

"""The jitter buffer: steady audio from packets that arrive irregularly."""

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
"""The minimum playout delay, in seconds."""
MOST_DELAY_SECONDS = 0.24
"""The maximum playout delay, in seconds."""

_DELAY = int(DELAY_SECONDS * SAMPLE_RATE)
_MOST_DELAY = int(MOST_DELAY_SECONDS * SAMPLE_RATE)
_SPARE = int(0.2 * SAMPLE_RATE)
"""The excess of waiting audio above which the buffer skips packets, in samples. A burst of packets
causes such an excess."""
_LONGEST_JUMP = 10 * SAMPLE_RATE
_MOST_STARVED = 5
"""The maximum number of frames that the buffer conceals while no packet waits. After that, it plays
silence."""
_REMEMBERED = 512
"""The number of sequence numbers that the buffer keeps to detect duplicates."""


@dataclass
class PlayoutCounters:
    """Counters of packets and of played frames."""

    played: int = 0
    """The number of packets that the buffer played."""
    concealed: int = 0
    """The number of frames that replaced lost or malformed packets, or that increased the delay."""
    starved: int = 0
    """The number of frames that the buffer concealed because no packet was waiting, including those
    at the end of speech."""
    silent: int = 0
    """The number of frames of silence that the buffer played."""
    late: int = 0
    """The number of packets that the buffer dropped because they were late or duplicates."""
    skipped: int = 0
    """The number of packets that the buffer dropped, or faded into the next packet, to reduce the
    delay."""
    malformed: int = 0


class AudioPlayout:
    """Orders packets, waits for late ones, decodes them, and conceals missing ones.

    The delay is 60 to 240 ms. It follows the lateness of the packets, even during speech.

    The jitter buffer uses no clock: call `pull` every 20 ms. Times are in seconds since any fixed
    moment.
    """

    def __init__(self, channels: int = 1) -> None:
        self.counters = PlayoutCounters()
        self._decoder = OpusDecoder(channels)
        self._channels = channels
        self._timestamps = Unwrapper(32)
        self._sequences = Unwrapper(16)
        self._held: dict[int, tuple[int, bytes]] = {}
        """The sequence number and payload of each waiting packet, by timestamp."""
        self._head: int | None = None
        """The timestamp that the buffer plays next."""
        self._newest = 0
        self._last_sequence: int | None = None
        """The sequence number of the packet played last."""
        self._starved = 0
        self._gathers = False
        """Whether the buffer still collects the first packets of speech before it plays them."""
        self._ready = silence(channels, 0)
        self._lateness = Lateness()
        self._pace = Pace()
        self._arrived: deque[int] = deque(maxlen=_REMEMBERED)
        """The sequence numbers of the last packets that arrived."""

    def put(self, packet: RtpPacket, now: float) -> None:
        """Adds a packet that arrived at `now`."""
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
            self._gathers = True
        elif timestamp < self._head and self._gathers:
            self._head = timestamp
        elif timestamp < self._head:
            if self._held:
                self.counters.late += 1
                return
            self._head = timestamp  # The buffer was empty, so the delay must grow.
            self._pace.restart()
        if timestamp in self._held:
            self.counters.late += 1
            return
        self._held[timestamp] = (sequence, payload)
        self._newest = max(self._newest, timestamp)
        self._catch_up()

    @property
    def _needed(self) -> int:
        """The delay with which at most 1 % of the packets are late, up to 240 ms, in samples."""
        return min(self._lateness.value, _MOST_DELAY)

    @property
    def _wanted(self) -> int:
        """The initial delay, which is also the minimum one, in samples."""
        return max(_DELAY, self._needed)

    def pull(self, now: float) -> Samples:
        """Returns the next 20 ms of sound: 960 rows of samples."""
        while len(self._ready) < FRAME_SAMPLES:
            self._ready = np.concatenate([self._ready, self._next(round(now * SAMPLE_RATE))])
        frame, self._ready = self._ready[:FRAME_SAMPLES], self._ready[FRAME_SAMPLES:]
        return frame

    def _restart(self, packet: RtpPacket) -> tuple[int, int]:
        """Restarts with a packet of a new numbering; returns the packet's unwrapped numbers."""
        self._held.clear()
        self._timestamps.restart()
        self._sequences.restart()
        self._arrived.clear()
        self._lateness = Lateness()
        timestamp = self._timestamps.unwrap(packet.timestamp)
        self._head = timestamp - _DELAY
        self._gathers = True
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
        timestamp, quickest = min(self._held), self._lateness.quickest
        if self._gathers:
            # A first packet that arrived late waits only for the rest of the delay.
            if now - timestamp < quickest + self._wanted:
                self._head = min(self._head + FRAME_SAMPLES, timestamp)
                return self._be_silent()
            self._head = timestamp
        if timestamp >= self._head + FRAME_SAMPLES:
            return self._bridge(self._head, self._held[timestamp][0])
        least = quickest + min(self._lateness.tolerated, _MOST_DELAY)
        most = quickest + self._wanted + FRAME_SAMPLES
        step = self._pace.step(now - timestamp, least, most)
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
        self._gathers = False
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
        """Returns a frame when no packet waits: the packet is late or lost, or nobody sent one."""
        self._head = head + FRAME_SAMPLES
        if self._last_sequence is None or self._starved >= _MOST_STARVED:
            return self._be_silent()
        self._starved += 1
        self.counters.starved += 1
        return self._decoder.conceal()

    def _bridge(self, head: int, next_sequence: int) -> Samples:
        """Returns a frame for a gap before the next waiting packet."""
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
    """Fades the first frame into the second, over the length of the shorter one."""
    count = min(len(first), len(second))
    weight = np.linspace(0, 1, count, endpoint=False).reshape(-1, 1)
    return (first[:count] * (1 - weight) + second[:count] * weight).astype(np.int16)

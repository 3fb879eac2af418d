"""The jitter buffer: steady audio from packets that arrive irregularly."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from carillon.media.audio.delay import Lateness, Pace, Step
from carillon.media.audio.opus import FRAME_SAMPLES, SAMPLE_RATE, OpusDecoder, Samples, silence
from carillon.media.errors import MalformedPacketError
from carillon.media.rtp.packet import RtpPacket
from carillon.media.rtp.sequence import Unwrapper

_CAPACITY = 64
"""The maximum distance from the next packet to the newest one."""
_SPARE = int(0.2 * SAMPLE_RATE)
"""The excess of the wait above which the buffer skips packets, in samples. A stall causes such an
excess."""
_MOST_CONCEALED = int(0.1 * SAMPLE_RATE)
"""The maximum uninterrupted concealment, in samples. A longer one sounds worse than silence."""
_MOST_AHEAD = 3_000
"""The maximum distance of a sequence number from the newest one. A number further ahead belongs to
another stream (RFC 3550, A.1)."""
_MOST_BEHIND = 100


@dataclass
class PlayoutCounters:
    """Counters of packets and of played frames."""

    played: int = 0
    """The number of packets that the buffer played."""
    concealed: int = 0
    """The number of frames that replaced lost, late or malformed packets, or that increased the
    delay."""
    starved: int = 0
    """The number of frames that the buffer concealed at the end of speech, although no packet was
    missing."""
    silent: int = 0
    """The number of frames of silence that the buffer played."""
    late: int = 0
    """The number of packets that the buffer dropped: late packets, duplicates, and packets of other
    streams."""
    skipped: int = 0
    """The number of packets that the buffer dropped, or faded into the next packet, to reduce the
    delay."""
    malformed: int = 0


class _Packet(NamedTuple):
    timestamp: int
    payload: bytes


class AudioPlayout:
    """Orders packets, waits for late ones, decodes them, and conceals missing ones.

    The buffer waits until at most 1 % of the packets are late, as measured over the last 5 s of
    sound. Beyond this wait, no packet waits longer than one frame. The wait changes within 2 s,
    even during speech.

    While a sender pauses, its timestamps continue and its sequence numbers do not. So if no packet
    waits, the buffer learns only from the next packet whether a packet was missing.

    The jitter buffer uses no clock: call `pull` every 20 ms. Times are in seconds since any fixed
    moment.
    """

    def __init__(self, channels: int = 1) -> None:
        self.counters = PlayoutCounters()
        self._decoder = OpusDecoder(channels)
        self._channels = channels
        self._ready = silence(channels, 0)
        self._length = FRAME_SAMPLES
        """The length of the last packet, in samples."""
        self.restart()

    def restart(self) -> None:
        """Drops all packets, and expects the packets of a new stream."""
        self._timestamps = Unwrapper(32)
        self._sequences = Unwrapper(16)
        self._newest: int | None = None
        """The highest sequence number so far."""
        self._stray: int | None = None
        """The number after a packet of another stream; `None` if the last packet is of this one."""
        self._held: dict[int, _Packet] = {}
        """The waiting packets, by sequence number."""
        self._arrived: deque[int] = deque(maxlen=_CAPACITY)
        """The sequence numbers of the last packets that arrived."""
        self._lateness = Lateness()
        self._pace = Pace()
        self._has_begun = False
        """Whether the buffer has played or skipped a packet."""
        self._is_playing = False
        self._next = 0
        """The sequence number that the buffer plays next."""
        self._next_timestamp = 0
        self._unexplained = 0
        """The samples concealed while no packet waited, up to the next packet."""
        self._bridged = 0
        """The samples that replaced missing packets or a pause before the waiting packets."""

    def put(self, packet: RtpPacket, now: float) -> None:
        """Adds a packet that arrived at `now`."""
        if not packet.payload:
            self.counters.malformed += 1
        elif not self._belongs(packet.sequence) or not self._add(packet, now):
            self.counters.late += 1

    def pull(self, now: float) -> Samples:
        """Returns the next 20 ms of sound: 960 rows of samples."""
        while len(self._ready) < FRAME_SAMPLES:
            self._ready = np.concatenate([self._ready, self._step(round(now * SAMPLE_RATE))])
        frame, self._ready = self._ready[:FRAME_SAMPLES], self._ready[FRAME_SAMPLES:]
        return frame

    def _belongs(self, sequence: int) -> bool:
        """Returns whether a packet belongs to this stream.

        After two consecutive packets of another stream, the buffer restarts with that stream.
        """
        if self._newest is None:
            return True
        if -_MOST_BEHIND <= self._sequences.peek(sequence) - self._newest <= _MOST_AHEAD:
            self._stray = None
            return True
        if sequence == self._stray:
            self.restart()
            return True
        self._stray = (sequence + 1) & 0xFFFF
        return False

    def _add(self, packet: RtpPacket, now: float) -> bool:
        """Adds a packet of this stream; returns `False` if the packet is late or a duplicate."""
        number = self._sequences.peek(packet.sequence)
        if number in self._arrived:
            return False
        self._arrived.append(number)
        timestamp, arrival = self._timestamps.unwrap(packet.timestamp), round(now * SAMPLE_RATE)
        self._lateness.take(arrival - timestamp, arrival)
        if self._has_begun and number < self._next:
            return False
        if self._newest is not None and number <= self._newest - _CAPACITY:
            return False
        self._newest = self._sequences.unwrap(packet.sequence)
        self._held[number] = _Packet(timestamp, packet.payload)
        if not self._has_begun:
            self._next = min(self._held)
        if number - self._next >= _CAPACITY:
            self._skip(number - _CAPACITY + 1)
        return True

    def _step(self, now: int) -> Samples:
        """Returns the sound up to the end of the next packet, or of its substitute."""
        if not self._is_playing:
            if not self._has_gathered(now):
                return self._be_silent(FRAME_SAMPLES)
            self._begin()
        self._catch_up(now)
        if self._held:
            return self._continue(min(self._held), now)
        if self._unexplained >= _MOST_CONCEALED:
            self._is_playing = False
            return self._be_silent(FRAME_SAMPLES)
        self._unexplained += self._length
        return self._substitute()

    def _has_gathered(self, now: int) -> bool:
        """Returns whether the first packets have waited long enough.

        A first packet that is itself late waits only for the rest of the delay.
        """
        if not self._held:
            return False
        first, last = self._held[min(self._held)], self._held[max(self._held)]
        wait = self._lateness.value
        is_due = now - first.timestamp >= self._lateness.quickest + wait
        return is_due or last.timestamp - first.timestamp >= wait

    def _begin(self) -> None:
        """Begins to play, for the first time or after a pause."""
        first = min(self._held)
        self._settle(first)
        self._skip(first)
        self._is_playing = True
        self._bridged = 0
        self._pace.restart()

    def _catch_up(self, now: int) -> None:
        """Skips packets that have waited far too long, for example after a stall."""
        longest = self._lateness.quickest + self._lateness.value + self._length + _SPARE
        while len(self._held) > 1 and now - self._held[min(self._held)].timestamp > longest:
            first, second = sorted(self._held)[:2]
            self._settle(first)
            self._skip(second)

    def _continue(self, first: int, now: int) -> Samples:
        """Returns the first waiting packet, or a substitute for the missing packets before it."""
        self._settle(first)
        if self._next < first and self._bridged < _MOST_CONCEALED:
            self._next += 1
            self._next_timestamp += self._length
            self._bridged += self._length
            return self._conceal()
        if self._next < first:
            self._skip(first)
        return self._take(first, now)

    def _take(self, number: int, now: int) -> Samples:
        """Returns the sound of the next packet, which has arrived, or of the pause before it."""
        timestamp = self._held[number].timestamp
        pause = timestamp - self._next_timestamp
        # If the pause seems longer, the timestamps of the sender have jumped.
        if pause >= self._length and self._bridged < _MOST_CONCEALED:
            self._next_timestamp += self._length
            self._bridged += self._length
            return self._be_silent(self._length)
        least = self._lateness.quickest + self._lateness.tolerated
        most = self._lateness.quickest + self._lateness.value + self._length
        step = self._pace.step(now - timestamp, least, most)
        if step is Step.LATER:
            return self._conceal()
        samples = self._play(number)
        following = self._held.get(number + 1)
        if step is Step.KEEP or following is None or following.timestamp != self._next_timestamp:
            return samples
        self.counters.skipped += 1
        return _fade(samples, self._play(number + 1))

    def _play(self, number: int) -> Samples:
        timestamp, payload = self._held.pop(number)
        self._has_begun = True
        self._next = number + 1
        self._bridged = 0
        try:
            samples = self._decoder.decode(payload)
        except MalformedPacketError:
            self.counters.malformed += 1
            self._next_timestamp = timestamp + self._length
            return self._conceal()
        self.counters.played += 1
        self._length = len(samples)
        self._next_timestamp = timestamp + self._length
        return samples

    def _settle(self, first: int) -> None:
        """Decides whether losses, late packets or a pause caused the last concealment.

        The next packet has arrived. If no numbers are missing before that packet, the timestamp of
        that packet distinguishes a pause from a late packet.
        """
        if not self._unexplained:
            return
        frames, self._unexplained = self._unexplained // self._length, 0
        missing = min(first - self._next, frames)
        self._next += missing
        self._next_timestamp += missing * self._length
        pause = max(0, self._held[first].timestamp - self._next_timestamp)
        paused = min(frames - missing, -(-pause // self._length))
        late = frames - missing - paused
        if late > 0:
            self._pace.restart()
        self._next_timestamp += min(pause, paused * self._length)
        self.counters.concealed += missing + late
        self.counters.starved += paused

    def _skip(self, number: int) -> None:
        """Drops the waiting packets before a number, and plays on from that number."""
        early = [each for each in self._held if each < number]
        for each in early:
            del self._held[each]
        self.counters.skipped += len(early)
        self._has_begun = True
        if number in self._held:
            self._next_timestamp = self._held[number].timestamp
        else:
            self._next_timestamp += (number - self._next) * self._length
        self._next = number

    def _conceal(self) -> Samples:
        self.counters.concealed += 1
        return self._substitute()

    def _substitute(self) -> Samples:
        """Returns concealed sound of the length of a packet, which may contain several frames."""
        samples = self._decoder.conceal()
        while len(samples) < self._length:
            samples = np.concatenate([samples, self._decoder.conceal()])
        return samples

    def _be_silent(self, length: int) -> Samples:
        self.counters.silent += 1
        return silence(self._channels, length)


def _fade(first: Samples, second: Samples) -> Samples:
    """Fades the first frame into the second, over the length of the shorter one."""
    count = min(len(first), len(second))
    weight = np.linspace(0, 1, count, endpoint=False).reshape(-1, 1)
    return (first[:count] * (1 - weight) + second[:count] * weight).astype(np.int16)

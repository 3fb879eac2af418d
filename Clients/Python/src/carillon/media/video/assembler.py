"""Assembly of video frames from packets that arrive out of order or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field

from carillon.media.errors import MalformedPacketError
from carillon.media.rtp.packet import RtpPacket, quarter_turns
from carillon.media.rtp.sequence import Unwrapper
from carillon.media.video.h264 import read_h264
from carillon.media.video.payload import EncodedFrame, VideoFragment
from carillon.media.video.vp8 import read_vp8

NACK_SECONDS = 0.06
"""The time after which the assembler requests a missing packet again, in seconds."""
PATIENCE_SECONDS = 0.3
"""The time after which the assembler no longer waits for a missing packet, in seconds."""
KEY_FRAME_SECONDS = 0.5
"""The time after which the assembler requests a missing key frame again, in seconds."""

_LONGEST_JUMP = 1_000
"""The largest jump of sequence numbers within one numbering."""
_READERS = {"vp8": read_vp8, "h264": read_h264}


@dataclass
class AssemblyCounters:
    """Counters of packets and frames."""

    frames: int = 0
    """The number of complete frames that the assembler returned, in order."""
    discarded: int = 0
    """The number of dropped packets of incomplete frames, and of frames that depend on these."""
    recovered: int = 0
    """The number of packets that arrived after a request to send them again."""
    given_up: int = 0
    """The number of packets that were missing for too long."""
    late: int = 0
    """The number of packets that arrived too late, or twice."""
    malformed: int = 0
    nacks: int = 0
    """The number of requests to send a packet again."""
    key_frame_requests: int = 0


@dataclass
class _Missing:
    since: float
    asked: float | None = None


@dataclass
class Wishes:
    """The requests that the receiver must send now."""

    sequences: list[int] = field(default_factory=list)
    """The sequence numbers of the packets to send again."""
    key_frame: bool = False

    def __bool__(self) -> bool:
        return bool(self.sequences) or self.key_frame


class VideoAssembler:
    """Orders the packets of one SSRC, requests missing ones, and assembles frames.

    The assembler returns only decodable frames. After a gap that no packet fills, the assembler
    waits for the next key frame. The assembler uses no clock: `now` is in seconds, and the caller
    calls `wishes` regularly while `is_wanting` is true.
    """

    def __init__(self) -> None:
        self.counters = AssemblyCounters()
        self._sequences = Unwrapper(16)
        self._timestamps = Unwrapper(32)
        self._held: dict[int, tuple[str, RtpPacket]] = {}
        self._missing: dict[int, _Missing] = {}
        self._next: int | None = None
        self._highest = 0
        self._strays = 0
        """The number of consecutive packets of another numbering."""
        self._needs_key = True
        self._key_asked: float | None = None
        self._parts: list[bytes] = []
        self._timestamp: int | None = None
        """The timestamp of the frame that is being assembled; `None` if there is none."""
        self._is_key = False
        self._said_turns: int | None = None
        """The quarter turns in the packets of the frame; `None` if the packets contain none."""
        self._turns = 0
        """The quarter turns of the last frame."""

    @property
    def is_wanting(self) -> bool:
        """Whether `wishes` may return requests later."""
        return bool(self._missing) or (self._next is not None and self._needs_key)

    def need_key_frame(self) -> None:
        """Waits for the next key frame. For use after the decoder failed to decode a frame."""
        self._needs_key = True

    def take(self, packet: RtpPacket, encoding: str, now: float) -> list[EncodedFrame]:
        """Adds a packet, and returns the frames that it completes."""
        sequence = self._sequences.unwrap(packet.sequence)
        if self._next is None:
            self._next = self._highest = sequence
        elif abs(sequence - self._next) > _LONGEST_JUMP:
            self._strays += 1
            if self._strays < 3:
                return []
            self.restart()
            self._next = self._highest = sequence = self._sequences.unwrap(packet.sequence)
        self._strays = 0
        if sequence < self._next or sequence in self._held:
            self.counters.late += 1
            return []
        missing = self._missing.pop(sequence, None)
        if missing is not None and missing.asked is not None:
            self.counters.recovered += 1
        for skipped in range(max(self._highest + 1, self._next), sequence):
            self._missing[skipped] = _Missing(now)
        self._highest = max(self._highest, sequence)
        self._held[sequence] = (encoding, packet)
        return self._advance()

    def wishes(self, now: float) -> tuple[Wishes, list[EncodedFrame]]:
        """Returns the current requests, and the frames that no longer wait for a packet."""
        frames = self._give_up(now)
        wishes = Wishes()
        for sequence, missing in self._missing.items():
            if missing.asked is None or now - missing.asked >= NACK_SECONDS:
                missing.asked = now
                wishes.sequences.append(sequence & 0xFFFF)
        is_coming = bool(self._parts) and self._is_key
        is_due = self._key_asked is None or now - self._key_asked >= KEY_FRAME_SECONDS
        if self._needs_key and self._next is not None and not is_coming and is_due:
            self._key_asked = now
            wishes.key_frame = True
            self.counters.key_frame_requests += 1
        self.counters.nacks += len(wishes.sequences)
        return wishes, frames

    def restart(self) -> None:
        """Forgets all sequence numbers so far. For use before packets with another numbering."""
        self._next = None
        self._strays = 0
        self._key_asked = None
        self._held.clear()
        self._missing.clear()
        self._sequences.restart()
        self._timestamps.restart()
        self._lose()

    def _lose(self) -> None:
        """Discards the frame that is being assembled, and waits for a key frame."""
        self.counters.discarded += len(self._parts)
        self._parts = []
        self._timestamp = None
        self._needs_key = True

    def _give_up(self, now: float) -> list[EncodedFrame]:
        old = [s for s, each in self._missing.items() if now - each.since >= PATIENCE_SECONDS]
        if not old:
            return []
        self.counters.given_up += len(old)
        self._skip_to(min((s for s in self._held if s > max(old)), default=max(old) + 1))
        return self._advance()

    def _skip_to(self, sequence: int) -> None:
        self._lose()
        self._next = sequence
        for each in [each for each in self._held if each < sequence]:
            del self._held[each]
            self.counters.discarded += 1
        for each in [each for each in self._missing if each < sequence]:
            del self._missing[each]

    def _advance(self) -> list[EncodedFrame]:
        frames: list[EncodedFrame] = []
        while self._next is not None:
            if (held := self._held.pop(self._next, None)) is None:
                # If the decoder needs a key frame, a key frame that has arrived need not wait for
                # earlier packets.
                if not self._needs_key or (start := self._find_key_frame()) is None:
                    break
                self._skip_to(start)
                continue
            self._next += 1
            frame = self._add(*held)
            if frame is not None:
                frames.append(frame)
        self.counters.frames += len(frames)
        return frames

    def _find_key_frame(self) -> int | None:
        for sequence in sorted(self._held):
            encoding, packet = self._held[sequence]
            try:
                fragment = _READERS[encoding](packet.payload)
            except MalformedPacketError:
                continue
            if fragment.starts_frame and fragment.is_key:
                return sequence
        return None

    def _add(self, encoding: str, packet: RtpPacket) -> EncodedFrame | None:
        if not packet.payload:  # The packet contains only padding, which probes the bandwidth.
            return None
        try:
            fragment = _READERS[encoding](packet.payload)
        except MalformedPacketError:
            self.counters.malformed += 1
            self._lose()
            return None
        timestamp = self._timestamps.unwrap(packet.timestamp)
        if timestamp != self._timestamp and not self._begin(timestamp, fragment):
            self.counters.discarded += 1
            return None
        self._parts.append(fragment.data)
        said = quarter_turns(packet)
        self._said_turns = self._said_turns if said is None else said
        self._is_key = self._is_key or fragment.is_key
        if not packet.is_marked:
            return None
        data, self._parts, self._timestamp = b"".join(self._parts), [], None
        if self._needs_key and not self._is_key:
            self.counters.discarded += 1
            return None
        self._needs_key = False
        self._key_asked = None
        # A key frame without an orientation is upright. Any other frame without an orientation has
        # that of the frame before it.
        if self._said_turns is not None or self._is_key:
            self._turns = self._said_turns or 0
        return EncodedFrame(encoding, data, timestamp, self._is_key, self._turns)

    def _begin(self, timestamp: int, fragment: VideoFragment) -> bool:
        """Starts a frame, and returns whether a decoder can decode it."""
        if self._parts:  # The last frame is incomplete.
            self._lose()
        if not fragment.starts_frame or (self._needs_key and not fragment.is_key):
            self._timestamp = None
            self._needs_key = self._needs_key or not fragment.starts_frame
            return False
        self._timestamp = timestamp
        self._is_key = False
        self._said_turns = None
        return True

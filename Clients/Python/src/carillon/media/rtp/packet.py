"""RTP packets (RFC 3550), with the audio level (RFC 6464) and the video orientation."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from carillon.media.errors import MalformedPacketError

_HEADER = struct.Struct("!BBHII")
_ONE_BYTE_PROFILE = 0xBEDE
_TWO_BYTE_PROFILE = 0x1000


def is_rtcp(packet: bytes) -> bool:
    """Returns whether a packet is RTCP and not RTP (RFC 5761, section 4)."""
    return len(packet) >= 2 and 192 <= packet[1] <= 223


@dataclass(frozen=True, slots=True)
class RtpPacket:
    """An RTP packet."""

    payload_type: int
    """The payload type, 0-127."""
    sequence: int
    """The sequence number, 0-65,535. The number after 65,535 is 0."""
    timestamp: int
    """The timestamp, 32 bits, in the clock of the payload."""
    ssrc: int
    payload: bytes
    """The bytes after the header, without padding."""
    is_marked: bool = False
    """The marker bit: the first audio packet after silence, or the last packet of a frame."""
    extensions: Mapping[int, bytes] = field(default_factory=dict)
    """The header extensions by id (RFC 8285)."""
    csrcs: tuple[int, ...] = ()

    @classmethod
    def parse(cls, packet: bytes) -> Self:
        """Parses a packet. Raises `MalformedPacketError`."""
        if len(packet) < _HEADER.size:
            raise MalformedPacketError("An RTP packet has at least 12 bytes.")
        first, second, sequence, timestamp, ssrc = _HEADER.unpack_from(packet)
        if first >> 6 != 2:
            raise MalformedPacketError("The version of an RTP packet must be 2.")
        at = _HEADER.size + 4 * (first & 0x0F)
        end = len(packet)
        if at > end:
            raise MalformedPacketError("The contributing sources are cut off.")
        csrcs = struct.unpack_from(f"!{first & 0x0F}I", packet, _HEADER.size)
        extensions: dict[int, bytes] = {}
        if first & 0x10:
            if at + 4 > end:
                raise MalformedPacketError("The header extension is cut off.")
            profile, words = struct.unpack_from("!HH", packet, at)
            at += 4
            if at + 4 * words > end:
                raise MalformedPacketError("The header extension is cut off.")
            extensions = _read_extensions(profile, packet[at : at + 4 * words])
            at += 4 * words
        if first & 0x20:
            padding = packet[-1] if at < end else 0
            if padding == 0 or at + padding > end:
                raise MalformedPacketError("The padding is longer than the payload.")
            end -= padding
        return cls(
            payload_type=second & 0x7F,
            sequence=sequence,
            timestamp=timestamp,
            ssrc=ssrc,
            payload=packet[at:end],
            is_marked=bool(second & 0x80),
            extensions=extensions,
            csrcs=csrcs,
        )

    def pack(self) -> bytes:
        """Returns the bytes of the packet, without padding.

        Extensions are packed with one-byte headers: ids 1-14, and 1-16 bytes each.
        """
        extension = _pack_extensions(self.extensions)
        header = _HEADER.pack(
            0x80 | (0x10 if extension else 0) | len(self.csrcs),
            (0x80 if self.is_marked else 0) | self.payload_type,
            self.sequence,
            self.timestamp,
            self.ssrc,
        )
        csrcs = struct.pack(f"!{len(self.csrcs)}I", *self.csrcs)
        return header + csrcs + extension + self.payload


def _read_extensions(profile: int, body: bytes) -> dict[int, bytes]:
    """Returns the extensions by id. A malformed extension ends the list; earlier ones count."""
    found: dict[int, bytes] = {}
    is_short = profile == _ONE_BYTE_PROFILE
    if not is_short and profile & 0xFFF0 != _TWO_BYTE_PROFILE:
        return found
    at = 0
    while at < len(body):
        if body[at] == 0:  # Padding.
            at += 1
            continue
        if is_short:
            number, length = body[at] >> 4, (body[at] & 0x0F) + 1
            if number in (0, 15):
                break
            at += 1
        else:
            if at + 1 >= len(body):
                break
            number, length = body[at], body[at + 1]
            at += 2
        if at + length > len(body):
            break
        found[number] = body[at : at + length]
        at += length
    return found


def _pack_extensions(extensions: Mapping[int, bytes]) -> bytes:
    if not extensions:
        return b""
    body = b"".join(
        bytes([number << 4 | len(value) - 1]) + value for number, value in extensions.items()
    )
    body += bytes(-len(body) % 4)
    return struct.pack("!HH", _ONE_BYTE_PROFILE, len(body) // 4) + body


VIDEO_ORIENTATION_ID = 13
"""The id of the header extension for the video orientation in packets of the `media` service."""


def quarter_turns(packet: RtpPacket) -> int | None:
    """Returns a picture's clockwise quarter turns; `None` if the packet has no orientation.

    The number is in the two lower bits of the byte (3GPP TS 26.114, section 7.4.5).
    """
    value = packet.extensions.get(VIDEO_ORIENTATION_ID)
    return value[0] & 0x03 if value else None


@dataclass(frozen=True, slots=True)
class AudioLevel:
    """The audio level in the header extension of a packet (RFC 6464)."""

    level: int
    """The level, in decibels below the maximum, 0-127; 127 is silence."""
    is_voice: bool

    @classmethod
    def parse(cls, value: bytes) -> Self:
        """Parses the header extension. Raises `MalformedPacketError`."""
        if not value:
            raise MalformedPacketError("An audio level has one byte.")
        return cls(value[0] & 0x7F, bool(value[0] & 0x80))

    def pack(self) -> bytes:
        """Returns the byte of the header extension."""
        return bytes([(0x80 if self.is_voice else 0) | self.level])

"""H.264 in RTP (RFC 6184), in non-interleaved mode."""

from __future__ import annotations

from collections.abc import Iterator

from carillon.media.errors import MalformedPacketError
from carillon.media.video.payload import VideoFragment

_START_CODE = b"\x00\x00\x00\x01"
_IDR, _SEQUENCE_PARAMETERS = 5, 7
_STAP_A, _FU_A = 24, 28
_FIRST, _LAST = 0x80, 0x40


class H264Packetizer:
    """Splits frames with start codes into payloads: single NAL units, or fragments (FU-A)."""

    def pack(self, frame: bytes, maximum_bytes: int) -> list[bytes]:
        """Returns the payloads of a frame, each of at most `maximum_bytes`."""
        return [payload for unit in split_units(frame) for payload in _pack(unit, maximum_bytes)]


def _pack(unit: bytes, maximum_bytes: int) -> Iterator[bytes]:
    if len(unit) <= maximum_bytes:
        yield unit
        return
    indicator, kind = unit[0] & 0xE0 | _FU_A, unit[0] & 0x1F
    size = maximum_bytes - 2
    for at in range(1, len(unit), size):
        part = unit[at : at + size]
        first = _FIRST if at == 1 else 0
        last = _LAST if at + size >= len(unit) else 0
        yield bytes([indicator, first | last | kind]) + part


def split_units(frame: bytes) -> Iterator[bytes]:
    """Yields the NAL units between start codes of three or four bytes."""
    for part in frame.split(b"\x00\x00\x01"):
        # A four-byte start code leaves a zero byte at the end of the part before it. No unit ends
        # in a zero byte, so this line can remove all zero bytes there.
        if unit := part.rstrip(b"\x00"):
            yield unit


def read_h264(payload: bytes) -> VideoFragment:
    """Reads a payload. Raises `MalformedPacketError`."""
    if not payload:
        raise MalformedPacketError("An H.264 payload has at least one byte.")
    kind = payload[0] & 0x1F
    if kind == _FU_A:
        return _read_fragment(payload)
    units = list(_split_aggregate(payload)) if kind == _STAP_A else [payload]
    if kind > _STAP_A or kind == 0:
        raise MalformedPacketError(f"The client does not support NAL units of type {kind}.")
    is_key = any(unit[0] & 0x1F in (_IDR, _SEQUENCE_PARAMETERS) for unit in units)
    return VideoFragment(b"".join(_START_CODE + unit for unit in units), True, is_key)


def _read_fragment(payload: bytes) -> VideoFragment:
    if len(payload) < 3:
        raise MalformedPacketError("A fragment of an H.264 unit is cut off.")
    header, body = payload[1], payload[2:]
    if not header & _FIRST:
        return VideoFragment(body, False, False)
    kind = header & 0x1F
    unit_header = bytes([payload[0] & 0xE0 | kind])
    return VideoFragment(_START_CODE + unit_header + body, True, kind == _IDR)


def _split_aggregate(payload: bytes) -> Iterator[bytes]:
    at = 1
    while at < len(payload):
        size = int.from_bytes(payload[at : at + 2], "big")
        unit = payload[at + 2 : at + 2 + size]
        if not size or len(unit) != size:
            raise MalformedPacketError("An aggregate of H.264 units is cut off.")
        yield unit
        at += 2 + size

"""VP8 in RTP (RFC 7741)."""

from __future__ import annotations

import random

from carillon.media.errors import MalformedPacketError
from carillon.media.video.payload import VideoFragment

_EXTENDED, _STARTS = 0x80, 0x10
_HAS_PICTURE_ID, _HAS_LEVEL_INDEX, _HAS_LAYER, _HAS_KEY_INDEX = 0x80, 0x40, 0x20, 0x10
_KEY_FRAME_CODE = b"\x9d\x01\x2a"


class Vp8Packetizer:
    """Splits frames into payloads with picture ids of 15 bits."""

    def __init__(self) -> None:
        self._picture_id = random.getrandbits(15)

    def pack(self, frame: bytes, maximum_bytes: int) -> list[bytes]:
        """Returns the payloads of a frame, each of at most `maximum_bytes`."""
        picture_id = 0x8000 | self._picture_id
        self._picture_id = (self._picture_id + 1) & 0x7FFF
        rest = bytes([_HAS_PICTURE_ID]) + picture_id.to_bytes(2, "big")
        room = maximum_bytes - 1 - len(rest)
        # The payloads have nearly equal sizes, because a short last packet costs as much as a full
        # one.
        count = max(-(-len(frame) // room), 1)
        size = max(-(-len(frame) // count), 1)
        return [
            bytes([_EXTENDED | (_STARTS if at == 0 else 0)]) + rest + frame[at : at + size]
            for at in range(0, len(frame), size)
        ]


def read_vp8(payload: bytes) -> VideoFragment:
    """Reads a payload. Raises `MalformedPacketError`."""
    if not payload:
        raise MalformedPacketError("A VP8 payload has at least one byte.")
    starts = bool(payload[0] & _STARTS) and payload[0] & 0x07 == 0
    at = 1
    if payload[0] & _EXTENDED:
        if len(payload) < 2:
            raise MalformedPacketError("A VP8 descriptor is cut off.")
        flags, at = payload[1], 2
        if flags & _HAS_PICTURE_ID:
            at += 2 if at < len(payload) and payload[at] & 0x80 else 1
        if flags & _HAS_LEVEL_INDEX:
            at += 1
        if flags & (_HAS_LAYER | _HAS_KEY_INDEX):
            at += 1
    data = payload[at:]
    if not data:
        raise MalformedPacketError("A VP8 descriptor has no payload after it.")
    is_key = starts and not data[0] & 1 and data[3:6] == _KEY_FRAME_CODE
    return VideoFragment(data, starts, is_key)

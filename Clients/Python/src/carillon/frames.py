"""The wire format of requests and replies: varint length of the header, header, body.

`proto/README.md` defines the format. This module uses no socket.
"""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.message import DecodeError, Message

from carillon.v1 import rpc_pb2

VERSION = 1
"""The major version of the contract."""

MAXIMUM_HEADER_BYTES = 4096
MAXIMUM_VARINT_BYTES = 5
MAXIMUM_FRAMES_OF_A_BUNDLE = 64


class MalformedFrameError(ValueError):
    """The bytes are not a valid frame."""


def method_key(name: str) -> int:
    """Returns the method number of request headers: FNV-1a (32 bit) of the method's name.

    The name is `carillon.v1.<Service>/<Method>`.
    """
    key = 0x811C9DC5
    for byte in name.encode():
        key = (key ^ byte) * 0x01000193 & 0xFFFFFFFF
    return key


def pack_varint(value: int) -> bytes:
    """Returns the shortest varint of a number. Raises `ValueError` outside 0 to 2**32 - 1."""
    if not 0 <= value < 1 << 32:
        raise ValueError(f"A length must have at most 32 bits; got {value}.")
    packed = bytearray()
    while value > 0x7F:
        packed.append(value & 0x7F | 0x80)
        value >>= 7
    packed.append(value)
    return bytes(packed)


def read_varint(data: bytes) -> tuple[int, int]:
    """Returns the varint at the start of `data`, and the index of the byte after it.

    Raises `MalformedFrameError` if there is no varint of at most 32 bits.
    """
    value = 0
    for index, byte in enumerate(data[:MAXIMUM_VARINT_BYTES]):
        value |= (byte & 0x7F) << 7 * index
        if byte & 0x80 == 0:
            if value >= 1 << 32:
                break
            return value, index + 1
    else:
        if len(data) < MAXIMUM_VARINT_BYTES:
            raise MalformedFrameError("The frame ends within the length of its header.")
    raise MalformedFrameError("The length of the header has more than 32 bits.")


def pack_frame(header: Message, body: bytes = b"") -> bytes:
    """Packs a header and a body into a frame.

    Raises `ValueError` for a header of more than 4,096 bytes.
    """
    packed = header.SerializeToString()
    if len(packed) > MAXIMUM_HEADER_BYTES:
        raise ValueError(
            f"A header may have at most {MAXIMUM_HEADER_BYTES} bytes; got {len(packed)}."
        )
    return pack_varint(len(packed)) + packed + body


def split_frame(frame: bytes) -> tuple[bytes, bytes]:
    """Returns the header and the body of a frame. Raises `MalformedFrameError`."""
    length, start = read_varint(frame)
    if length > MAXIMUM_HEADER_BYTES:
        raise MalformedFrameError(f"The header has {length} bytes, which is too many.")
    if start + length > len(frame):
        raise MalformedFrameError("The frame ends before its header does.")
    return frame[start : start + length], frame[start + length :]


def split_message(frames: Sequence[bytes]) -> list[list[bytes]]:
    """Returns the messages of a bundle, or the message itself if it is not a bundle.

    Each returned message is a frame and its raw frames. A bundle is one frame that starts with an
    empty header; a bundle has no raw frames. Raises `MalformedFrameError`.
    """
    if not frames:
        raise MalformedFrameError("The message has no frame.")
    length, at = read_varint(frames[0])
    if length > 0:
        return [list(frames)]
    bundled: list[list[bytes]] = []
    while at < len(frames[0]):
        length, start = read_varint(frames[0][at : at + MAXIMUM_VARINT_BYTES])
        start += at
        at = start + length
        if at > len(frames[0]):
            raise MalformedFrameError("The bundle ends within a frame.")
        frame = frames[0][start:at]
        if read_varint(frame)[0] == 0:
            raise MalformedFrameError("A bundle contains another bundle.")
        bundled.append([frame])
    if not 1 <= len(bundled) <= MAXIMUM_FRAMES_OF_A_BUNDLE or len(frames) > 1:
        raise MalformedFrameError(
            f"A bundle has 1 to {MAXIMUM_FRAMES_OF_A_BUNDLE} frames and no raw ones; "
            f"this one has {len(bundled)} and {len(frames) - 1}."
        )
    return bundled


def read_reply(frames: Sequence[bytes]) -> tuple[rpc_pb2.ReplyHeader, bytes]:
    """Returns the header and the body of a reply, without its raw frames.

    Raises `MalformedFrameError`.
    """
    if not frames:
        raise MalformedFrameError("The message has no frame.")
    packed, body = split_frame(frames[0])
    try:
        header = rpc_pb2.ReplyHeader.FromString(packed)
    except DecodeError as error:
        raise MalformedFrameError(f"The header cannot be parsed: {error}.") from error
    if header.raw_count != len(frames) - 1:
        raise MalformedFrameError(
            f"{len(frames) - 1} raw frames follow where {header.raw_count} are named."
        )
    return header, body

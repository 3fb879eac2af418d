"""RTCP packets: reports (RFC 3550) and video feedback (RFC 4585, RFC 5104)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from carillon.media.errors import MalformedPacketError


class _Kind:
    """The packet types and the feedback formats."""

    SENDER_REPORT = 200
    RECEIVER_REPORT = 201
    BYE = 203
    TRANSPORT_FEEDBACK = 205
    PAYLOAD_FEEDBACK = 206

    NACK = 1
    PLI = 1
    FIR = 4


_BLOCK = struct.Struct("!IIIIII")
_SENDER = struct.Struct("!IQIII")
MOST_BLOCKS = 31
"""The maximum number of blocks in one report."""


@dataclass(frozen=True, slots=True)
class ReportBlock:
    """The reception of one source's packets."""

    ssrc: int
    fraction_lost: int
    """The fraction of packets lost since the last report, in 256ths, 0-255."""
    lost: int
    """The number of lost packets since the start, 24 bits, signed. Duplicates can make it
    negative."""
    highest_sequence: int
    """The highest sequence number. Its upper 16 bits count the cycles."""
    jitter: int
    """The interarrival jitter, in units of the payload's clock."""
    last_report: int = 0
    """The middle 32 bits of the NTP time in the last sender report; 0 if there was none."""
    delay: int = 0
    """The time since the last sender report arrived, in 65,536ths of a second."""


@dataclass(frozen=True, slots=True)
class SenderReport:
    """A source's report about its packets, with one moment as NTP time and as timestamp."""

    ssrc: int
    ntp_time: int
    """The NTP time: seconds since 1900 in the upper 32 bits, their fraction in the lower 32."""
    timestamp: int
    """The time of `ntp_time` in the clock of the payload."""
    packets: int
    octets: int
    """The number of payload bytes that the source has sent."""
    blocks: tuple[ReportBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class ReceiverReport:
    """The report of a receiver that sends no packets itself."""

    ssrc: int
    blocks: tuple[ReportBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class Nack:
    """A request to send missing packets again."""

    sender_ssrc: int
    media_ssrc: int
    sequences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pli:
    """A request for a key frame from a receiver that cannot decode (picture loss indication)."""

    sender_ssrc: int
    media_ssrc: int


@dataclass(frozen=True, slots=True)
class Fir:
    """A request for key frames of several sources (full intra request)."""

    sender_ssrc: int
    requests: tuple[tuple[int, int], ...]
    """The SSRC and the number of each request. The number, 0-255, changes with each new request."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The message that sources have ended."""

    ssrcs: tuple[int, ...]


RtcpPacket = SenderReport | ReceiverReport | Nack | Pli | Fir | Bye


def parse_rtcp(compound: bytes) -> list[RtcpPacket]:
    """Parses a compound packet and returns its packets. The reader skips packets of unknown types.

    A compound may begin with any packet (RFC 5506). Raises `MalformedPacketError`.
    """
    return list(_parse(compound))


def pack_rtcp(packets: Iterable[RtcpPacket]) -> bytes:
    """Packs packets into one compound packet."""
    return b"".join(_pack(packet) for packet in packets)


# Reading


def _parse(compound: bytes) -> Iterator[RtcpPacket]:
    at = 0
    while at < len(compound):
        if at + 4 > len(compound) or compound[at] >> 6 != 2:
            raise MalformedPacketError("The bytes are not an RTCP packet.")
        first, kind, words = struct.unpack_from("!BBH", compound, at)
        body = compound[at + 4 : at + 4 + 4 * words]
        if len(body) != 4 * words:
            raise MalformedPacketError("An RTCP packet is cut off.")
        at += 4 + 4 * words
        if first & 0x20:
            if not body or not 0 < body[-1] <= len(body):
                raise MalformedPacketError("The padding is longer than the packet.")
            body = body[: -body[-1]]
        try:
            packet = _parse_one(kind, first & 0x1F, body)
        except struct.error as error:
            raise MalformedPacketError("An RTCP packet is too short.") from error
        if packet is not None:
            yield packet


def _parse_one(kind: int, count: int, body: bytes) -> RtcpPacket | None:
    """Parses one packet. `count` is the header's five-bit field: a number of items, or a format."""
    match kind, count:
        case _Kind.SENDER_REPORT, _:
            ssrc, ntp_time, timestamp, packets, octets = _SENDER.unpack_from(body)
            blocks = _parse_blocks(count, body, _SENDER.size)
            return SenderReport(ssrc, ntp_time, timestamp, packets, octets, blocks)
        case _Kind.RECEIVER_REPORT, _:
            (ssrc,) = struct.unpack_from("!I", body)
            return ReceiverReport(ssrc, _parse_blocks(count, body, 4))
        case _Kind.BYE, _:
            return Bye(struct.unpack_from(f"!{count}I", body))
        case _Kind.TRANSPORT_FEEDBACK, _Kind.NACK:
            sender, media = struct.unpack_from("!II", body)
            return Nack(sender, media, tuple(_parse_missing(body[8:])))
        case _Kind.PAYLOAD_FEEDBACK, _Kind.PLI:
            return Pli(*struct.unpack_from("!II", body))
        case _Kind.PAYLOAD_FEEDBACK, _Kind.FIR:
            struct.unpack_from("!II", body)
            requests = [struct.unpack_from("!IB", body, at) for at in range(8, len(body) - 7, 8)]
            return Fir(struct.unpack_from("!I", body)[0], tuple(requests))
        case _:
            return None


def _parse_blocks(count: int, body: bytes, at: int) -> tuple[ReportBlock, ...]:
    blocks = []
    for index in range(count):
        ssrc, losses, highest, jitter, last, delay = _BLOCK.unpack_from(
            body, at + index * _BLOCK.size
        )
        lost = losses & 0xFFFFFF
        blocks.append(
            ReportBlock(
                ssrc,
                losses >> 24,
                lost - (1 << 24) if lost & 0x800000 else lost,
                highest,
                jitter,
                last,
                delay,
            )
        )
    return tuple(blocks)


def _parse_missing(body: bytes) -> Iterator[int]:
    for at in range(0, len(body) - 3, 4):
        first, following = struct.unpack_from("!HH", body, at)
        yield first
        for bit in range(16):
            if following >> bit & 1:
                yield (first + bit + 1) & 0xFFFF


# Writing


def _pack(packet: RtcpPacket) -> bytes:
    match packet:
        case SenderReport(ssrc, ntp_time, timestamp, packets, octets, blocks):
            body = _SENDER.pack(
                ssrc, ntp_time, timestamp, packets & 0xFFFFFFFF, octets & 0xFFFFFFFF
            )
            return _frame(_Kind.SENDER_REPORT, len(blocks), body + _pack_blocks(blocks))
        case ReceiverReport(ssrc, blocks):
            body = struct.pack("!I", ssrc) + _pack_blocks(blocks)
            return _frame(_Kind.RECEIVER_REPORT, len(blocks), body)
        case Nack(sender, media, sequences):
            body = struct.pack("!II", sender, media) + _pack_missing(sequences)
            return _frame(_Kind.TRANSPORT_FEEDBACK, _Kind.NACK, body)
        case Pli(sender, media):
            return _frame(_Kind.PAYLOAD_FEEDBACK, _Kind.PLI, struct.pack("!II", sender, media))
        case Fir(sender, requests):
            body = struct.pack("!II", sender, 0)
            body += b"".join(struct.pack("!IBxxx", ssrc, number) for ssrc, number in requests)
            return _frame(_Kind.PAYLOAD_FEEDBACK, _Kind.FIR, body)
        case Bye(ssrcs):
            return _frame(_Kind.BYE, len(ssrcs), struct.pack(f"!{len(ssrcs)}I", *ssrcs))


def _frame(kind: int, count: int, body: bytes) -> bytes:
    if count > MOST_BLOCKS:
        raise ValueError(f"An RTCP packet may have at most {MOST_BLOCKS} items; got {count}.")
    return struct.pack("!BBH", 0x80 | count, kind, len(body) // 4) + body


def _pack_blocks(blocks: Iterable[ReportBlock]) -> bytes:
    return b"".join(
        _BLOCK.pack(
            block.ssrc,
            block.fraction_lost << 24 | max(-0x800000, min(block.lost, 0x7FFFFF)) & 0xFFFFFF,
            block.highest_sequence & 0xFFFFFFFF,
            block.jitter & 0xFFFFFFFF,
            block.last_report,
            block.delay & 0xFFFFFFFF,
        )
        for block in blocks
    )


def _pack_missing(sequences: Iterable[int]) -> bytes:
    """Packs sequence numbers as pairs: a number, and a bit mask of the 16 numbers after it."""
    body = b""
    waiting = list(sequences)
    while waiting:
        first, bits, rest = waiting[0], 0, []
        for sequence in waiting[1:]:
            ahead = (sequence - first) & 0xFFFF
            if 1 <= ahead <= 16:
                bits |= 1 << ahead - 1
            elif ahead:
                rest.append(sequence)
        body += struct.pack("!HH", first, bits)
        waiting = rest
    return body

"""A round trip does not change RTP and RTCP packets, and malformed bytes do no harm."""

from __future__ import annotations

import contextlib
import random
import struct

import pytest

from carillon.media import MalformedPacketError
from carillon.media.rtp.packet import AudioLevel, RtpPacket, is_rtcp
from carillon.media.rtp.reception import ReceptionStatistics
from carillon.media.rtp.rtcp import (
    Bye,
    Fir,
    Nack,
    Pli,
    ReceiverReport,
    ReportBlock,
    RtcpPacket,
    SenderReport,
    pack_rtcp,
    parse_rtcp,
)
from carillon.media.rtp.sequence import Unwrapper

BLOCK = ReportBlock(7, 12, -3, 70_000, 99, 0x12345678, 65_536)


def packet(sequence: int, timestamp: int = 0, payload: bytes = b"x") -> RtpPacket:
    return RtpPacket(111, sequence, timestamp, 5, payload)


def test_an_encoded_packet_has_the_bytes_that_the_rfc_specifies() -> None:
    made = RtpPacket(
        payload_type=111,
        sequence=0x1234,
        timestamp=0x89ABCDEF,
        ssrc=0x01020304,
        payload=b"sound",
        is_marked=True,
        extensions={1: AudioLevel(30, is_voice=True).pack()},
    )
    expected = bytes.fromhex("90ef1234 89abcdef 01020304 bede0001 109e0000") + b"sound"
    assert made.pack() == expected
    assert RtpPacket.parse(expected) == made
    assert AudioLevel.parse(made.extensions[1]) == AudioLevel(30, is_voice=True)
    assert not is_rtcp(expected)


def test_sources_padding_and_two_byte_extensions_are_decoded() -> None:
    header = bytes([0x80 | 0x20 | 0x10 | 1, 96, 0, 1]) + bytes(8) + struct.pack("!I", 9)
    extension = bytes.fromhex("1000 0002 0302aabb 0000 0401")
    found = RtpPacket.parse(header + extension + b"payload" + bytes([0, 0, 3]))
    assert found.payload == b"payload"
    assert found.csrcs == (9,)
    assert found.extensions == {3: b"\xaa\xbb"}  # The last extension is incomplete.


@pytest.mark.parametrize(
    "text",
    [
        "",
        "80",
        "8060000100000000000000",
        "406000010000000000000000",  # Version 1.
        "8f6000010000000000000000",  # It announces 15 sources, but has none.
        "906000010000000000000000",  # It announces an extension, but has none.
        "906000010000000000000000bede0002",
        "a06000010000000000000000",  # It announces padding, but has none.
        "a0600001000000000000000000",
        "a0600001000000000000000009",
    ],
)
def test_a_truncated_packet_is_refused(text: str) -> None:
    with pytest.raises(MalformedPacketError):
        RtpPacket.parse(bytes.fromhex(text))


def test_random_bytes_are_decoded_or_refused() -> None:
    generator = random.Random(6)
    for _ in range(20_000):
        junk = bytearray(generator.randbytes(generator.randrange(80)))
        if junk and generator.random() < 0.9:
            junk[0] = 0x80 | junk[0] & 0x3F
        if len(junk) > 1 and generator.random() < 0.5:
            junk[1] = generator.choice([200, 201, 203, 205, 206])
        if len(junk) > 3 and generator.random() < 0.5:
            junk[2:4] = struct.pack("!H", generator.randrange(len(junk) // 4 + 1))
        for parse in (RtpPacket.parse, parse_rtcp):
            with contextlib.suppress(MalformedPacketError):
                parse(bytes(junk))


@pytest.mark.parametrize(
    "made",
    [
        SenderReport(1, 0x0123456789ABCDEF, 2, 3, 4, (BLOCK,)),
        ReceiverReport(1, (BLOCK, BLOCK)),
        Nack(1, 2, (65_535, 0, 15, 100)),
        Pli(1, 2),
        Fir(1, ((2, 3), (4, 5))),
        Bye((1, 2)),
    ],
)
def test_decoded_rtcp_equals_encoded_rtcp(made: RtcpPacket) -> None:
    bytes_ = pack_rtcp([made])
    assert is_rtcp(bytes_) and len(bytes_) % 4 == 0
    assert parse_rtcp(bytes_) == [made]
    assert parse_rtcp(pack_rtcp([made, Pli(8, 9)])) == [made, Pli(8, 9)]


def test_nack_and_pli_have_the_bytes_of_the_rfc() -> None:
    assert pack_rtcp([Pli(1, 2)]).hex() == "81ce00020000000100000002"
    assert pack_rtcp([Nack(1, 2, (10, 11, 26))]).hex() == "81cd00030000000100000002000a8001"


def test_the_parser_skips_rtcp_packets_of_unknown_types() -> None:
    description = bytes.fromhex("81ca0002 00000001 01000000")
    assert parse_rtcp(description + pack_rtcp([Pli(1, 2)])) == [Pli(1, 2)]


def test_counters_continue_after_they_wrap_around() -> None:
    unwrapper = Unwrapper(16)
    numbers = [65_534, 65_535, 0, 65_533, 2, 1]
    assert [unwrapper.unwrap(each) for each in numbers] == [
        65_534,
        65_535,
        65_536,
        65_533,
        65_538,
        65_537,
    ]


def test_a_report_contains_the_jitter_and_the_loss_since_the_last_report() -> None:
    statistics = ReceptionStatistics(48_000)
    assert statistics.report(5, 0.0) is None
    for index in range(100):
        if index % 4:
            late = 0.01 if index % 2 else 0.0
            statistics.take(packet(65_500 + index & 0xFFFF, index * 960), 0.02 * index + late)
    statistics.take_report(SenderReport(5, 0xAAAABBBBCCCCDDDD, 0, 0, 0), 10.0)
    block = statistics.report(5, 10.5)
    assert block is not None
    assert block.lost == 24 and 62 <= block.fraction_lost <= 63
    assert block.highest_sequence == 65_536 + 63
    assert (block.last_report, block.delay) == (0xBBBBCCCC, 32_768)
    assert 0.003 < block.jitter / 48_000 < 0.01
    again = statistics.report(5, 11.0)
    assert again is not None and (again.lost, again.fraction_lost) == (24, 0)

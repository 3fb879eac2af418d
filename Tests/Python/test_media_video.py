"""Video from a sender over RTP to a receiver, through a scripted media service."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from carillon import PublishedVideo, VideoCodec, VideoKind, VideoLayer
from carillon.media import (
    MalformedPacketError,
    MediaConnection,
    MediaListener,
    MediaMoved,
    VideoReceiver,
    VideoSender,
)
from carillon.media.rtp.packet import RtpPacket, is_rtcp
from carillon.media.rtp.rtcp import Fir, Nack, Pli, RtcpPacket, pack_rtcp, parse_rtcp
from carillon.media.video.assembler import PATIENCE_SECONDS, VideoAssembler
from carillon.media.video.codecs import VideoDecoder, VideoEncoder
from carillon.media.video.h264 import H264Packetizer, read_h264, split_units
from carillon.media.video.payload import EncodedFrame, Packetizer
from carillon.media.video.vp8 import Vp8Packetizer, read_vp8
from eventually import due
from scripted_media import H264, VP8, ScriptedMedia, media_moved

pytestmark = pytest.mark.alone  # These tests judge sound and pictures in real time.
WIDTH, HEIGHT, BITS = 320, 180, 8
LAYER_SSRC, TRACK_SSRC = 0x3333, 0x4444
ENCODINGS = pytest.mark.parametrize("encoding", ["vp8", "h264"])
PACKETIZERS: dict[str, Callable[[], Packetizer]] = {
    "vp8": Vp8Packetizer,
    "h264": H264Packetizer,
}


def picture(number: int) -> npt.NDArray[np.uint8]:
    """Returns a picture that shows its number, one bar per bit, over a moving pattern."""
    rows, columns = np.arange(HEIGHT)[:, None], np.arange(WIDTH)[None, :]
    made = np.repeat(((rows + columns + 3 * number) % 64 + 96)[:, :, None], 3, axis=2)
    for bit in range(BITS):
        made[:60, bit * 40 : bit * 40 + 40] = 255 if number >> bit & 1 else 0
    return np.ascontiguousarray(made.astype(np.uint8))


def number(frame: av.VideoFrame) -> int:
    """Returns the number that a picture shows."""
    seen = frame.to_ndarray(format="gray")
    middles = [seen[20:40, bit * 40 + 10 : bit * 40 + 30].mean() for bit in range(BITS)]
    return sum(int(middle > 127) << bit for bit, middle in enumerate(middles))


def encoded(encoding: str, count: int, *, key_every: int = 1_000) -> list[EncodedFrame]:
    encoder = VideoEncoder(encoding, WIDTH, HEIGHT, bits_per_second=600_000, frames_per_second=30)
    frames = []
    for index in range(count):
        source = av.VideoFrame.from_ndarray(picture(index), format="rgb24")
        frame = encoder.encode(source, index * 3_000, is_key=index % key_every == 0)
        assert frame is not None
        frames.append(frame)
    return frames


def packets(frames: list[EncodedFrame], maximum_bytes: int = 400) -> list[RtpPacket]:
    packetizer = PACKETIZERS[frames[0].encoding]()
    made: list[RtpPacket] = []
    for frame in frames:
        payloads = packetizer.pack(frame.data, maximum_bytes)
        assert all(0 < len(payload) <= maximum_bytes for payload in payloads)
        for index, payload in enumerate(payloads):
            is_last = index == len(payloads) - 1
            sequence = (65_530 + len(made)) & 0xFFFF
            timestamp = (0xFFFFFF00 + frame.timestamp) & 0xFFFFFFFF
            made.append(RtpPacket(VP8, sequence, timestamp, TRACK_SSRC, payload, is_last))
    return made


# Tests without real time and without a connection


@ENCODINGS
def test_decoded_frames_equal_the_sent_frames_in_any_packet_order(encoding: str) -> None:
    generator = random.Random(1)
    frames = encoded(encoding, 20)
    made = packets(frames)
    order = sorted(range(len(made)), key=lambda index: index + generator.uniform(0, 5))
    order.insert(0, order.pop(order.index(0)))
    assembler = VideoAssembler()
    found = [
        frame
        for index in order
        for _ in range(2)
        for frame in assembler.take(made[index], encoding, 0.0)
    ]
    units = [list(split_units(frame.data)) for frame in frames]
    if encoding == "h264":
        assert [list(split_units(frame.data)) for frame in found] == units
    else:
        assert [frame.data for frame in found] == [frame.data for frame in frames]
    assert [frame.is_key for frame in found] == [True] + [False] * 19
    assert np.diff([frame.timestamp for frame in found]).tolist() == [3_000] * 19
    assert assembler.counters.late == len(made) and not assembler.is_wanting


@ENCODINGS
def test_the_receiver_requests_a_lost_packet_and_misses_nothing(encoding: str) -> None:
    generator = random.Random(2)
    frames = encoded(encoding, 60)
    made = packets(frames, 150)
    by_sequence = {packet.sequence: packet for packet in made}
    assembler = VideoAssembler()
    found, on_the_way, now, lost = [], list[tuple[float, RtpPacket]](), 0.0, 0
    for index, packet in enumerate(made + made[-1:] * 200):
        now += 0.002
        if index == 0 or index >= len(made) or generator.random() >= 0.05:
            found += assembler.take(packet, encoding, now)
        else:
            lost += 1
        wishes, whole = assembler.wishes(now)
        found += whole
        for sequence in wishes.sequences:
            if generator.random() >= 0.05:
                on_the_way.append((now + 0.03, by_sequence[sequence]))
        for arrival, again in list(on_the_way):
            if arrival <= now:
                on_the_way.remove((arrival, again))
                found += assembler.take(again, encoding, now)
        assert not wishes.key_frame
    assert lost > 3 and assembler.counters.recovered >= lost - 1
    assert len(found) == 60 and assembler.counters.given_up == 0


@ENCODINGS
def test_the_receiver_skips_a_missing_frame_and_shows_the_next_key_frame(encoding: str) -> None:
    made = packets(encoded(encoding, 30, key_every=20))
    ends = [index for index, packet in enumerate(made) if packet.is_marked]
    # Remove the last packet of one frame, and all packets except the last of the next frame.
    del made[ends[4] : ends[5]]
    assembler, found, now = VideoAssembler(), list[EncodedFrame](), 0.0
    has_asked = False
    for packet in made:
        now += 0.02
        found += assembler.take(packet, encoding, now)
        wishes, whole = assembler.wishes(now)
        found += whole
        has_asked = has_asked or wishes.key_frame
    shown = [frame.timestamp // 3_000 for frame in found]
    first = shown[0]
    shown = [each - first for each in shown]
    assert shown == [*range(4), *range(20, 30)] and has_asked
    assert assembler.counters.given_up > 0
    assert now > PATIENCE_SECONDS
    decoder = VideoDecoder()
    assert [number(picture) for frame in found for picture in decoder.decode(frame)] == shown


@ENCODINGS
def test_invalid_packets_do_no_harm(encoding: str) -> None:
    generator = random.Random(3)
    assembler, decoder, now = VideoAssembler(), VideoDecoder(), 0.0
    made = packets(encoded(encoding, 10))
    found = list[EncodedFrame]()
    for _ in range(5_000):
        now += 0.001
        base = generator.choice(made)
        junk = generator.randbytes(generator.randrange(40))
        sequence = generator.choice([base.sequence, generator.getrandbits(16)])
        packet = replace(
            base,
            payload=generator.choice([junk, base.payload[: generator.randrange(20)] + junk]),
            sequence=sequence,
            is_marked=generator.random() < 0.3,
        )
        found += assembler.take(packet, encoding, now)
        found += assembler.wishes(now)[1]
    for frame in found:
        with suppress(MalformedPacketError):
            decoder.decode(frame)
    for read in (read_vp8, read_h264):
        for _ in range(5_000):
            with suppress(MalformedPacketError):
                read(generator.randbytes(generator.randrange(12)))
    whole = list[EncodedFrame]()
    for packet in packets(encoded(encoding, 40, key_every=20)):
        now += 0.02
        sequence = (packet.sequence + 30_000) & 0xFFFF
        whole += assembler.take(replace(packet, sequence=sequence), encoding, now)
        whole += assembler.wishes(now)[1]
    assert len(whole) >= 20, "what comes after the garbage is seen"


@pytest.mark.parametrize("turns", range(4))
def test_a_rotated_picture_is_shown_upright(turns: int) -> None:
    upright = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    upright[: HEIGHT // 2, : WIDTH // 2] = 255
    # The user turned the camera, so the receiver must turn the camera's pictures back clockwise.
    lying = np.ascontiguousarray(np.rot90(upright, turns))
    frame = av.VideoFrame.from_ndarray(lying, format="rgb24")
    encoder = VideoEncoder(
        "vp8", frame.width, frame.height, bits_per_second=500_000, frames_per_second=30
    )
    assembler, decoder, seen = VideoAssembler(), VideoDecoder(), list[av.VideoFrame]()
    packetizer = Vp8Packetizer()
    sequence = 0
    for number in range(4):
        encoded = encoder.encode(frame, 3_000 * (number + 1), is_key=number == 0)
        assert encoded is not None
        payloads = packetizer.pack(encoded.data, 1_200)
        for index, payload in enumerate(payloads):
            is_last = index == len(payloads) - 1
            # A frame without an orientation keeps the last orientation. The upper bits have other
            # meanings.
            said = {13: bytes([0x0C | turns])} if is_last and number != 2 else {}
            packet = RtpPacket(96, sequence, encoded.timestamp, 7, payload, is_last, said)
            for whole in assembler.take(RtpPacket.parse(packet.pack()), "vp8", 0.0):
                seen += decoder.decode(whole)
            sequence += 1
    assert len(seen) == 4
    for picture in seen:
        assert (picture.width, picture.height) == (WIDTH, HEIGHT)
        pixels = picture.to_ndarray(format="gray")
        assert pixels[HEIGHT // 4, WIDTH // 4] > 200
        assert pixels[HEIGHT // 4, 3 * WIDTH // 4] < 50 and pixels[3 * HEIGHT // 4, 10] < 50


def test_a_key_frame_without_a_rotation_is_upright() -> None:
    assembler = VideoAssembler()
    key = bytes([0x10, 0x10, 0, 0, 0x9D, 1, 0x2A, 64, 0, 64, 0])
    turns = []
    for sequence, said in enumerate([b"\x01", b""]):
        extensions = {13: said} if said else {}
        packet = RtpPacket(96, sequence, 3_000 * sequence, 7, key, True, extensions)
        turns += [frame.quarter_turns for frame in assembler.take(packet, "vp8", 0.0)]
    assert turns == [1, 0]


def test_all_forms_of_a_vp8_descriptor_are_decoded() -> None:
    key = bytes.fromhex("100200 9d012a") + b"rest"
    assert read_vp8(b"\x10" + key).is_key
    assert read_vp8(bytes.fromhex("90e0 8123 07 40") + key).is_key
    assert read_vp8(bytes.fromhex("90a0 23 40") + key).is_key
    assert not read_vp8(b"\x11" + key).starts_frame  # A packet of another partition.
    assert not read_vp8(b"\x00" + key).is_key
    for short in (b"", b"\x90", bytes.fromhex("9080"), bytes.fromhex("90808123")):
        with pytest.raises(MalformedPacketError):
            read_vp8(short)


def test_an_h264_aggregate_is_split() -> None:
    fragment = read_h264(bytes.fromhex("78 0002 6742 0003 68ce01"))
    assert fragment.is_key and fragment.data == bytes.fromhex("00000001 6742 00000001 68ce01")
    for bad in ("78 0003 6742", "78 0000", "7c 85", "79 0000", "60"):
        with pytest.raises(MalformedPacketError):
            read_h264(bytes.fromhex(bad))


# Tests in real time, over a connection


@asynccontextmanager
async def media(directory: Path) -> AsyncIterator[tuple[ScriptedMedia, MediaConnection]]:
    async with ScriptedMedia(f"ipc://{directory}/media") as peer:
        connection = MediaConnection()
        connection.move(MediaMoved.of(media_moved(peer.endpoint).media_moved))
        await connection.bound()
        yield peer, connection
        connection.close()


def published(codec: VideoCodec = VideoCodec.VP8) -> PublishedVideo:
    layer = VideoLayer(WIDTH, HEIGHT, 30, 600_000, codec, ssrc=LAYER_SSRC)
    return PublishedVideo(VideoKind.CAMERA, (layer,), tile_id=1, track_ssrc=TRACK_SSRC)


def swap(packet: bytes) -> bytes:
    """Writes the SSRC of the track into a packet of the layer, and the SSRC of the layer into
    feedback on the track."""
    own, other = LAYER_SSRC.to_bytes(4, "big"), TRACK_SSRC.to_bytes(4, "big")
    if is_rtcp(packet):
        return packet[:8] + packet[8:].replace(other, own)
    return packet[:8] + other + packet[12:]


async def film(sender: VideoSender, seen: list[int]) -> None:
    """Sends pictures no faster than the viewer shows them, but waits at most 0.2 s for each
    picture."""
    index = 0
    while True:
        await sender.send(picture(index % 256), index / 30)
        for _ in range(20):
            if seen and seen[-1] >= index - 4:
                break
            await asyncio.sleep(0.01)
        index += 1


@pytest.mark.parametrize("codec", [VideoCodec.VP8, VideoCodec.H264])
async def test_pictures_arrive_in_spite_of_loss(socket_directory: Path, codec: VideoCodec) -> None:
    generator = random.Random(4)
    lost = 0

    def forward(packet: bytes) -> Iterable[bytes]:
        nonlocal lost
        if is_rtcp(packet) and packet[1] < 205:
            return
        if not is_rtcp(packet) and generator.random() < 0.05:
            lost += 1
            return
        yield swap(packet)

    async with media(socket_directory) as (peer, connection):
        peer.change = forward
        with (
            VideoSender(connection, published(codec)) as sender,
            VideoReceiver(connection, TRACK_SSRC) as receiver,
        ):
            seen: list[int] = []
            sending = asyncio.create_task(film(sender, seen))
            async for frame in receiver:
                seen.append(number(frame))
                if seen[-1] >= 120:
                    break
                assert not sending.done()
            sending.cancel()
        assert (frame.width, frame.height) == (WIDTH, HEIGHT)
        assert lost > 3 and receiver.counters.nacks > 0
        assert seen == sorted(set(seen)), "in order, none twice, none that shows another number"
        assert len(seen) > 100
        assert sender.repeated > 0 or sender.key_frames > 1


class Arrivals(MediaListener):
    """Counts RTCP packets. Earlier listeners have already received each counted packet."""

    def __init__(self) -> None:
        self._heard = asyncio.Semaphore(0)

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        self._heard.release()

    async def wait(self, count: int) -> None:
        for _ in range(count):
            await self._heard.acquire()


async def test_a_request_gets_a_key_frame_and_lost_packets_are_sent_again(
    socket_directory: Path,
) -> None:
    async with media(socket_directory) as (peer, connection):
        with VideoSender(connection, published()) as sender:
            arrivals = Arrivals()
            connection.add(arrivals)
            keys = []
            for index in range(8):
                match index:
                    case 2:
                        await peer.send(pack_rtcp([Pli(1, LAYER_SSRC), Pli(1, 99)]))
                        await arrivals.wait(2)
                    case 4 | 5:
                        await peer.send(pack_rtcp([Fir(1, ((LAYER_SSRC, 7), (99, 1)))]))
                        await arrivals.wait(1)
                    case 6:
                        await peer.send(pack_rtcp([Pli(1, 99)]))
                        await arrivals.wait(1)
                await sender.send(picture(index))
                first = RtpPacket.parse(await peer.packets.get())
                last = first
                while not last.is_marked:
                    last = RtpPacket.parse(await peer.packets.get())
                keys.append(read_vp8(first.payload).is_key)
            assert keys == [index in (0, 2, 4) for index in range(8)]
            await peer.send(pack_rtcp([Nack(1, LAYER_SSRC, (first.sequence, 1))]))
            assert RtpPacket.parse(await peer.packets.get()) == first
            assert sender.repeated == 1 and first.ssrc == LAYER_SSRC and first.payload_type == VP8
            sender.follow(replace(published(), layers=(replace(published().layers[0], ssrc=5),)))
            await sender.send(picture(9))
            moved = RtpPacket.parse(await peer.packets.get())
            assert moved.ssrc == 5 and read_vp8(moved.payload).is_key


async def test_a_receiver_accepts_lower_sequence_numbers_from_the_next_media_service(
    socket_directory: Path,
) -> None:
    async with media(socket_directory) as (peer, connection):
        with VideoReceiver(connection, TRACK_SSRC) as receiver:
            made = packets(encoded("vp8", 3))
            await peer.send(*(packet.pack() for packet in made))
            assert [number(await anext(receiver)) for _ in range(3)] == [0, 1, 2]
            connection.move(MediaMoved.of(media_moved(peer.endpoint).media_moved))
            await connection.bound()
            again = [replace(p, sequence=(p.sequence - 5) & 0xFFFF) for p in made]
            await peer.send(*(packet.pack() for packet in again))
            async with due("the first pictures of the next service", 5):
                assert [number(await anext(receiver)) for _ in range(3)] == [0, 1, 2]
            assert receiver.counters.late == 0


async def test_a_receiver_requests_a_key_frame_and_ends_when_its_connection_ends(
    socket_directory: Path,
) -> None:
    async with media(socket_directory) as (peer, connection):
        receiver = VideoReceiver(connection, TRACK_SSRC)
        made = packets(encoded("vp8", 3))
        later = [packet for packet in made if packet.timestamp != made[0].timestamp]
        await peer.send(*(packet.pack() for packet in later))
        [request] = parse_rtcp(await peer.packets.get())
        assert isinstance(request, Pli) and request.media_ssrc == TRACK_SSRC
        shifted = [replace(p, sequence=(p.sequence + len(made)) & 0xFFFF) for p in made]
        await peer.send(*(packet.pack() for packet in shifted))
        assert [number(await anext(receiver)) for _ in range(3)] == [0, 1, 2]
        connection.close()
        assert [frame async for frame in receiver] == []
        assert {VP8, H264} <= set(connection.format.payloads.values())

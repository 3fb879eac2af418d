"""Audio from a sender through RTP to a receiver, with a scripted media between them."""

from __future__ import annotations

import asyncio
import random
import wave
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from carillon.media import AudioReceiver, AudioSender, MediaConnection, MediaMoved
from carillon.media.audio.opus import FRAME_SAMPLES, OpusDecoder, OpusEncoder, Samples, silence
from carillon.media.audio.playout import AudioPlayout
from carillon.media.audio.sender import measure
from carillon.media.errors import MalformedPacketError
from carillon.media.rtp.packet import AudioLevel, RtpPacket, is_rtcp
from carillon.media.rtp.rtcp import ReceiverReport, SenderReport, parse_rtcp
from scripted_media import LEVEL, MIXED_AUDIO, OPUS, OWN_AUDIO, ScriptedMedia, media_moved


def tone(seconds: float, *, hertz: float = 440, loudness: float = 0.3) -> Samples:
    """A tone whose loudness rises and falls, so that it fits itself in one place only."""
    at = np.arange(int(seconds * 48_000)) / 48_000
    swell = 0.6 + 0.4 * np.sin(2 * np.pi * 1.3 * at**1.5)
    signal = loudness * 32_767 * swell * np.sin(2 * np.pi * hertz * at)
    return signal.astype(np.int16).reshape(-1, 1)


def correlation(heard: npt.NDArray[np.int16], original: npt.NDArray[np.int16]) -> float:
    """Of the original with the part of what was heard that fits it best."""
    long, short = heard[:, 0].astype(float), original[:, 0].astype(float)
    size = 1 << (len(long) + len(short)).bit_length()
    products = np.fft.irfft(np.fft.rfft(long, size) * np.conj(np.fft.rfft(short, size)), size)
    at = int(np.argmax(products[: max(len(long) - len(short), 0) + 1]))
    part = long[at : at + len(short)]
    return float(np.dot(part, short[: len(part)]) / (np.linalg.norm(part) * np.linalg.norm(short)))


def packets(sound: Samples) -> list[RtpPacket]:
    encoder = OpusEncoder(channels=sound.shape[1])
    return [
        RtpPacket(
            OPUS,
            (65_500 + index) & 0xFFFF,
            (0xFFFFFF00 + index * FRAME_SAMPLES) & 0xFFFFFFFF,
            MIXED_AUDIO,
            encoder.encode(sound[index * FRAME_SAMPLES : (index + 1) * FRAME_SAMPLES]),
        )
        for index in range(len(sound) // FRAME_SAMPLES)
    ]


# Without a clock


def test_a_tone_comes_out_as_it_went_in() -> None:
    sound, playout = tone(2), AudioPlayout()
    heard = []
    for packet in packets(sound):
        playout.put(packet)
        heard.append(playout.pull())
    heard += [playout.pull() for _ in range(4)]
    assert correlation(np.concatenate(heard), sound) > 0.95
    assert playout.counters.played == 100 and playout.counters.concealed == 0


def test_lost_late_doubled_and_disordered_packets_leave_the_sound_whole() -> None:
    generator = random.Random(5)
    sound, playout = tone(4), AudioPlayout()
    arrivals: list[tuple[float, RtpPacket]] = []
    lost = 0
    for index, packet in enumerate(packets(sound)):
        if generator.random() < 0.05:
            lost += 1
            continue
        arrivals.append((index + generator.uniform(0, 2), packet))
        if generator.random() < 0.05:
            arrivals.append((index + generator.uniform(0, 6), packet))
    arrivals.sort(key=lambda each: each[0])
    heard = []
    for tick in range(210):
        while arrivals and arrivals[0][0] <= tick:
            playout.put(arrivals.pop(0)[1])
        heard.append(playout.pull())
    assert all(len(frame) == FRAME_SAMPLES for frame in heard)
    counters = playout.counters
    assert lost > 5 and counters.played == 200 - lost
    assert counters.concealed == lost and counters.late > 0
    assert correlation(np.concatenate(heard), sound) > 0.9
    # Concealed, not cut out: no frame of the middle is silent.
    assert min(int(np.abs(frame).max()) for frame in heard[6:198]) > 100


def test_a_pause_is_silence_and_no_loss() -> None:
    playout = AudioPlayout()
    made = packets(tone(2))
    heard = []
    for index, packet in enumerate(made[:80]):
        if index < 20 or index >= 60:  # Nothing was sent in between: the numbers go on.
            sequence = packet.sequence if index < 20 else (packet.sequence - 40) & 0xFFFF
            playout.put(replace(packet, sequence=sequence))
        heard.append(playout.pull())
    assert playout.counters.concealed == 0
    assert int(np.abs(heard[45]).max()) == 0 and int(np.abs(heard[75]).max()) > 100


def test_a_new_numbering_and_a_burst_are_caught_up_with() -> None:
    playout = AudioPlayout()
    made = packets(tone(1))
    for packet in made:
        playout.put(packet)
    assert playout.counters.skipped > 20
    for packet in made:
        timestamp = (packet.timestamp + 7) ^ 1 << 31
        playout.put(replace(packet, sequence=packet.sequence ^ 0x8000, timestamp=timestamp))
        frame = playout.pull()
    assert int(np.abs(frame).max()) > 100
    assert playout.counters.played > 40


def test_garbage_is_counted_and_the_sound_goes_on() -> None:
    generator = random.Random(8)
    playout = AudioPlayout()
    for packet in packets(tone(2)):
        junk = generator.random() < 0.3
        size = generator.randrange(200)
        playout.put(replace(packet, payload=generator.randbytes(size)) if junk else packet)
        assert playout.pull().shape == (FRAME_SAMPLES, 1)
    for _ in range(2_000):
        playout.put(
            RtpPacket(
                OPUS,
                generator.getrandbits(16),
                generator.getrandbits(32),
                MIXED_AUDIO,
                generator.randbytes(generator.randrange(3)),
            )
        )
        assert playout.pull().shape == (FRAME_SAMPLES, 1)
    with pytest.raises(MalformedPacketError):
        OpusDecoder().decode(b"")


def test_levels_are_those_of_the_rfc() -> None:
    assert measure(silence(1)) == AudioLevel(127, is_voice=False)
    square = np.tile(np.array([[32_767], [-32_767]], np.int16), (480, 1))
    assert measure(square) == AudioLevel(0, is_voice=True)
    assert measure((square // 10).astype(np.int16)) == AudioLevel(20, is_voice=True)
    assert measure(np.full((960, 2), 1, np.int16)) == AudioLevel(90, is_voice=False)


# With a clock and a wire


@asynccontextmanager
async def media(directory: Path) -> AsyncIterator[tuple[ScriptedMedia, MediaConnection]]:
    async with ScriptedMedia(f"ipc://{directory}/media") as peer:
        connection = MediaConnection()
        connection.move(MediaMoved.of(media_moved(peer.endpoint).media_moved))
        await connection.bound()
        yield peer, connection
        connection.close()


def echo(packet: bytes) -> Iterable[bytes]:
    """What this session says, as if somebody else had."""
    if not is_rtcp(packet):
        yield replace(RtpPacket.parse(packet), ssrc=MIXED_AUDIO).pack()


async def hear(receiver: AudioReceiver, frames: int) -> Samples:
    heard = []
    async for samples in receiver:
        heard.append(samples)
        if len(heard) == frames:
            break
    return np.concatenate(heard)


async def test_a_file_is_heard_as_it_is(socket_directory: Path) -> None:
    sound = tone(1.5)
    path = socket_directory / "tone.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(sound.tobytes())
    async with media(socket_directory) as (peer, connection):
        peer.change = echo
        with AudioSender(connection) as sender, AudioReceiver(connection) as receiver:
            assert receiver.channels == 1
            hearing = asyncio.create_task(hear(receiver, 90))
            loop = asyncio.get_running_loop()
            began = loop.time()
            assert await sender.play(path) == 1.5
            assert 1.4 < loop.time() - began < 1.9
            heard = await hearing
        assert correlation(heard, sound) > 0.9
        assert receiver.reception.received == 75 == sender.stream.packets


async def test_each_packet_says_how_loud_it_is_and_reports_say_how_it_goes(
    socket_directory: Path,
) -> None:
    async with media(socket_directory) as (peer, connection):
        peer.change = echo
        with AudioSender(connection) as sender, AudioReceiver(connection, channels=2) as receiver:
            await sender.send(tone(1.1)[:, 0])
            sent = [peer.packets.get_nowait() for _ in range(peer.packets.qsize())]
            assert receiver.channels == 2 and len(await anext(receiver)) == FRAME_SAMPLES
        media_packets = [RtpPacket.parse(packet) for packet in sent if not is_rtcp(packet)]
        assert {packet.ssrc for packet in media_packets} == {OWN_AUDIO}
        assert [packet.is_marked for packet in media_packets[:2]] == [True, False]
        assert all(packet.payload_type == OPUS for packet in media_packets)
        assert all(
            5 < AudioLevel.parse(packet.extensions[LEVEL]).level < 40 for packet in media_packets
        )
        assert all(len(packet) <= 1_200 for packet in sent)
        reports = [each for packet in sent if is_rtcp(packet) for each in parse_rtcp(packet)]
        [sender_report] = [each for each in reports if isinstance(each, SenderReport)]
        assert sender_report.ssrc == OWN_AUDIO and sender_report.packets > 40
        [receiver_report] = [each for each in reports if isinstance(each, ReceiverReport)]
        assert receiver_report.blocks[0].ssrc == MIXED_AUDIO
        assert receiver_report.blocks[0].lost == 0


async def test_nothing_is_sent_while_muted(socket_directory: Path) -> None:
    async with media(socket_directory) as (peer, connection):
        with AudioSender(connection) as sender:
            await sender.send(tone(0.1))
            sender.is_muted = True
            await sender.send(tone(0.1))
            sender.is_muted = False
            await sender.send(tone(0.1))
        found = [RtpPacket.parse(await peer.packets.get()) for _ in range(10)]
        assert peer.packets.empty()
        steps = np.diff([packet.timestamp for packet in found])
        assert list(steps) == [960] * 4 + [960 * 6] + [960] * 4
        assert found[5].is_marked and found[5].sequence == found[4].sequence + 1


async def test_a_receiver_ends_with_its_connection(socket_directory: Path) -> None:
    async with media(socket_directory) as (_, connection):
        receiver = AudioReceiver(connection)
        assert len(await anext(receiver)) == FRAME_SAMPLES
        connection.close()
        assert [samples async for samples in receiver] == []

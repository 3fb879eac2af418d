"""Audio from a sender over RTP to a receiver, through a scripted media service."""

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
from carillon.media.audio.delay import Lateness, Pace, Step
from carillon.media.audio.opus import (
    FRAME_SAMPLES,
    FRAME_SECONDS,
    SAMPLE_RATE,
    OpusDecoder,
    OpusEncoder,
    Samples,
    silence,
)
from carillon.media.audio.playout import AudioPlayout
from carillon.media.audio.sender import measure
from carillon.media.errors import MalformedPacketError
from carillon.media.rtp.packet import AudioLevel, RtpPacket, is_rtcp
from carillon.media.rtp.rtcp import ReceiverReport, SenderReport, parse_rtcp
from scripted_media import LEVEL, MIXED_AUDIO, OPUS, OWN_AUDIO, ScriptedMedia, media_moved

pytestmark = pytest.mark.alone  # These tests judge sound and pictures in real time.


def tone(seconds: float, *, hertz: float = 440, loudness: float = 0.3) -> Samples:
    """Returns a rising tone with varying loudness, so that each part matches one place only."""
    at = np.arange(int(seconds * 48_000)) / 48_000
    swell = 0.6 + 0.4 * np.sin(2 * np.pi * 1.3 * at**1.5)
    signal = loudness * 32_767 * swell * np.sin(2 * np.pi * (hertz + 100 * at) * at)
    return signal.astype(np.int16).reshape(-1, 1)


def correlation(heard: npt.NDArray[np.int16], original: npt.NDArray[np.int16]) -> float:
    """Returns the correlation of the original with the best matching part of the heard sound."""
    long, short = heard[:, 0].astype(float), original[:, 0].astype(float)
    size = 1 << (len(long) + len(short)).bit_length()
    products = np.fft.irfft(np.fft.rfft(long, size) * np.conj(np.fft.rfft(short, size)), size)
    at = int(np.argmax(products[: max(len(long) - len(short), 0) + 1]))
    part = long[at : at + len(short)]
    return float(np.dot(part, short[: len(part)]) / (np.linalg.norm(part) * np.linalg.norm(short)))


def part_heard(heard: npt.NDArray[np.int16], original: npt.NDArray[np.int16]) -> float:
    """Returns the fraction of the original's pieces of 100 ms that the listener heard in order.

    On a busy machine, a receiver inserts concealed frames of 20 ms, and later skips frames. If the
    sender stalls, the receiver is silent for slightly longer than the stall. So each piece may
    start up to 1 s after the end of the piece before it, or up to 20 ms before that end. A starved
    receiver skips some pieces, so tests that play in real time require half of them. A different
    sound, or a different speed, matches no piece.
    """
    pieces = [
        original[start : start + _PIECE, 0].astype(float)
        for start in range(0, len(original) - _PIECE + 1, _PIECE)
    ]
    sound, place, found = heard[:, 0].astype(float), None, 0
    for piece in pieces:
        first = 0 if place is None else max(place - _EARLIER, 0)
        last = len(sound) if place is None else place + _PIECE + _LATER
        fits = _fits(sound[first:last], piece)
        if fits.size and fits.max() > 0.9:
            found += 1
            place = first + int(np.argmax(fits)) + _PIECE
        elif place is not None:
            place += _PIECE
    return found / len(pieces)


_PIECE, _EARLIER, _LATER = 4_800, 960, 48_000


_Signal = npt.NDArray[np.float64]


def _fits(sound: _Signal, piece: _Signal) -> _Signal:
    """Returns how well the piece matches the sound at each offset: correlations from -1 to 1."""
    if len(sound) < len(piece):
        return np.empty(0)
    size = 1 << (len(sound) + len(piece)).bit_length()
    products = np.fft.irfft(np.fft.rfft(sound, size) * np.conj(np.fft.rfft(piece, size)), size)
    energy = np.concatenate([[0], np.cumsum(sound**2)])
    energies = energy[len(piece) :] - energy[: -len(piece)]
    norms = np.sqrt(np.maximum(energies, 1)) * np.linalg.norm(piece)
    return np.asarray(products[: len(energies)] / norms)


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


# Tests without real time and without a connection


def test_the_comparison_of_sounds_detects_a_missing_part_and_a_different_sound() -> None:
    sound, pause = tone(1.5), silence(1, 24_000)
    stretched = [pause, sound[:20_000], sound[19_040:41_000], sound[40_040:], pause]
    assert part_heard(np.concatenate(stretched), sound) == 1
    half = np.concatenate([pause, sound[:36_000], pause])
    assert part_heard(half, sound) == pytest.approx(7 / 15)
    assert part_heard(np.concatenate([pause, sound[::-1], pause]), sound) == 0
    assert part_heard(np.concatenate([pause] * 5), sound) == 0


def test_a_decoded_tone_equals_the_sent_tone() -> None:
    sound, playout = tone(2), AudioPlayout()
    heard = []
    for tick, packet in enumerate(packets(sound)):
        playout.put(packet, tick * FRAME_SECONDS)
        heard.append(playout.pull(tick * FRAME_SECONDS))
    heard += [playout.pull((100 + tick) * FRAME_SECONDS) for tick in range(4)]
    assert correlation(np.concatenate(heard), sound) > 0.95
    assert playout.counters.played == 100 and playout.counters.concealed == 0


@pytest.mark.parametrize("stall", [6, 9, 12, 15, 20, 30])
def test_after_a_stall_of_the_sender_the_remaining_sound_plays(stall: int) -> None:
    sound, playout, heard = tone(2), AudioPlayout(), []
    sent = packets(sound)
    arrivals = [max(index, 5 + stall) if index >= 5 else index for index in range(len(sent))]
    for tick in range(len(sent) + 40):
        for packet, arrival in zip(sent, arrivals, strict=True):
            if arrival == tick:
                playout.put(packet, tick * FRAME_SECONDS)
        heard.append(playout.pull(tick * FRAME_SECONDS))
    assert part_heard(np.concatenate(heard), sound) >= 0.9


def test_the_sound_is_complete_in_spite_of_lost_late_duplicate_and_disordered_packets() -> None:
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
            playout.put(arrivals.pop(0)[1], tick * FRAME_SECONDS)
        heard.append(playout.pull(tick * FRAME_SECONDS))
    assert all(len(frame) == FRAME_SAMPLES for frame in heard)
    counters = playout.counters
    assert lost > 5 and counters.played == 200 - lost
    assert counters.concealed == lost and counters.late > 0
    assert correlation(np.concatenate(heard), sound) > 0.9
    # The receiver conceals lost frames and does not omit them, so no frame in the middle is silent.
    assert min(int(np.abs(frame).max()) for frame in heard[6:198]) > 100


def test_only_one_percent_of_the_last_packets_exceeds_the_lateness() -> None:
    lateness = Lateness()
    assert lateness.value == FRAME_SAMPLES  # The value before the first packets are measured.
    for index in range(250):
        late = 70 if index % 100 == 0 else 7
        lateness.take(late - 500, index * FRAME_SAMPLES)
    assert lateness.quickest == -493 and lateness.value == 63
    lateness.take(-493, 250 * FRAME_SAMPLES)
    assert lateness.value == 0


def test_the_estimate_uses_the_quickest_packet_of_the_last_five_to_ten_seconds() -> None:
    lateness = Lateness()
    for index in range(600):
        lateness.take(0 if index < 10 else 960, index * FRAME_SAMPLES)
        assert lateness.quickest == (0 if index < 500 else 960)


def test_a_stall_counts_once() -> None:
    lateness = Lateness()
    for index in range(200):
        lateness.take(0, index * FRAME_SAMPLES)
    for index in range(200, 210):  # Ten packets arrive at once.
        lateness.take((209 - index) * FRAME_SAMPLES, 209 * FRAME_SAMPLES)
    assert lateness.value == 0


def test_the_lateness_restarts_when_the_clock_of_the_sender_jumps() -> None:
    lateness = Lateness()
    for index in range(200):
        lateness.take(0, index * FRAME_SAMPLES)
    for index in range(200, 301):
        lateness.take(2 * SAMPLE_RATE, index * FRAME_SAMPLES)
    assert lateness.quickest == 2 * SAMPLE_RATE and lateness.value == 0


def test_playback_is_delayed_after_100_ms_and_advanced_after_a_second() -> None:
    pace, frame = Pace(), FRAME_SAMPLES
    early = [pace.step(frame, 2 * frame, 3 * frame) for _ in range(10)]
    assert early == ([Step.KEEP] * 4 + [Step.LATER]) * 2
    # The transit is below its minimum by more than a frame, so the pace reacts sooner.
    assert [pace.step(frame - 1, 2 * frame, 3 * frame) for _ in range(2)] == [Step.KEEP, Step.LATER]
    assert {pace.step(3 * frame, 2 * frame, 3 * frame) for _ in range(200)} == {Step.KEEP}
    pace.restart()
    late = [pace.step(3 * frame + 1, 2 * frame, 3 * frame) for _ in range(100)]
    assert late == ([Step.KEEP] * 49 + [Step.SOONER]) * 2


def test_frames_that_replace_late_packets_count_as_concealed() -> None:
    playout = AudioPlayout()
    made = packets(tone(1))
    for tick in range(54):
        # The link stops for 80 ms.
        for packet in [] if 25 <= tick < 29 else made[25:30] if tick == 29 else made[tick:][:1]:
            playout.put(packet, tick * FRAME_SECONDS)
        playout.pull(tick * FRAME_SECONDS)
    assert playout.counters.played == 50 and playout.counters.late == 0
    # One frame was waiting when the link stopped.
    assert playout.counters.concealed == 3 and playout.counters.starved == 0


def test_a_substitute_is_as_long_as_the_lost_packet() -> None:
    playout = AudioPlayout()
    for index, packet in enumerate(packets(tone(1))):
        # Code 1 of RFC 6716, section 3.2.3: two frames of the same length.
        frame = packet.payload[1:]
        payload = bytes([packet.payload[0] & 0xFC | 1]) + frame + frame
        timestamp = (packet.timestamp + index * FRAME_SAMPLES) & 0xFFFFFFFF
        if index != 25:
            moved = replace(packet, payload=payload, timestamp=timestamp)
            playout.put(moved, index * 2 * FRAME_SECONDS)
        for tick in (2 * index, 2 * index + 1):
            playout.pull(tick * FRAME_SECONDS)
    assert playout.counters.concealed == 1 and playout.counters.starved == 0
    assert playout.counters.played >= 47 and playout.counters.silent <= 2


def test_a_new_stream_starts_after_two_of_its_packets() -> None:
    playout = AudioPlayout()
    for tick, packet in enumerate(packets(tone(1))):
        is_new = tick >= 25
        sequence = packet.sequence ^ 0x8000 if is_new else packet.sequence
        playout.put(replace(packet, sequence=sequence), tick * FRAME_SECONDS)
        playout.pull(tick * FRAME_SECONDS)
    assert playout.counters.late == 1 and playout.counters.played >= 47


def test_a_pause_is_silence_and_not_loss() -> None:
    playout = AudioPlayout()
    made = packets(tone(2))
    heard = []
    for index, packet in enumerate(made[:80]):
        # The sender sends nothing in the pause, so sequence numbers continue.
        if index < 20 or index >= 60:
            sequence = packet.sequence if index < 20 else (packet.sequence - 40) & 0xFFFF
            playout.put(replace(packet, sequence=sequence), index * FRAME_SECONDS)
        heard.append(playout.pull(index * FRAME_SECONDS))
    assert playout.counters.concealed == 0 and playout.counters.starved == 5
    assert int(np.abs(heard[45]).max()) == 0 and int(np.abs(heard[75]).max()) > 100


def test_the_receiver_catches_up_after_a_burst_or_a_jump_of_the_sequence_numbers() -> None:
    playout = AudioPlayout()
    made = packets(tone(1))
    for packet in made:
        playout.put(packet, 0)
    playout.pull(0)
    assert playout.counters.skipped > 20
    for tick, packet in enumerate(made):
        timestamp, now = (packet.timestamp + 7) ^ 1 << 31, tick * FRAME_SECONDS
        playout.put(replace(packet, sequence=packet.sequence ^ 0x8000, timestamp=timestamp), now)
        frame = playout.pull(now)
    assert int(np.abs(frame).max()) > 100
    assert playout.counters.played > 40


def test_invalid_packets_are_counted_and_the_sound_continues() -> None:
    generator = random.Random(8)
    playout = AudioPlayout()
    for tick, packet in enumerate(packets(tone(2))):
        junk = generator.random() < 0.3
        size = generator.randrange(200)
        now = tick * FRAME_SECONDS
        playout.put(replace(packet, payload=generator.randbytes(size)) if junk else packet, now)
        assert playout.pull(now).shape == (FRAME_SAMPLES, 1)
    for tick in range(100, 2_100):
        playout.put(
            RtpPacket(
                OPUS,
                generator.getrandbits(16),
                generator.getrandbits(32),
                MIXED_AUDIO,
                generator.randbytes(generator.randrange(3)),
            ),
            tick * FRAME_SECONDS,
        )
        assert playout.pull(tick * FRAME_SECONDS).shape == (FRAME_SAMPLES, 1)
    with pytest.raises(MalformedPacketError):
        OpusDecoder().decode(b"")


def test_audio_levels_follow_the_rfc() -> None:
    assert measure(silence(1)) == AudioLevel(127, is_voice=False)
    square = np.tile(np.array([[32_767], [-32_767]], np.int16), (480, 1))
    assert measure(square) == AudioLevel(0, is_voice=True)
    assert measure((square // 10).astype(np.int16)) == AudioLevel(20, is_voice=True)
    assert measure(np.full((960, 2), 1, np.int16)) == AudioLevel(90, is_voice=False)


# Tests in real time, over a connection


@asynccontextmanager
async def media(directory: Path) -> AsyncIterator[tuple[ScriptedMedia, MediaConnection]]:
    async with ScriptedMedia(f"ipc://{directory}/media") as peer:
        connection = MediaConnection()
        connection.move(MediaMoved.of(media_moved(peer.endpoint).media_moved))
        await connection.bound()
        yield peer, connection
        connection.close()


def echo(packet: bytes) -> Iterable[bytes]:
    """Returns the packets of this session as if another attendee had sent them."""
    if not is_rtcp(packet):
        yield replace(RtpPacket.parse(packet), ssrc=MIXED_AUDIO).pack()


async def hear(receiver: AudioReceiver, frames: int) -> Samples:
    heard = []
    async for samples in receiver:
        heard.append(samples)
        if len(heard) == frames:
            break
    return np.concatenate(heard)


async def test_the_sound_of_a_file_arrives_unchanged(socket_directory: Path) -> None:
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
            # The program runs in real time. The upper limit leaves room for a slow machine.
            assert 1.4 < loop.time() - began < 15
            heard = await hearing
        assert part_heard(heard, sound) > 0.5
        assert receiver.reception.received == 75 == sender.stream.packets


async def test_each_packet_contains_its_level_and_the_reports_contain_loss_and_jitter(
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
        before = next(index for index, packet in enumerate(sent) if is_rtcp(packet))
        assert sender_report.ssrc == OWN_AUDIO and 0 < sender_report.packets <= before
        [receiver_report] = [each for each in reports if isinstance(each, ReceiverReport)]
        assert receiver_report.blocks[0].ssrc == MIXED_AUDIO
        assert receiver_report.blocks[0].lost == 0


async def test_a_muted_sender_sends_no_packets(socket_directory: Path) -> None:
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


async def test_a_receiver_ends_when_its_connection_ends(socket_directory: Path) -> None:
    async with media(socket_directory) as (_, connection):
        receiver = AudioReceiver(connection)
        assert len(await anext(receiver)) == FRAME_SAMPLES
        connection.close()
        assert [samples async for samples in receiver] == []

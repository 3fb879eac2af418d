"""Compares a known signal from a browser's microphone with the sound at each other end.

Chromium captures tones and speech from a file, without echo cancellation, noise suppression or gain
control. The other ends are a bot over ZeroMQ, aiortc, and another Chromium.
"""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import av
import numpy as np
import pytest
from playwright.async_api import Page

from carillon import AttendeeInfo, Session
from carillon.media.audio.opus import OpusDecoder
from carillon.media.connection import MediaConnection
from carillon.media.listener import MediaListener
from carillon.media.rtp.packet import RtpPacket
from eventually import eventually
from installation import BINARIES
from spoken import MEETING, word_error_rate, words
from test_end_to_end import LiveMeeting, live_meeting
from transcript_listener import TranscriptListener
from Web.browser import needs_chromium
from Web.browser_peer import FRAME, RATE, Sound
from Web.known_signal import Comparison, KnownSignal, longest_silence
from Web.page_sound import microphone_of, write_wave
from Web.signaling_client import client_of
from Web.stamped_peer import StampedPeer, longest_gap, stamped_peer
from Web.test_browser_sound import spoken
from Web.test_library_sound import KEEP_CONNECTION, bot_of, page_of
from Web.test_meeting import FLAGS, NO_ENGINE
from Web.test_sdk_expectations import say_join

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(NO_ENGINE, reason="there is no engine; build first"),
    pytest.mark.alone,
    pytest.mark.seconds(150),
]

CORRELATION = 0.9
"""The least correlation of the envelopes in each octave band."""
PITCH = 0.01
"""The largest error of a tone's frequency, as a share of the frequency."""
GAP = 0.06
"""The longest permitted gap in the sound at the bot and at aiortc, in seconds."""
PACKET = 0.02
"""The length of the sound in a packet, in seconds."""
CONCEALED = 0.03
"""The largest share of samples that Chromium conceals."""
WORD_ERRORS = 0.25
"""The largest word error rate. PocketSphinx has up to this rate with clean speech of flite."""
ROUNDS = 5
"""The number of attempts. A busy machine may delay the browsers; a defect shows each time."""

CHOOSE_RAW = """async () => {
  const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio });
  const [track] = stream.getAudioTracks();
  await session.chooseAudioDevice(track);
  const { echoCancellation, noiseSuppression, autoGainControl } = track.getSettings();
  return [echoCancellation, noiseSuppression, autoGainControl];
}"""
"""Gives the session the fake microphone without any processing. Returns the settings in use."""

RECORD = """() => {
  const { srcObject } = document.querySelector("#library-mix");
  const recorder = new MediaRecorder(srcObject, { mimeType: "audio/webm;codecs=pcm" });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  window.recorded = () => new Promise((resolve) => {
    recorder.onstop = () => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.split(",")[1]);
      reader.readAsDataURL(new Blob(parts));
    };
    recorder.stop();
  });
  recorder.start();
}"""
"""Records the mix that a page plays, without further compression."""

CONCEALMENT = """async () => {
  const reports = [...(await connection.getStats()).values()];
  const { concealedSamples, totalSamplesReceived } =
    reports.find(({ type, kind }) => type === "inbound-rtp" && kind === "audio");
  return [concealedSamples, totalSamplesReceived];
}"""
"""Returns how many samples of the mix Chromium has concealed, and how many it has played."""


class PacketEars(MediaListener):
    """The mix that a bot receives. The position of each packet's sound comes from the timestamp of
    the packet, so delays of this process do not matter."""

    def __init__(self, connection: MediaConnection) -> None:
        self._connection = connection
        self._decoder = OpusDecoder()
        self._sounds: list[tuple[int, Sound]] = []
        connection.add_loosely(self)

    def on_rtp(self, packet: RtpPacket, now: float) -> None:
        if packet.ssrc == self._connection.format.audio_receive_ssrc:
            self._sounds.append((packet.timestamp, self._decoder.decode(packet.payload)[:, 0]))

    @property
    def count(self) -> int:
        """The number of packets so far."""
        return len(self._sounds)

    def sound(self, first: int) -> Sound:
        """Returns the sound from the packet `first` on. A missing packet leaves silence."""
        parts = self._sounds[first:]
        start = parts[0][0]
        heard = np.zeros(parts[-1][0] - start + FRAME, np.int16)
        for time, sound in parts:
            heard[time - start : time - start + FRAME] = sound
        return heard


class Ends:
    """The bot, the aiortc peer and the page that hear the signal."""

    def __init__(self, bot: PacketEars, peer: StampedPeer, page: Page) -> None:
        self._bot, self._peer, self._page = bot, peer, page

    async def until_sound(self) -> None:
        """Waits until the bot has received the signal for half a second without silence."""

        def has_sound() -> bool:
            last = self._bot.count - 25
            return last >= 0 and longest_silence(self._bot.sound(last)) == 0

        await eventually("the signal", has_sound)

    async def faults(self, signal: KnownSignal) -> dict[str, tuple[list[str], Sound]]:
        """Listens to the signal. Returns each end's faults and received sentence."""
        await self._page.evaluate(RECORD)
        before = np.array(await self._page.evaluate(CONCEALMENT))
        of_bot, of_peer = self._bot.count, len(self._peer.packets)
        # The recording begins and ends later than the packets.
        packets = signal.needed / FRAME + 25
        await eventually("the signal", lambda: self._bot.count >= of_bot + packets)
        await eventually("the signal", lambda: len(self._peer.packets) >= of_peer + packets)
        concealed, played = np.array(await self._page.evaluate(CONCEALMENT)) - before
        recording = base64.b64decode(await self._page.evaluate("recorded()"))
        received = self._peer.packets[of_peer:]
        gap = longest_gap(received) - PACKET
        print(f"gap {gap:.3f} s at aiortc, {concealed / played:.1%} concealed in Chromium")
        heard = {
            "ZeroMQ": signal.compare(self._bot.sound(of_bot)),
            "aiortc": signal.compare(np.concatenate([each.sound for each in received])),
            "Chromium": signal.compare(samples(recording)),
        }
        faults = {end: differences(end, each) for end, each in heard.items()}
        for end in ("ZeroMQ", "aiortc"):
            if heard[end].silence > GAP:
                faults[end].append(f"{heard[end].silence:.3f} s of silence")
        if gap > GAP:
            faults["aiortc"].append(f"a gap of {gap:.3f} s")
        if concealed > CONCEALED * played:
            faults["Chromium"].append(f"{concealed / played:.1%} of the samples concealed")
        return {end: (faults[end], each.sentence) for end, each in heard.items()}


def differences(end: str, heard: Comparison) -> list[str]:
    """Returns the differences between an end's sound and the signal."""
    print(
        f"{end}: correlation {heard.correlation:.3f}, tones within {heard.pitch_error:.2%},"
        f" {heard.silence:.3f} s of silence"
    )
    found = []
    if heard.correlation < CORRELATION:
        found.append(f"a correlation of {heard.correlation:.3f}")
    if heard.pitch_error > PITCH:
        found.append(f"a tone that is off by {heard.pitch_error:.2%}")
    return found


def samples(recording: bytes) -> Sound:
    """Returns the samples of a recording in WebM."""
    with av.open(io.BytesIO(recording), "r") as file:
        assert file.streams.audio[0].rate == RATE
        parts = [
            each.to_ndarray().reshape(-1)[:: len(each.layout.channels)]
            for each in file.decode(audio=0)
        ]
    return (32_767 * np.concatenate(parts).clip(-1, 1)).astype(np.int16)


@asynccontextmanager
async def three_ends(tea: LiveMeeting, bot: Session) -> AsyncIterator[Ends]:
    """Runs the ends that hear the signal."""
    ears = PacketEars(await bot.media.open())
    client = client_of(tea.installation, tea.meeting.meeting_id, await tea.create("lin"))
    async with (
        client,
        page_of(tea, "bea", with_microphone=False, script=KEEP_CONNECTION) as page,
    ):
        await say_join(client)
        await client.next("JOIN_ACK")
        async with stamped_peer(client, np.zeros(0, np.int16), is_muted=True) as peer:
            yield Ends(ears, peer, page)


async def recognized(sound: Sound, path: Path) -> str:
    """Returns the words that the engine finds in a sound."""
    rate = 16_000
    resampler = av.AudioResampler("s16", "mono", rate)
    frame = av.AudioFrame.from_ndarray(sound.reshape(1, -1), format="s16", layout="mono")
    frame.sample_rate = RATE
    parts = [*resampler.resample(frame), *resampler.resample(None)]
    write_wave(np.concatenate([each.to_ndarray().reshape(-1) for each in parts]), path, rate)
    engine = await asyncio.create_subprocess_exec(
        *(BINARIES / "carillon-pocketsphinx", "recognize", path), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await engine.communicate()
    return output.decode()


def has_said(listener: TranscriptListener, speaker: AttendeeInfo) -> bool:
    """Returns whether a transcript has the words of the sentence under an attendee's name."""
    said, count = words(listener.text(speaker)), len(words(MEETING))
    parts = [said[at : at + count] for at in range(len(said))]
    return any(word_error_rate(" ".join(part), MEETING) <= WORD_ERRORS for part in parts)


async def test_tones_and_speech_of_a_browser_arrive_intact_at_every_end(tmp_path: Path) -> None:
    signal = KnownSignal((await spoken(MEETING, tmp_path))[RATE:])
    microphone = microphone_of(signal.samples, tmp_path / "signal.wav")
    flags = {"has_engine": True, "transcription": ["--engine-wait-seconds", "60"]}
    async with live_meeting(gateway=FLAGS, **flags) as tea:
        bot = (await bot_of(tea)).session
        listener = TranscriptListener(bot)
        await tea.installation.control.start_transcription(tea.meeting, language_code="en-US")
        sentences: dict[str, Sound] = {}
        async with (
            three_ends(tea, bot) as ends,
            page_of(tea, "ada", *microphone, with_microphone=False) as ada,
        ):
            assert await ada.evaluate(CHOOSE_RAW) == [False, False, False]
            await ends.until_sound()
            faults: dict[str, list[str]] = {}
            for _ in range(ROUNDS):
                for end, (found, sentence) in (await ends.faults(signal)).items():
                    if end not in sentences:
                        faults[end] = found
                        sentences |= {} if found else {end: sentence}
                if len(sentences) == len(faults):
                    break
            assert len(sentences) == len(faults), faults
            speaker = next(each for each in bot.roster.values() if each.name == "ada")
            name = AttendeeInfo(speaker.attendee_id, speaker.external_user_id, "ada")
            await listener.until(lambda: has_said(listener, name), 30)
    for end, sentence in sentences.items():
        text = await recognized(sentence, tmp_path / f"{end}.wav")
        print(f"{end}: {text}")
        assert word_error_rate(text, MEETING) <= WORD_ERRORS, end

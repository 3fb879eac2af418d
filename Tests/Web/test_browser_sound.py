"""Sound of browsers: WebRTC by aiortc, the SDK's signaling, real services, and a bot.

aiortc has its own ICE, DTLS and SRTP and makes offers like a browser.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from carillon import AttendeeInfo, SessionOptions
from carillon.media import AudioMode, AudioReceiver, AudioSender
from carillon.media.audio.file import AudioFile
from eventually import eventually
from installation import BINARIES
from spoken import MEETING, speak, word_error_rate, words
from test_end_to_end import Attendee
from transcript_listener import TranscriptListener
from Web.browser_peer import RATE, BrowserPeer, Sound, browser_peer, loudest_hertz, loudness
from Web.signaling_client import client_of
from Web.test_sdk_expectations import Browsers, browsers, entries, say_join

pytestmark = pytest.mark.seconds(240)

SILENCE = 42
"""The smallest level of a silent attendee, in dB below full scale. Louder sound has smaller
levels."""
JITTER = "carillon_media_browser_audio_jitter_seconds_count"
PACKETS = "carillon_media_browser_audio_packets_total"

QUIET = 30.0
"""The largest loudness that counts as silence. The tones of these tests have a loudness of
thousands."""


def tone(hertz: float, seconds: float) -> Sound:
    at = np.arange(int(seconds * RATE)) / RATE
    return (9_000 * np.sin(2 * np.pi * hertz * at)).astype(np.int16)


async def bot_of(tea: Browsers, name: str, *, is_muted: bool = False) -> Attendee:
    """Joins as an attendee over ZeroMQ, with a mono mix."""
    return await tea.tea.enter(
        name,
        SessionOptions(
            gateway_url=f"ipc://{tea.tea.installation.client_socket}",
            is_muted=is_muted,
            audio_mode=AudioMode.MONO_48K,
        ),
    )


@asynccontextmanager
async def browser(
    tea: Browsers,
    name: str,
    sound: Sound,
    *,
    is_muted: bool = False,
    waits_for_handshake: bool = False,
) -> AsyncIterator[BrowserPeer]:
    """Runs a browser in the meeting, with a connected peer."""
    who = await tea.tea.create(name)
    async with client_of(tea.tea.installation, tea.tea.meeting.meeting_id, who) as client:
        await say_join(client)
        await client.next("JOIN_ACK")
        connecting = browser_peer(
            client, sound, is_muted=is_muted, waits_for_handshake=waits_for_handshake
        )
        async with connecting as peer:
            peer.attendee_id = who.attendee_id
            yield peer


async def hear(receiver: AudioReceiver, seconds: float) -> Sound:
    """Returns the next seconds of sound that a bot receives."""
    parts = []
    async for frame in receiver:
        parts.append(frame[:, 0])
        if len(parts) >= seconds * 50:
            break
    return np.concatenate(parts)


async def until_loud(peer: BrowserPeer) -> None:
    """Waits until a peer hears sound."""
    async with asyncio.timeout(30):
        while loudness(await peer.hear(0.1)) < 1_000:
            pass


async def test_a_browser_and_a_bot_hear_each_other_but_not_themselves() -> None:
    async with browsers() as tea:
        bot = await bot_of(tea, "bot")
        connection = await bot.session.media.open()
        async with browser(tea, "ada", tone(440, 60)) as ada:
            with AudioReceiver(connection) as receiver, AudioSender(connection) as sender:
                speaking = asyncio.create_task(sender.send(tone(1_000, 20).reshape(-1, 1)))
                await until_loud(ada)
                heard_by_ada = await ada.hear(1)
                heard_by_bot = await hear(receiver, 2)
                speaking.cancel()
        assert loudest_hertz(heard_by_ada) == pytest.approx(1_000, rel=0.01)
        assert loudest_hertz(heard_by_bot[-RATE:]) == pytest.approx(440, rel=0.01)
        assert loudness(heard_by_bot[-RATE:]) > 1_000


async def test_two_browsers_hear_each_other_and_a_muted_browser_is_silent() -> None:
    async with browsers() as tea:
        async with (
            # Media is the client of one DTLS handshake and the server of the other.
            browser(tea, "ada", tone(440, 60), waits_for_handshake=True) as ada,
            browser(tea, "bea", tone(1_000, 60)) as bea,
        ):
            await until_loud(ada)
            await until_loud(bea)
            assert loudest_hertz(await ada.hear(1)) == pytest.approx(1_000, rel=0.01)
            assert loudest_hertz(await bea.hear(1)) == pytest.approx(440, rel=0.01)
            await bea.mute()
            async with asyncio.timeout(30):
                while loudness(await ada.hear(0.2)) > QUIET:
                    pass
            # The mix continues while everybody is silent, so a second of sound arrives within 10 s.
            began = asyncio.get_running_loop().time()
            silence = await ada.hear(1)
            assert asyncio.get_running_loop().time() - began < 10
            assert loudness(silence) < QUIET
            assert loudness(await bea.hear(0.5)) > 1_000


async def test_a_browser_that_joins_muted_hears_others_and_is_not_heard() -> None:
    async with browsers() as tea:
        bot = await bot_of(tea, "bot")
        connection = await bot.session.media.open()
        async with browser(tea, "ada", tone(440, 60), is_muted=True) as ada:
            with AudioReceiver(connection) as receiver, AudioSender(connection) as sender:
                speaking = asyncio.create_task(sender.send(tone(1_000, 20).reshape(-1, 1)))
                await until_loud(ada)
                assert loudness(await hear(receiver, 1)) < QUIET
                speaking.cancel()


async def test_the_sound_returns_when_a_browser_rejoins_after_media_was_killed() -> None:
    async with browsers() as tea:
        bot = await bot_of(tea, "bot")
        connection = await bot.session.media.open()
        with AudioSender(connection) as sender:
            speaking = asyncio.create_task(sender.send(tone(1_000, 60).reshape(-1, 1)))
            client = await tea.start("ada")
            async with browser_peer(client, tone(440, 60)) as ada:
                await until_loud(ada)
                await tea.tea.installation.media.kill()
                assert await client.closed() == 4503
            await tea.tea.installation.media.start()
            await tea.tea.installation.become_ready()
            async with browser(tea, "ada2", tone(440, 60)) as again:
                await until_loud(again)
                assert loudest_hertz(await again.hear(1)) == pytest.approx(1_000, rel=0.01)
            speaking.cancel()


async def test_operators_see_a_browsers_connection_and_the_quality_of_its_sound() -> None:
    async with browsers(media=["--log-format", "json", "--log-level", "debug"]) as tea:
        installation = tea.tea.installation
        media = installation.media
        async with browser(tea, "ada", tone(440, 60)) as ada:

            async def both_ways_are_reported() -> bool:
                counted = await installation.metrics(media)
                round_trips = counted.sum("carillon_media_browser_round_trip_seconds_count")
                return round_trips > 0 and counted.by("direction", JITTER).get("downlink", 0) > 0

            await eventually("reports of both directions", both_ways_are_reported)
        await eventually("the end", lambda: "A browser disconnected" in media.log)
        counted = (await installation.metrics(media)).by("direction", PACKETS)
        steps = await traced(ada.attendee_id, installation.directory / "media-a.log")
    connected, ended = steps["A browser connected"], steps["A browser disconnected"]
    assert connected["dtls.version"] == "DTLSv1.2"
    assert connected["dtls.cipher"].startswith("ECDHE-")
    assert connected["srtp.profile"].startswith("SRTP_A")
    assert re.fullmatch(r"(\S+:\d+) - (\S+:\d+)", connected["ice.pair"])
    assert int(ended["uplink.packets"]) > 0 and int(ended["downlink.packets"]) > 0
    assert ended["round_trip"].endswith(" ms") and ended["downlink.jitter"].endswith(" ms")
    assert (ended["srtp.replays"], ended["srtp.forgeries"]) == ("0", "0")
    assert counted["uplink"] >= int(ended["uplink.packets"])
    assert counted["downlink"] >= int(ended["downlink.packets"])


async def traced(attendee_id: str, log: Path) -> dict[str, dict[str, str]]:
    """Returns the details of each step's last line in `carillon trace`."""
    command = ["trace", "--attendee", attendee_id, "--output", "json", str(log)]
    process = await asyncio.create_subprocess_exec(
        BINARIES / "carillon", *command, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    lines = map(json.loads, output.decode().splitlines())
    return {line["step"]: line["details"] for line in lines}


async def test_another_browser_gets_the_level_of_a_browser_while_it_speaks() -> None:
    async with browsers() as tea:
        bea = await tea.start("bea")
        sentence = await spoken(MEETING, tea.tea.installation.directory)
        async with (
            browser_peer(bea, np.zeros(RATE, np.int16)) as listener,
            browser(tea, "ada", np.concatenate([sentence] * 20)) as ada,
        ):
            await bea.until(lambda: bool(entries(bea, "ada") and entries(bea, "bea")), "both")
            [number] = {each.audio_stream_id for each in entries(bea, "ada")}
            [own] = {each.audio_stream_id for each in entries(bea, "bea")}

            def levels(stream: int, start: int = 0) -> list[int]:
                """Returns the levels of a stream in bea's frames, from the frame `start` on."""
                return [
                    state.volume
                    for frame in bea.frames[start:]
                    for state in frame.audio_metadata.attendee_states
                    if state.audio_stream_id == stream and state.HasField("volume")
                ]

            def loud(start: int = 0) -> list[int]:
                return [level for level in levels(number, start) if level < SILENCE]

            await until_loud(listener)
            await bea.until(lambda: len(loud()) >= 10, "levels of ada")
            assert all(level > 0 for level in levels(number))
            # Bea's own microphone is silent.
            assert all(level >= SILENCE for level in levels(own))
            await ada.mute()
            await bea.until(lambda: any(each.muted for each in entries(bea, "ada")), "the mute")
            # One frame may still contain the last level before the mute.
            await asyncio.sleep(0.5)
            muted = len(bea.frames)
            await asyncio.sleep(2)
            assert loud(muted) == []


async def test_the_speech_of_a_browser_is_transcribed_with_the_attendees_name() -> None:
    flags = {"has_engine": True, "transcription": ["--engine-wait-seconds", "60"]}
    async with browsers(**flags) as tea:
        installation, meeting = tea.tea.installation, tea.tea.meeting
        bot = await bot_of(tea, "bot", is_muted=True)
        listener = TranscriptListener(bot.session)
        await installation.control.start_transcription(meeting, language_code="en-US")
        sentence = await spoken(MEETING, installation.directory)
        # Repeat the sentence, because the engine may mishear single words on a busy machine.
        pause = np.zeros(2 * RATE, np.int16)
        async with browser(tea, "ada", np.concatenate([sentence, pause] * 8)) as ada:
            speaker = AttendeeInfo(ada.attendee_id, "ada")
            count = len(words(MEETING))

            def is_read() -> bool:
                said = words(listener.text(speaker))
                parts = [said[at : at + count] for at in range(len(said))]
                return any(word_error_rate(" ".join(part), MEETING) <= 0.4 for part in parts)

            await listener.until(is_read, 60)


async def spoken(sentence: str, directory: Path) -> Sound:
    """Returns a spoken sentence as mono samples at 48 kHz, after a second of silence."""
    with AudioFile(await speak(sentence, directory), 1) as file:
        parts = [np.zeros((RATE, 1), np.int16)]
        while (part := file.read()) is not None:
            parts.append(part)
    return np.concatenate(parts)[:, 0]

"""Sound of the library in Chromium: two pages and a bot over ZeroMQ in one meeting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.async_api import Page

from carillon import SessionOptions
from carillon.media import AudioMode, AudioReceiver, AudioSender
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page
from Web.browser_peer import Sound, loudest_hertz, loudness
from Web.page_sound import SILENT_DB, listen, microphone, until_heard, until_silent
from Web.test_browser_sound import QUIET, hear, spoken, tone
from Web.test_meeting import FLAGS
from Web.udp_relay import ROUTE_ANSWERS, Loss, UDPRelay

pytestmark = [needs_chromium, pytest.mark.seconds(300)]

BOT_HERTZ = 1_000

START = """async ({ name, withMicrophone, responses }) => {
  const { DeviceController, MeetingSession, meetingSessionConfiguration } =
    await import("/js/carillon/carillon.js");
  const join = async () => {
    const answer = await fetch("/carillon/v1/web/join", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ Meeting: "tea", Name: name, Create: false }),
    });
    return answer.json();
  };
  const { Meeting, Attendee } = responses ?? (await join());
  const devices = new DeviceController();
  if (withMicrophone) await devices.chooseAudioDevice((await devices.listAudioDevices())[0]);
  const configuration = meetingSessionConfiguration(Meeting, Attendee);
  const { audioVideo } = new MeetingSession(configuration, { media: "required", devices });
  const mix = Object.assign(document.createElement("audio"), { id: "library-mix" });
  document.body.append(mix);
  audioVideo.bindAudioElement(mix);
  window.session = audioVideo;
  await new Promise((resolve, reject) => {
    audioVideo.addAudioVideoObserver({
      audioSessionDidStart: resolve,
      audioSessionDidStopWithStatus: ({ name }) => reject(new Error(name)),
    });
    audioVideo.start();
  });
}"""
"""Joins as the attendee of `responses`. Without `responses`, joins the meeting "tea" with a
name."""

NEXT_METRICS = """() => new Promise((resolve) => {
  session.addMetricsObserver({ metricsDidReceive: resolve });
})"""

CHOOSE = """async (at) => {
  await session.chooseAudioDevice((await session.listAudioDevices())[at]);
}"""

KEEP_CONNECTION = """
const createOffer = RTCPeerConnection.prototype.createOffer;
RTCPeerConnection.prototype.createOffer = function (...options) {
  window.connection = this;
  return createOffer.apply(this, options);
};
"""
"""Exposes the library's peer connection to the test."""

TAKEN_FORMATS = """() => {
  const line = /m=audio .*/.exec(connection.remoteDescription.sdp)[0];
  return line.trim().split(" ").slice(3);
}"""
"""Returns the payload types that the answer accepts, preferred first."""

SHARE_TONE = """async (hertz) => {
  const context = new AudioContext();
  const oscillator = new OscillatorNode(context, { frequency: hertz });
  const destination = new MediaStreamAudioDestinationNode(context);
  const gain = new GainNode(context, { gain: 0.3 });
  oscillator.connect(gain).connect(destination);
  oscillator.start();
  const picture = document.createElement("canvas");
  picture.getContext("2d").fillRect(0, 0, picture.width, picture.height);
  const screen = picture.captureStream(5);
  screen.addTrack(destination.stream.getAudioTracks()[0]);
  await session.startContentShare(screen);
}"""
"""Shares a picture with the sound of a tone, as the browser captures a tab."""

START_AGAIN = """() => new Promise((resolve) => {
  session.addAudioVideoObserver({
    audioSessionDidStart: resolve,
    audioSessionDidStopWithStatus: () => session.start(),
  });
  session.stop();
})"""


REBUILT_PACKETS = """async () => {
  for (const report of (await connection.getStats()).values()) {
    if (report.type === "inbound-rtp" && report.kind === "audio") return report.fecPacketsReceived;
  }
  return 0;
}"""
"""Returns the number of copies (in-band FEC) that the page's browser received."""


@asynccontextmanager
async def page_of(
    tea: LiveMeeting,
    name: str,
    *options: str,
    with_microphone: bool = True,
    script: str = "",
    relay: UDPRelay | None = None,
) -> AsyncIterator[Page]:
    """Runs, in a separate browser, a page that joins the meeting and has level meters.

    - Parameter script: A script that the page runs first.
    - Parameter relay: A relay between the page and media.
    """
    async with chromium(*options) as browser:
        page = await new_page(browser)
        await page.add_init_script(script)
        if relay:
            await page.expose_function("routedAnswer", relay.routed_answer)
            await page.add_init_script(ROUTE_ANSWERS)
        # The lobby does not join by itself.
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/")
        await page.evaluate(START, {"name": name, "withMicrophone": with_microphone})
        await listen(page, "#library-mix")
        yield page


async def bot_of(tea: LiveMeeting) -> Attendee:
    return await tea.enter(
        "bot",
        SessionOptions(
            gateway_url=f"ipc://{tea.installation.client_socket}", audio_mode=AudioMode.MONO_48K
        ),
    )


@asynccontextmanager
async def speaking(connection: Any, sound: Sound | None = None) -> AsyncIterator[None]:
    """Sends a bot's sound during the block: a tone by default."""
    sound = tone(BOT_HERTZ, 120) if sound is None else sound
    with AudioSender(connection) as sender:
        task = asyncio.create_task(sender.send(sound.reshape(-1, 1)))
        try:
            yield
        finally:
            task.cancel()


async def until_bot_hears(receiver: AudioReceiver, hertz: float) -> None:
    """Waits until a tone is the loudest that a bot hears."""
    async with asyncio.timeout(40):
        while True:
            heard = await hear(receiver, 0.5)
            if loudness(heard) > 300 and abs(loudest_hertz(heard) - hertz) <= 0.01 * hertz:
                return


async def until_bot_hears_nothing(receiver: AudioReceiver) -> None:
    """Waits for silence: quiet frames or none, because a silent mix is not sent."""
    async with asyncio.timeout(40):
        while loudness(await heard_within_a_second(receiver)) > QUIET:
            pass


async def heard_within_a_second(receiver: AudioReceiver) -> Sound:
    """Returns 200 ms of a bot's received sound, or silence if none arrives within a second."""
    try:
        async with asyncio.timeout(1):
            return await hear(receiver, 0.2)
    except TimeoutError:
        return np.zeros(1, np.int16)


async def test_a_bot_hears_pages_and_a_muted_page_is_silent(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        ada_options = microphone(440, path=tmp_path / "ada.wav")
        bea_options = microphone(700, path=tmp_path / "bea.wav")
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        async with (
            page_of(tea, "ada", *ada_options) as ada,
            page_of(tea, "bea", *bea_options) as bea,
        ):
            with AudioReceiver(connection) as receiver:
                await ada.evaluate("session.realtimeLocalMute()")
                await until_bot_hears(receiver, 700)
                await bea.evaluate("session.realtimeLocalMute()")
                await until_bot_hears_nothing(receiver)
                await ada.evaluate("session.realtimeLocalUnmute()")
                await until_bot_hears(receiver, 440)
            last = await ada.evaluate(NEXT_METRICS)
            assert set(last) == {"audioReceivePacketLossPercent", "audioSendPacketLossPercent"}
            assert all(0 <= value <= 100 for value in last.values())


async def test_a_page_without_a_microphone_is_silent_and_may_choose_one_later(
    tmp_path: Path,
) -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        options = microphone(440, path=tmp_path / "ada.wav")
        async with page_of(tea, "ada", *options, with_microphone=False) as ada:
            with AudioReceiver(connection) as receiver:
                assert loudness(await hear(receiver, 0.5)) < QUIET
                await ada.evaluate(CHOOSE, 0)
                await until_bot_hears(receiver, 440)
                # Without a device, and later with another device, the connection stays the same.
                await ada.evaluate("session.chooseAudioDevice(null)")
                await until_bot_hears_nothing(receiver)
                await ada.evaluate(CHOOSE, 1)
                await until_bot_hears(receiver, 440)


async def test_redundant_audio_is_preferred_and_heard(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        options = microphone(440, path=tmp_path / "ada.wav")
        async with page_of(tea, "ada", *options, script=KEEP_CONNECTION) as ada:
            with AudioReceiver(connection) as receiver:
                await until_bot_hears(receiver, 440)
            assert await ada.evaluate(TAKEN_FORMATS) == ["63", "111"]
            async with speaking(connection):
                await until_heard(ada, BOT_HERTZ)


async def test_a_restarted_session_keeps_the_microphone(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        async with page_of(tea, "ada", *microphone(440, path=tmp_path / "ada.wav")) as ada:
            with AudioReceiver(connection) as receiver:
                await until_bot_hears(receiver, 440)
                await ada.evaluate(START_AGAIN)
                await until_bot_hears(receiver, 440)


async def test_pages_hear_each_other_and_a_bot(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        ada_options = microphone(440, path=tmp_path / "ada.wav")
        bea_options = microphone(700, path=tmp_path / "bea.wav")
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        async with (
            page_of(tea, "ada", *ada_options) as ada,
            page_of(tea, "bea", *bea_options) as bea,
        ):
            await until_heard(ada, 700)
            await until_heard(bea, 440)
            assert await ada.evaluate("loudestHertz()") == pytest.approx(700, rel=0.01)
            async with speaking(connection):
                await until_heard(ada, BOT_HERTZ)
                await until_heard(bea, BOT_HERTZ)
            await bea.evaluate("session.realtimeLocalMute()")
            await until_silent(ada, 700)


async def test_everybody_but_the_sharer_hears_the_sound_of_a_shared_tab(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        ada_options = microphone(440, path=tmp_path / "ada.wav")
        bea_options = microphone(700, path=tmp_path / "bea.wav")
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        async with (
            page_of(tea, "ada", *ada_options) as ada,
            page_of(tea, "bea", *bea_options) as bea,
        ):
            await ada.evaluate(SHARE_TONE, 1_500)
            await until_heard(bea, 1_500)
            await until_heard(bea, 440)
            with AudioReceiver(connection) as receiver:
                # A mute applies to the microphone alone.
                await ada.evaluate("session.realtimeLocalMute()")
                await bea.evaluate("session.realtimeLocalMute()")
                await until_bot_hears(receiver, 1_500)
                await bea.evaluate("session.realtimeLocalUnmute()")
                await until_heard(ada, 700)
                assert await ada.evaluate("levelAt(1500)") < SILENT_DB
                await ada.evaluate("session.stopContentShare()")
                await until_silent(bea, 1_500)
                await until_bot_hears(receiver, 700)


async def test_a_page_that_loses_packets_gets_copies_of_lost_speech(tmp_path: Path) -> None:
    speech = np.tile(await spoken("The quick brown fox jumps over the lazy dog", tmp_path), 30)
    relay = UDPRelay(Loss(1, 0.0), Loss(2, 0.1))
    try:
        async with live_meeting(gateway=FLAGS) as tea:
            bot = await bot_of(tea)
            connection = await bot.session.media.open()
            options = microphone(440, path=tmp_path / "ada.wav")
            async with (
                page_of(tea, "ada", *options, script=KEEP_CONNECTION, relay=relay) as ada,
                speaking(connection, speech),
                asyncio.timeout(60),
            ):
                # The page's first report of losses makes media add copies.
                while await ada.evaluate(REBUILT_PACKETS) < 20:
                    await asyncio.sleep(0.2)
    finally:
        relay.close()
    assert relay.down.lost > 0

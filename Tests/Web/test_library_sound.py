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
from Web.page_sound import listen, microphone, until_heard, until_silent
from Web.test_browser_sound import QUIET, hear, tone
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, pytest.mark.seconds(300)]

BOT_HERTZ = 1_000

START = """async ({ name, withMicrophone }) => {
  const { DeviceController, MeetingSession, meetingSessionConfiguration } =
    await import("/js/carillon/carillon.js");
  const answer = await fetch("/carillon/v1/web/join", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ Meeting: "tea", Name: name, Create: false }),
  });
  const { Meeting, Attendee } = await answer.json();
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

START_AGAIN = """() => new Promise((resolve) => {
  session.addAudioVideoObserver({
    audioSessionDidStart: resolve,
    audioSessionDidStopWithStatus: () => session.start(),
  });
  session.stop();
})"""


@asynccontextmanager
async def page_of(
    tea: LiveMeeting, name: str, *options: str, with_microphone: bool = True, script: str = ""
) -> AsyncIterator[Page]:
    """Runs, in a separate browser, a page that joins the meeting and has level meters.

    - Parameter script: A script that the page runs first.
    """
    async with chromium(*options) as browser:
        page = await new_page(browser)
        await page.add_init_script(script)
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
async def speaking(connection: Any) -> AsyncIterator[None]:
    """Sends a bot's tone during the block."""
    with AudioSender(connection) as sender:
        task = asyncio.create_task(sender.send(tone(BOT_HERTZ, 120).reshape(-1, 1)))
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
                # Another device replaces this device on the same connection.
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

"""Sound of the library in Firefox: a page and a bot over ZeroMQ in one meeting."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from carillon.media import AudioReceiver
from test_end_to_end import live_meeting
from Web.firefox import MICROPHONE_HERTZ, FirefoxPage, firefox, needs_firefox
from Web.test_library_sound import (
    BOT_HERTZ,
    START,
    bot_of,
    speaking,
    until_bot_hears,
    until_bot_hears_nothing,
)
from Web.test_meeting import FLAGS

LOUDNESS = """async (hertz) => {
  const recorder = new MediaRecorder(document.querySelector("#library-mix").srcObject);
  const pieces = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  recorder.start();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.stop();
  await stopped;
  const bytes = await new Blob(pieces).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes);
  const samples = sound.getChannelData(0).slice(-24_000);
  const turn = (2 * Math.PI * hertz) / sound.sampleRate;
  const sum = (wave) => samples.reduce((total, each, at) => total + each * wave(turn * at), 0);
  return (2 * Math.hypot(sum(Math.cos), sum(Math.sin))) / samples.length;
}"""
"""Returns the amplitude of a tone in half a second of the mix, from 0 to 1.

Without a sound device Firefox runs no `AudioContext`, so this function records and decodes the mix.
"""


async def until_heard(page: FirefoxPage, hertz: float) -> None:
    """Waits until a page hears a tone."""
    amplitude = 0.0
    try:
        async with asyncio.timeout(60):
            while amplitude < 0.02:
                amplitude = await page.evaluate(LOUDNESS, hertz)
    except TimeoutError:
        raise AssertionError(f"{hertz} Hz were not heard; the amplitude is {amplitude}") from None


pytestmark = [needs_firefox, pytest.mark.seconds(300)]


async def test_a_page_in_firefox_and_a_bot_hear_each_other(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea, firefox(tmp_path) as page:
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/")
        await page.evaluate(START, {"name": "ada", "withMicrophone": True})
        with AudioReceiver(connection) as receiver:
            await until_bot_hears(receiver, MICROPHONE_HERTZ)
            await page.evaluate("session.realtimeLocalMute()")
            await until_bot_hears_nothing(receiver)
            await page.evaluate("session.realtimeLocalUnmute()")
            await until_bot_hears(receiver, MICROPHONE_HERTZ)
        async with speaking(connection):
            await until_heard(page, BOT_HERTZ)

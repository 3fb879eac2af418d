"""Sound of pages: files for Chromium's fake microphone, and level meters for a page."""

from __future__ import annotations

import asyncio
import wave
from pathlib import Path

import numpy as np
from playwright.async_api import Page

from Web.browser import PATIENCE_MS
from Web.browser_peer import RATE, Sound

EARS = """(element) => {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 32768, smoothingTimeConstant: 0 });
  const levels = new Float32Array(analyser.frequencyBinCount);
  let heard = null;
  const listen = () => {
    const mix = element.srcObject;
    if (mix && mix !== heard) context.createMediaStreamSource((heard = mix)).connect(analyser);
    analyser.getFloatFrequencyData(levels);
  };
  const bin = (hertz) => Math.round((hertz * analyser.fftSize) / context.sampleRate);
  // The loudest within 1 % of a frequency, in dBFS.
  window.levelAt = (hertz) => {
    listen();
    return Math.max(...levels.subarray(bin(hertz * 0.99), bin(hertz * 1.01) + 1));
  };
  window.loudestHertz = () => {
    listen();
    return (levels.indexOf(Math.max(...levels)) * context.sampleRate) / analyser.fftSize;
  };
}"""
"""Adds `levelAt(hertz)` and `loudestHertz()` to a page, for the mix that an element plays."""

LOUD_DB = -45
"""The lowest level of a heard tone, in dBFS. The files' tones have at least -20 dBFS."""
SILENT_DB = -75


def microphone(*hertz: float, path: Path) -> list[str]:
    """Returns Chromium's option for a fake microphone that plays tones."""
    at = np.arange(RATE) / RATE
    sound = sum((np.sin(2 * np.pi * each * at) for each in hertz), np.zeros(RATE))
    return microphone_of((9_000 * sound / len(hertz)).astype(np.int16), path)


def microphone_of(sound: Sound, path: Path) -> list[str]:
    """Returns Chromium's option for a fake microphone that repeats a sound."""
    write_wave(sound, path)
    return [f"--use-file-for-fake-audio-capture={path}"]


def write_wave(sound: Sound, path: Path, rate: int = RATE) -> None:
    """Writes a WAV file with one channel."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(sound.astype("<i2").tobytes())


async def listen(page: Page, element: str) -> None:
    """Adds level meters to a page for the sound that an element plays."""
    await page.locator(element).evaluate(EARS)


async def until_heard(page: Page, hertz: float) -> None:
    """Waits until a page hears a tone."""
    await until(page, f"levelAt({hertz}) > {LOUD_DB}", hertz)


async def until_silent(page: Page, hertz: float) -> None:
    """Waits until a page no longer hears a tone."""
    await until(page, f"levelAt({hertz}) < {SILENT_DB}", hertz)


async def until(page: Page, condition: str, hertz: float) -> None:
    """Waits for a condition. The page's policy forbids `wait_for_function`, which uses eval."""
    try:
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while not await page.evaluate(condition):
                await asyncio.sleep(0.05)
    except TimeoutError:
        level = await page.evaluate(f"levelAt({hertz})")
        raise AssertionError(f"{condition} did not happen; the level is {level} dB") from None


METER_MOVES = """() => new Promise((resolve) => {
  const meter = document.querySelector("#level");
  const look = () => (meter.value > 0 ? resolve(true) : requestAnimationFrame(look));
  look();
})"""


async def until_the_meter_moves(page: Page) -> None:
    """Waits until the page shows a level of the microphone above zero.

    Chromium's fake microphone beeps for 20 ms every 500 ms. A test that looks twice a second may
    miss every beep, so the page looks at each of its frames.
    """
    try:
        async with asyncio.timeout(PATIENCE_MS / 1000):
            await page.evaluate(METER_MOVES)
    except TimeoutError:
        raise AssertionError("The level of the microphone stays at zero.") from None


REFUSE_ONCE = """(() => {
  const { prototype } = HTMLMediaElement;
  const play = prototype.play;
  prototype.play = () => {
    prototype.play = play;
    return Promise.reject(new DOMException("", "NotAllowedError"));
  };
})()"""
"""Blocks the first playback, as browsers do before any user interaction. A click permits
playback."""

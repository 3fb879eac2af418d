"""Video of pages: files for Chromium's fake camera, a fake screen, and checks of shown pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from playwright.async_api import Locator

from carillon.media.pattern import frame_counter
from Web.browser import PATIENCE_MS

WIDTH, HEIGHT = 320, 240
BITS = 5
"""A picture shows its number at the bottom, one block per bit, the lowest bit on the left."""
FRAMES = 2**BITS
STRIP = 60
"""The height of the blocks that show a picture's number, in pixels."""
PER_SECOND = 15

Colour = tuple[int, int, int]
RED: Colour = (200, 40, 40)
BLUE: Colour = (40, 60, 200)
GREEN: Colour = (30, 170, 60)
YELLOW: Colour = (200, 180, 40)
NEAR = 45
"""The largest error of a colour channel after two conversions and a codec."""


class Sight(NamedTuple):
    """The picture that a video shows."""

    colour: Colour
    number: int


def camera(colour: Colour, path: Path) -> list[str]:
    """Returns Chromium's option for a fake camera: numbered pictures of one colour."""
    write_film(colour, path)
    return [f"--use-file-for-fake-video-capture={path}"]


def write_film(colour: Colour, path: Path) -> None:
    """Writes a YUV4MPEG2 file with numbered pictures of one colour."""
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{PER_SECOND}:1 Ip A1:1 C420jpeg\n".encode())
        for number in range(FRAMES):
            planes = numbered_picture(colour, number)
            file.write(b"FRAME\n" + b"".join(plane.tobytes() for plane in planes))


def numbered_picture(colour: Colour, number: int) -> list[npt.NDArray[np.uint8]]:
    """Returns the three planes of a picture that shows its number for pages and for bots.

    Pages read the blocks at the bottom, and bots read the row at the top.
    """
    luma, blue, red = _yuv(colour)
    plane = np.full((HEIGHT, WIDTH), luma, np.uint8)
    chroma = [np.full((HEIGHT // 2, WIDTH // 2), 128, np.uint8) for _ in range(2)]
    for each, value in zip(chroma, (blue, red), strict=True):
        each[: (HEIGHT - STRIP) // 2] = value
    for bit in range(BITS):
        block = slice(bit * WIDTH // BITS, (bit + 1) * WIDTH // BITS)
        plane[HEIGHT - STRIP :, block] = 235 if number >> bit & 1 else 16
    frame_counter.draw(number, plane)
    return [plane, *chroma]


def _yuv(colour: Colour) -> Colour:
    """Converts a colour to BT.601."""
    red, green, blue = (channel / 255 for channel in colour)
    luma = 16 + 65.481 * red + 128.553 * green + 24.966 * blue
    to_blue = 128 - 37.797 * red - 74.203 * green + 112 * blue
    to_red = 128 + 112 * red - 93.786 * green - 18.214 * blue
    return round(luma), round(to_blue), round(to_red)


FAKE_SCREEN = f"""(() => {{
  const draw = (context, number) => {{
    context.fillStyle = "rgb{GREEN}";
    context.fillRect(0, 0, {WIDTH}, {HEIGHT});
    for (let bit = 0; bit < {BITS}; bit += 1) {{
      context.fillStyle = (number >> bit) & 1 ? "white" : "black";
      const width = {WIDTH} / {BITS};
      context.fillRect(bit * width, {HEIGHT - STRIP}, width, {STRIP});
    }}
  }};
  const capture = async (options) => {{
    window.screenOptions = options;
    const canvas = Object.assign(document.createElement("canvas"), {{
      width: {WIDTH}, height: {HEIGHT},
    }});
    const context = canvas.getContext("2d");
    let number = 0;
    const clock = setInterval(() => draw(context, (number = (number + 1) % {FRAMES})), 100);
    const stream = canvas.captureStream();
    window.endScreen = () => {{
      clearInterval(clock);
      const [track] = stream.getTracks();
      track.stop();
      track.dispatchEvent(new Event("ended"));
    }};
    return stream;
  }};
  navigator.mediaDevices.getDisplayMedia = capture;
}})()"""
"""Gives a page a fake screen to share, without a dialog in which a user chooses the screen.

`endScreen()` has the effect of the browser's own button that ends a share. `screenOptions` contains
the options that the page requested.
"""

LOOK = f"""(video) => {{
  if (!video || video.hidden || !video.videoWidth) return null;
  const canvas = Object.assign(document.createElement("canvas"), {{
    width: {WIDTH}, height: {HEIGHT},
  }});
  const context = canvas.getContext("2d", {{ willReadFrequently: true }});
  context.drawImage(video, 0, 0, {WIDTH}, {HEIGHT});
  const mean = (x, y) => {{
    const {{ data }} = context.getImageData(x - 5, y - 5, 10, 10);
    return [0, 1, 2].map((channel) => {{
      let sum = 0;
      for (let at = channel; at < data.length; at += 4) sum += data[at];
      return Math.round(sum / (data.length / 4));
    }});
  }};
  let number = 0;
  for (let bit = 0; bit < {BITS}; bit += 1) {{
    const [red] = mean(((bit + 0.5) * {WIDTH}) / {BITS}, {HEIGHT - STRIP // 2});
    if (red > 127) number |= 1 << bit;
  }}
  return {{ colour: mean({WIDTH // 2}, {(HEIGHT - STRIP) // 2}), number }};
}}"""
"""Returns the colour and the number in a video's picture, or `null` before the first picture."""


async def until_seen(video: Locator, colour: Colour, *, pictures: int = 5) -> None:
    """Waits until an element shows several different pictures of a colour."""
    await until_sights(lambda: video.evaluate(LOOK), colour, pictures=pictures)


async def until_sights(
    look: Callable[[], Awaitable[Any]], colour: Colour, *, pictures: int = 5
) -> None:
    """Waits until a video shows several different pictures of a colour.

    - Parameter look: Runs `LOOK` in the browser, and returns the result.
    """
    sight: Sight | None = None
    numbers: set[int] = set()
    try:
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while len(numbers) < pictures:
                seen = await look()
                sight = Sight(tuple(seen["colour"]), seen["number"]) if seen else None
                if sight and all(
                    abs(is_now - wanted) <= NEAR
                    for is_now, wanted in zip(sight.colour, colour, strict=True)
                ):
                    numbers.add(sight.number)
                await asyncio.sleep(0.03)
    except TimeoutError:
        raise AssertionError(
            f"{colour} was not seen: {sight}, {len(numbers)} of {pictures} pictures"
        ) from None

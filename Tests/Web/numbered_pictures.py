"""Moving pictures that contain their number, so that a test can compare each decoded picture with
the picture that was sent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import av
import numpy as np
import numpy.typing as npt

Luma = npt.NDArray[np.uint8]
"""The luma of a picture: rows of pixels from 16 (black) to 235 (white)."""

BITS = 10
"""The length of a number. The bottom of a picture shows its number, one block for each bit, the
lowest bit on the left."""
NUMBERS = 2**BITS
LEAST_FIDELITY = 25.0
"""The lowest PSNR of a picture that is not broken, in dB. The PSNR of two successive pictures is
lower, so a picture with the content of the previous picture counts as broken, too."""
STRIP = 1 / 6
"""The height of the blocks, as a share of the picture's height."""


@lru_cache(maxsize=64)
def luma_of(number: int, width: int, height: int) -> Luma:
    """Returns the luma of a picture. Pictures of all sizes have the same content."""
    x, y = np.arange(width) / width, np.arange(height)[:, None] / height
    across = np.sin(2 * np.pi * (2.5 * x + number / 16))
    down = np.cos(2 * np.pi * (1.5 * y + number / 23))
    luma = np.round(125 + 80 * across * down).astype(np.uint8)
    top = height - round(height * STRIP)
    for bit in range(BITS):
        block = slice(bit * width // BITS, (bit + 1) * width // BITS)
        luma[top:, block] = 235 if number >> bit & 1 else 16
    return luma


def numbered(number: int, width: int, height: int) -> av.VideoFrame:
    """Returns a gray picture with this number."""
    planes = np.full((height * 3 // 2, width), 128, np.uint8)
    planes[:height] = luma_of(number % NUMBERS, width, height)
    return av.VideoFrame.from_ndarray(planes, format="yuv420p")


def number_in(luma: Luma) -> int:
    """Reads the number of a picture."""
    height, width = luma.shape
    row = height - round(height * STRIP / 2)
    number = 0
    for bit in range(BITS):
        column = (2 * bit + 1) * width // (2 * BITS)
        number |= int(luma[row - 2 : row + 3, column - 2 : column + 3].mean() > 125) << bit
    return number


def fidelity(frame: av.VideoFrame) -> float:
    """Returns the PSNR of a decoded picture against the sent picture of its number, in dB."""
    luma = frame.to_ndarray(format="yuv420p")[: frame.height].astype(np.uint8)
    sent = luma_of(number_in(luma), frame.width, frame.height)
    return psnr(luma, sent)


def worst_fidelity(frames: Iterable[av.VideoFrame]) -> float:
    """Returns the lowest PSNR of decoded pictures, in dB."""
    return min(map(fidelity, frames))


def psnr(luma: Luma, other: Luma) -> float:
    """Returns the peak signal-to-noise ratio of two pictures, in dB."""
    error = float(np.mean((luma.astype(np.float64) - other) ** 2))
    return 10 * math.log10(255**2 / error) if error else math.inf

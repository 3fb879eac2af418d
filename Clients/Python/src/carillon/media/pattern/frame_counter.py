"""A number in a picture, drawn so that a reader can still read it after video encoding.

The format is that of `FrameCounter` in the Swift client. A row of black and white blocks covers the
full width and the top twelfth of the picture. From left to right, two blocks mark the start of the
row, sixteen contain the number (highest bit first), four contain a checksum, and two mark the end.
"""

from __future__ import annotations

import av
import numpy as np
import numpy.typing as npt

_DATA_BITS = 16
_BLOCKS = 2 + _DATA_BITS + 4 + 2
_BLACK, _WHITE = 16, 235

MODULUS = 1 << _DATA_BITS
"""The number at which counting restarts from 0."""
LEAST_WIDTH, LEAST_HEIGHT = _BLOCKS * 4, 48
"""The size of the smallest picture with room for a number, in pixels."""

Luma = npt.NDArray[np.uint8]
"""The luma plane of a picture, by row and column."""


def draw(number: int, luma: Luma) -> None:
    """Draws a number modulo `MODULUS`. Draws nothing if the picture is too small."""
    height, width = luma.shape
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return
    blocks = np.where(np.array(_bits(number)), _WHITE, _BLACK).astype(np.uint8)
    luma[: height // 12] = blocks[np.arange(width) * _BLOCKS // width]


def read(picture: av.VideoFrame) -> int | None:
    """Returns the number in a decoded picture; `None` if the picture has no valid number."""
    width, height = picture.width, picture.height
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return None
    strip = picture.to_ndarray(format="gray")[height // 48 : height // 16]
    bits = []
    for block in range(_BLOCKS):
        # The counter reads only the middle of the block, because the edges blur into the
        # neighbours.
        left = (4 * block + 1) * width // (4 * _BLOCKS)
        right = max(left + 1, (4 * block + 3) * width // (4 * _BLOCKS))
        bits.append(bool(strip[:, left:right].mean() > 126))
    number = 0
    for bit in bits[2 : 2 + _DATA_BITS]:
        number = number << 1 | bit
    return number if bits == _bits(number) else None


def _bits(number: int) -> list[bool]:
    number &= MODULUS - 1
    check = (number ^ number >> 4 ^ number >> 8 ^ number >> 12 ^ 0xA) & 0xF
    data = [bool(number >> place & 1) for place in reversed(range(_DATA_BITS))]
    return [True, False, *data, *(bool(check >> place & 1) for place in (3, 2, 1, 0)), False, True]

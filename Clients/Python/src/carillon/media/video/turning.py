"""Turning pictures upright, because phones record upright pictures sideways."""

from __future__ import annotations

import struct
from typing import Any

import av
import av.filter

_MATRIX = struct.Struct("=9i")
Filters = tuple[tuple[str, str], ...]
"""FFmpeg filters, each with its arguments."""

# Vertical flips use `transpose`: libavfilter's `vflip` yields rows in reverse memory order.
_KEPT: dict[tuple[bool, bool], Filters] = {
    (False, False): (),
    (True, False): (("hflip", ""),),
    (False, True): (("transpose", "cclock_flip"), ("transpose", "cclock")),
    (True, True): (("transpose", "clock"), ("transpose", "clock")),
}
_ON_ITS_SIDE: dict[tuple[bool, bool], Filters] = {
    (False, False): (("transpose", "cclock_flip"),),
    (True, False): (("transpose", "clock"),),
    (False, True): (("transpose", "cclock"),),
    (True, True): (("transpose", "clock_flip"),),
}
"""The filters that reverse the order of the columns, the rows, or both.

In a picture on its side, columns and rows are swapped."""


def filters(matrix: bytes) -> Filters:
    """Returns the filters that apply a display matrix by quarter turns and mirroring.

    The matrix has nine 32-bit numbers, `a b u c d v x y w`. The matrix moves the point `(x, y)` to
    `(a x + c y, b x + d y)`; the reader ignores the translation (ISO/IEC 14496-12, 8.3.2;
    libavutil's `display.h`). Other angles are rounded to the nearest quarter turn.
    """
    if len(matrix) != _MATRIX.size:
        return ()
    a, b, _, c, d, *_ = _MATRIX.unpack(matrix)
    if abs(b) + abs(c) > abs(a) + abs(d):
        return _ON_ITS_SIDE[c < 0, b < 0]
    return _KEPT[a < 0, d < 0]


_QUARTERS: tuple[Filters, ...] = (
    (),
    (("transpose", "clock"),),
    (("transpose", "clock"), ("transpose", "clock")),
    (("transpose", "cclock"),),
)
"""The filters by the number of clockwise quarter turns."""


class PictureTurner:
    """Turns the pictures of one file or track. Its methods block."""

    def __init__(self) -> None:
        self._graph: av.filter.Graph | None = None
        self._made_for: tuple[int, int, str, Filters] | None = None

    def turn(self, picture: av.VideoFrame) -> av.VideoFrame:
        """Applies the display matrix of a picture. Returns an upright picture unchanged."""
        return self._turn(picture, filters(_matrix(picture)))

    def turn_quarters(self, picture: av.VideoFrame, quarters: int) -> av.VideoFrame:
        """Turns a picture clockwise by 0-3 quarters. The picture keeps its time."""
        return self._turn(picture, _QUARTERS[quarters])

    def _turn(self, picture: av.VideoFrame, wanted: Filters) -> av.VideoFrame:
        if not wanted:
            return picture
        graph = self._graph_for(picture, wanted)
        graph.push(picture)
        turned = graph.pull()
        assert isinstance(turned, av.VideoFrame)
        turned.pts, turned.time_base = picture.pts, picture.time_base
        return turned

    def _graph_for(self, picture: av.VideoFrame, wanted: Filters) -> av.filter.Graph:
        made_for = picture.width, picture.height, picture.format.name, wanted
        if self._graph is None or self._made_for != made_for:
            self._graph, self._made_for = _graph(picture, wanted), made_for
        return self._graph


def _matrix(picture: av.VideoFrame) -> bytes:
    """Returns the display matrix of a picture, or empty bytes if it has none."""
    side_data: Any = picture.side_data  # This is a mapping, although PyAV's types say otherwise.
    found = side_data.get("DISPLAYMATRIX")
    return b"" if found is None else bytes(found)


def _graph(picture: av.VideoFrame, wanted: Filters) -> av.filter.Graph:
    graph = av.filter.Graph()
    source = graph.add_buffer(
        width=picture.width,
        height=picture.height,
        format=picture.format,
        time_base=picture.time_base,
    )
    turns = [graph.add(name, arguments) for name, arguments in wanted]
    graph.link_nodes(source, *turns, graph.add("buffersink")).configure()
    return graph

"""The player shows rotated or mirrored films upright."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from carillon import VideoCodec
from carillon.media import VideoReceiver, play
from carillon.media.video.file import VideoFile
from carillon.media.video.turning import PictureTurner, filters
from carillon.v1 import video_tiles_pb2
from scripted_gateway import ScriptedGateway
from scripted_media import ScriptedMedia, media_moved
from test_media_bots import TRACK, mirror, serve_video
from test_session import joining

Picture = npt.NDArray[np.uint8]
Matrix = tuple[int, int, int, int]
WIDTH, HEIGHT = 128, 64
COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": (255,) * 3}
MATRICES: list[Matrix] = [
    *((a, 0, 0, d) for a, d in product((1, -1), repeat=2)),
    *((0, b, c, 0) for b, c in product((1, -1), repeat=2)),
]
UPRIGHT_PHONE: Matrix = (0, 1, -1, 0)


def scene() -> Picture:
    """Returns a picture with red and green above blue and white. Each turn or mirroring changes
    this picture."""
    made = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for number, colour in enumerate(COLOURS.values()):
        top, left = number // 2 * HEIGHT // 2, number % 2 * WIDTH // 2
        made[top : top + HEIGHT // 2, left : left + WIDTH // 2] = colour
    return made


def film(
    path: Path, matrix: Matrix = (1, 0, 0, 1), codec: str = "libx264", frames: int = 3
) -> Path:
    """Writes a film of the scene with this matrix in its header, as phones do."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", 15)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(scene(), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 15)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    header = bytearray(path.read_bytes())
    # In version 0 of a track header, the matrix is 40 bytes after the name `tkhd` (ISO/IEC
    # 14496-12, 8.3.2).
    at = header.index(b"tkhd") + 4 + 40
    a, b, c, d = (number << 16 for number in matrix)
    assert struct.unpack_from(">9i", header, at) == (1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    struct.pack_into(">9i", header, at, a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(header)
    return path


def seen_by(matrix: Matrix) -> list[str]:
    """Returns the colours from top left to bottom right, by the definition of the matrix."""
    a, b, c, d = matrix
    places = {}
    for number, colour in enumerate(COLOURS):
        x, y = number % 2 * 2 - 1, number // 2 * 2 - 1
        places[b * x + d * y, a * x + c * y] = colour
    return [places[place] for place in [(-1, -1), (-1, 1), (1, -1), (1, 1)]]


def corners(picture: av.VideoFrame) -> list[str]:
    """Returns the colours in the middle of each quarter, from top left to bottom right."""
    pixels = picture.to_ndarray(format="rgb24").astype(int)
    height, width, _ = pixels.shape
    found = []
    for top, left in product((height // 4, 3 * height // 4), (width // 4, 3 * width // 4)):
        distances = {
            name: abs(pixels[top, left] - colour).sum() for name, colour in COLOURS.items()
        }
        found.append(min(distances, key=lambda name: distances[name]))
    return found


def pictures(path: Path) -> Iterator[av.VideoFrame]:
    with VideoFile(path) as file:
        while (picture := file.read()) is not None:
            yield picture


@pytest.mark.parametrize("matrix", MATRICES, ids=str)
def test_a_film_is_shown_in_the_orientation_that_its_matrix_contains(
    tmp_path: Path, matrix: Matrix
) -> None:
    path = film(tmp_path / "film.mp4", matrix)
    size = (HEIGHT, WIDTH) if matrix[0] == 0 else (WIDTH, HEIGHT)
    with VideoFile(path) as file:
        assert (file.width, file.height) == size
    found = list(pictures(path))
    assert len(found) == 3
    assert [corners(picture) for picture in found] == [seen_by(matrix)] * 3
    assert {(picture.width, picture.height) for picture in found} == {size}
    assert [round(picture.time * 15) for picture in found] == [0, 1, 2]


@pytest.mark.parametrize(("degrees", "hflip"), list(product((0, 90, 180, 270), (False, True))))
def test_a_film_is_shown_in_the_orientation_that_pyav_reports(
    tmp_path: Path, degrees: int, hflip: bool
) -> None:
    path = tmp_path / "film.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libvpx", 15)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.set_display_rotation(degrees, hflip=hflip)
        frame = av.VideoFrame.from_ndarray(scene(), format="rgb24")
        container.mux([*stream.encode(frame), *stream.encode(None)])
    turned = np.rot90(np.array([["red", "green"], ["blue", "white"]]), degrees // 90)
    expected = np.fliplr(turned) if hflip else turned
    (picture,) = pictures(path)
    assert corners(picture) == list(expected.flat)


@pytest.mark.parametrize("format", ["yuv420p", "yuv422p", "yuv444p", "nv12", "rgb24", "gray"])
@pytest.mark.parametrize("size", [(127, 63), (128, 64)])
def test_pictures_of_every_kind_and_size_are_rotated(
    tmp_path: Path, format: str, size: tuple[int, int]
) -> None:
    with av.open(str(film(tmp_path / "film.mp4", UPRIGHT_PHONE))) as container:
        decoded = next(container.decode(video=0))
        assert decoded.side_data.get("DISPLAYMATRIX") is not None
        turner = PictureTurner()
        for width, height in (size, (64, 32), size):
            picture = decoded.reformat(width, height, format)
            assert picture.side_data.get("DISPLAYMATRIX") is not None
            turned = turner.turn(picture)
            assert (turned.width, turned.height) == (height, width)
            assert format == "gray" or corners(turned) == seen_by(UPRIGHT_PHONE)


def test_other_angles_are_rounded_to_quarters_and_invalid_matrices_are_ignored() -> None:
    tilted = struct.pack("=9i", 1 << 14, 60_000, 0, -60_000, 1 << 14, 0, 0, 0, 1 << 30)
    assert filters(tilted) == (("transpose", "clock"),)
    assert filters(b"") == () == filters(bytes(36))


@pytest.mark.alone
@pytest.mark.parametrize("codec", [VideoCodec.VP8, VideoCodec.H264])
async def test_an_upright_film_is_played_upright(
    gateway: ScriptedGateway, socket_directory: Path, codec: VideoCodec
) -> None:
    """The published layer has the upright size, and a viewer gets upright pictures."""
    path = film(socket_directory / "film.mp4", UPRIGHT_PHONE, frames=8)
    layers: list[video_tiles_pb2.VideoLayer] = []
    async with ScriptedMedia(f"ipc://{socket_directory}/m") as peer:
        peer.change = mirror
        async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
            await gateway.events(media_moved(peer.endpoint))
            serving = tasks.create_task(serve_video(gateway, [], layers))
            with VideoReceiver(await session.media.open(), TRACK) as receiver:
                playing = tasks.create_task(play(session, path, codec=codec))
                picture = await anext(receiver)
                assert corners(picture) == seen_by(UPRIGHT_PHONE)
                assert (picture.width, picture.height) == (HEIGHT, WIDTH)
                assert (await playing).video_frames == 8
            serving.cancel()
    assert [(layer.width, layer.height) for layer in layers] == [(HEIGHT, WIDTH)]

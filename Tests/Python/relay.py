"""Forwards connections from one address to another: `python relay.py HOST:PORT HOST:PORT`. It
simulates a network in front of a service that listens on loopback only."""

from __future__ import annotations

import asyncio
import sys
from functools import partial


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    except OSError:
        pass
    finally:
        sink.close()


async def _serve(
    target: tuple[str, str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        far_reader, far_writer = await asyncio.open_connection(*target)
    except OSError:
        writer.close()
        return
    await asyncio.gather(_pass(reader, far_writer), _pass(far_reader, writer))


async def main(listen: str, target: str) -> None:
    host, _, port = listen.rpartition(":")
    far_host, _, far_port = target.rpartition(":")
    server = await asyncio.start_server(partial(_serve, (far_host, far_port)), host, int(port))
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

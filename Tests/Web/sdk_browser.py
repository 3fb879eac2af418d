"""A client that reconnects like the public SDK: WebRTC by aiortc, the SDK's back-off and codes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from carillon import Credentials
from test_end_to_end import LiveMeeting
from Web.browser_peer import BrowserPeer, Sound, browser_peer, loudness
from Web.signaling_client import SignalingClient, client_of
from Web.test_sdk_expectations import say_join

SOUND = 1_000
"""The loudness that every tone exceeds, in units of a sample."""


def comes_back(code: int | None) -> bool:
    """Returns whether the SDK rejoins after a close with this code."""
    return code is None or code == 1006 or 4500 <= code <= 4599


@dataclass
class Outage:
    """An outage of a client, from the close of a connection until the client is connected again."""

    code: int | None
    began: float
    """The time of the close, by the event loop's clock."""
    waited: float = 0.0
    """The total of the client's back-offs, in seconds."""
    attempts: int = 0


class SDKBrowser:
    """One attendee with all its connections."""

    def __init__(self, tea: LiveMeeting, who: Credentials, sound: Sound, seed: int) -> None:
        self.who = who
        self.outages: list[Outage] = []
        self.peer: BrowserPeer | None = None
        """The client's peer connection; `None` while there is none."""
        self.clients: list[SignalingClient] = []
        """All connections that joined, in order."""
        self._tea, self._sound = tea, sound
        self._random = random.Random(seed)

    async def run(self) -> None:
        """Joins, and rejoins after each loss, until cancelled."""
        failures = 0
        while True:
            code = await self._attempt()
            assert comes_back(code), f"the SDK stays away after {code}"
            if self.peer is not None or not self.outages:
                failures = 0
                self.outages.append(Outage(code, asyncio.get_running_loop().time()))
            self.peer = None
            # FullJitterBackoff of the SDK: a random wait up to 1, 2, 4 and then 5 s.
            wait = self._random.uniform(0, min(5.0, 2.0**failures))
            failures += 1
            self.outages[-1].waited += wait
            self.outages[-1].attempts += 1
            await asyncio.sleep(wait)

    async def _attempt(self) -> int | None:
        """Runs one connection until its end and returns its close code, if any."""
        with suppress(OSError, TimeoutError, AssertionError):
            async with AsyncExitStack() as stack:
                meeting_id = self._tea.meeting.meeting_id
                client = client_of(self._tea.installation, meeting_id, self.who)
                await stack.enter_async_context(client)
                await say_join(client)
                await client.next("JOIN_ACK")
                await client.next("INDEX")
                self.clients.append(client)
                self.peer = await stack.enter_async_context(browser_peer(client, self._sound))
                pings = asyncio.create_task(_ping(client))
                stack.callback(pings.cancel)
                async with client._news:
                    await client._news.wait_for(lambda: client.close_code is not None)
                return client.close_code
        return None

    @property
    def departures(self) -> list[tuple[str, bool]]:
        """The departures reported on any connection, and whether each departure was a drop."""
        return [each for client in self.clients for each in departures(client)]

    @property
    def rosters(self) -> list[set[str]]:
        """The first roster of each connection. The SDK treats missing attendees as gone."""
        first = [_first_roster(client) for client in self.clients]
        return [{_name(each) for each in streams} for streams in first]

    async def is_told_gone(self, name: str) -> float:
        """Waits until an attendee is reported as dropped. Returns the event loop's time."""
        client = self.clients[-1]
        await client.until(lambda: (name, True) in departures(client), f"a drop of {name}")
        return asyncio.get_running_loop().time()

    async def hears(self, *, after: int = 0) -> float:
        """Waits until the client hears sound after this many outages. Returns the loop's time."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(60):
            while True:
                is_new = len(self.outages) >= after and self.peer is not None
                if is_new and self.peer and _is_sound(self.peer.heard[-960:]):
                    return loop.time()
                await asyncio.sleep(0.02)


def departures(client: SignalingClient) -> list[tuple[str, bool]]:
    """Returns the departures reported on a connection, and whether each departure was a drop."""
    names = {s.audio_stream_id: _name(s) for s in client.streams if s.attendee_id}
    went = [s for s in client.streams if not s.attendee_id and not s.HasField("muted")]
    return [(names[each.audio_stream_id], each.dropped) for each in went]


def _name(stream: Any) -> str:
    """Returns the name of an attendee."""
    return str(stream.display_name or stream.external_user_id)


def _first_roster(client: SignalingClient) -> list[Any]:
    frames = (each.audio_stream_id_info.streams for each in client.frames)
    return list(next(filter(None, frames), []))


async def _ping(client: SignalingClient) -> None:
    number = 100
    while True:
        number += 1
        await client.ping(number)
        await asyncio.sleep(2)


def _is_sound(sound: Sound) -> bool:
    return len(sound) > 0 and loudness(np.asarray(sound)) > SOUND


@asynccontextmanager
async def sdk_browser(
    tea: LiveMeeting, name: str, sound: Sound, seed: int = 1
) -> AsyncIterator[SDKBrowser]:
    """Runs a client that joins and reconnects by itself."""
    browser = SDKBrowser(tea, await tea.create(name), sound, seed)
    running = asyncio.create_task(browser.run())
    try:
        yield browser
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

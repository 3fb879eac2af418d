"""The states of the page in Firefox satisfy axe-core's rules, also with forced colors."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from carillon.signaling import signaling_pb2 as wire
from eventually import eventually
from test_end_to_end import LiveMeeting, live_meeting
from Web.firefox import FirefoxPage, firefox, needs_firefox
from Web.scripted_site import frame
from Web.test_meeting import FLAGS

pytestmark = [needs_firefox, pytest.mark.seconds(400)]

THEMES: dict[str, dict[str, Any]] = {
    "light": {"ui.systemUsesDarkTheme": 0},
    "dark": {"ui.systemUsesDarkTheme": 1},
    # Firefox then uses the colors of the system instead of the colors of pages.
    "forced": {"browser.display.document_color_use": 2},
}
MEET_EXAMPLE = {"network.dns.localDomains": "meet.example"}
"""Makes Firefox resolve `meet.example`, which is not `localhost`, to this machine."""
MEDIA = {
    "light": "(prefers-color-scheme: light)",
    "dark": "(prefers-color-scheme: dark)",
    "forced": "(forced-colors: active)",
}

AXE = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}"""

VISIBLE = """(selector) => {
  const found = document.querySelector(selector);
  return found !== null && found.checkVisibility();
}"""

CLICK = "(selector) => document.querySelector(selector).click()"


PRELOAD = """() => {
  const media = navigator.mediaDevices;
  const refusal = new URLSearchParams(location.search).get("refuse");
  if (media && refusal === "waiting") media.getUserMedia = () => new Promise(() => undefined);
  else if (media && refusal) {
    media.getUserMedia = () => Promise.reject(new DOMException("", refusal));
  }
  if (new URLSearchParams(location.search).has("framed")) {
    const featurePolicy = { allowsFeature: () => false };
    Object.defineProperty(document, "featurePolicy", { value: featurePolicy });
  }
  if (media) {
    const screen = document.createElement("canvas");
    media.getDisplayMedia = async () => {
      screen.getContext("2d").fillRect(0, 0, 9, 9);
      return screen.captureStream(5);
    };
  }
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      if (window.isOffline) throw new Error("The network is gone.");
      sockets.push(this);
    }
  };
  window.peers = [];
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...how) {
      super(...how);
      peers.push(this);
    }
  };
}"""
"""Makes a page refuse devices as the page's address says, share a painted screen, and keep its
connections in `sockets` and `peers`."""

TELL = """(bytes) => {
  sockets[0].onmessage({ data: new Uint8Array(bytes).buffer });
}"""
"""Passes a signaling frame to a page, as if the gateway had sent the frame."""

CUT = """() => {
  window.isOffline = true;
  for (const peer of peers) peer.close();
  for (const socket of sockets) socket.onclose({ code: 1006 });
}"""
"""Cuts a page off from the network."""

ENDINGS = {"twice": 301, "rejected": 403, "full": 409, "over": 410, "removed": 411, "lost": 418}
SIZES = [(360, 740), (740, 360), (320, 256), (1280, 800)]


class Visitor:
    """Somebody who uses the gateway's REST interface for pages."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}/carillon/v1"

    async def call(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        headers = {"content-type": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, headers, method=method)

        def answer() -> bytes:
            with urllib.request.urlopen(request, timeout=30) as response:
                return bytes(response.read())

        return json.loads(await asyncio.to_thread(answer) or b"null")

    async def start(self, meeting: str) -> tuple[str, str]:
        """Starts a meeting. Returns the path of the host's operations and a host token."""
        body = {"Meeting": meeting, "Name": "Host", "Create": True}
        entry = await self.call("POST", "/web/join", body)
        return f"/host/meetings/{entry['Meeting']['MeetingId']}", entry["HostToken"]


class Tab:
    """A tab whose states the test checks."""

    def __init__(self, page: FirefoxPage, address: str) -> None:
        self.page = page
        self._address = address
        self.faults: list[str] = []

    async def open(self, path: str, address: str | None = None) -> None:
        await self.page.goto((address or self._address) + path)
        await self.page.evaluate(f"() => {{ {AXE_SCRIPT}; return null; }}")

    async def shows(self, state: str, selector: str) -> None:
        """Waits until an element is visible, and keeps the violations of this state."""
        await eventually(
            f"{selector} in {state}",
            lambda: self._true(VISIBLE, selector),
        )
        self.faults += [f"{state}: {each}" for each in await self.page.evaluate(AXE)]

    async def click(self, selector: str) -> None:
        await self.page.evaluate(CLICK, selector)

    async def fill(self, selector: str, text: str) -> None:
        how = "([selector, text]) => { document.querySelector(selector).value = text }"
        await self.page.evaluate(how, [selector, text])

    async def join(self, path: str) -> None:
        """Opens the page, and joins a meeting."""
        await self.open(path)
        await self.until("#open-devices")
        await self.fill("#name", "ada")
        await self.click("#join")
        await self.until("#connection[data-state=connected]")

    async def until(self, selector: str) -> None:
        await eventually(f"{selector}", lambda: self._true(VISIBLE, selector))

    async def _true(self, expression: str, argument: str) -> bool | None:
        return await self.page.evaluate(expression, argument) or None


@asynccontextmanager
async def tab(tea: LiveMeeting, directory: Path, theme: str) -> AsyncIterator[Tab]:
    preferences: Mapping[str, Any] = {**THEMES[theme], **MEET_EXAMPLE}
    async with firefox(directory, preferences) as page:
        made = Tab(page, f"http://127.0.0.1:{tea.installation.rest_port}")
        await made.open("/#tea")
        assert await page.evaluate(f"matchMedia('{MEDIA[theme]}').matches")
        yield made


@pytest.mark.parametrize("theme", THEMES)
async def test_every_state_satisfies_axe_in_firefox(theme: str, tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea, tab(tea, tmp_path, theme) as opened:
        await tea.enter("Grace Hopper")
        await opened.shows("lobby", "#open-devices")
        await opened.click("#open-devices")
        await opened.shows("green room", "#camera-preview")
        await opened.page.evaluate(
            "(name) => { document.querySelector('#name').value = name }", "ada"
        )
        await opened.click("#join")
        await opened.shows("room", "#connection[data-state=connected]")
        await opened.click("#hand")
        await opened.shows("hand", ".tile.is-own .tile-hand")
        await opened.shows("own picture", ".tile.is-own video")
        await opened.page.evaluate(
            "(text) => { document.querySelector('#chat-text').value = text }", "Hi"
        )
        await opened.click("#chat-form button")
        await opened.shows("chat", "#messages article")
        await opened.click("#people-toggle")
        await opened.shows("people", "#people-list li")
        await opened.click("#captions-toggle")
        await opened.shows("captions", "#captions")
        for state, opener, dialog in (
            ("settings", "#sound-toggle", "#sound-dialog"),
            ("keys", "#help-open", "#help"),
        ):
            await opened.click(opener)
            await opened.shows(state, dialog)
            await opened.click(f"{dialog} .button:last-child")
        await opened.click("#layout")
        await opened.shows("speaker layout", "#stage[data-layout=speaker]")
        await opened.click("#leave")
        await opened.shows("end", "#ended")
        await opened.open("/operator")
        await opened.shows("operator", "main")
        assert opened.faults == []


@pytest.mark.parametrize("theme", THEMES)
async def test_further_states_satisfy_axe_in_firefox(theme: str, tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea, tab(tea, tmp_path, theme) as opened:
        await opened.page.preload(PRELOAD)
        port = tea.installation.rest_port
        await refusals(opened, port)
        await hosts(opened, Visitor(port))
        await tea.enter("Grace Hopper")
        await opened.join("/?one#tea")
        await opened.click(".tile-pin")
        await opened.shows("pin", ".tile-pin[aria-pressed=true]")
        await opened.click("#share-screen")
        await opened.shows("sharing", "#share-card")
        await opened.click("#share-stop")
        for width, height in SIZES:
            await opened.page.resize(width, height)
            await opened.shows(f"room {width}x{height}", "#mute")
            if width < 600 or height < 420:
                await opened.click("#more")
                await opened.shows(f"more {width}x{height}", "#more-sheet")
                await opened.click("#more-sheet .chat-head button")
            await opened.click("#chat-toggle")
        await endings(opened)
        await opened.join("/?two#tea")
        await opened.page.evaluate(CUT)
        await opened.shows("offline", "#connection[data-state=waiting]")
        assert opened.faults == []


async def refusals(opened: Tab, port: int) -> None:
    states = {"waiting": "waiting", "blocked": "NotAllowedError", "busy": "NotReadableError"}
    states |= {"missing": "NotFoundError", "framed": "NotAllowedError&framed"}
    for refusal, error in states.items():
        await opened.open(f"/?refuse={error}#tea")
        await opened.until("#open-devices")
        await opened.click("#open-devices")
        await opened.shows(refusal, f"#sound-problem[data-refusal={refusal}]")
    # The origin with this other name of the machine is not secure.
    await opened.open("/#tea", f"http://meet.example:{port}")
    await opened.until("#open-devices")
    await opened.click("#open-devices")
    await opened.shows("insecure", "#sound-problem[data-refusal=insecure]")


async def hosts(opened: Tab, visitor: Visitor) -> None:
    """Checks the states of a host and of a person who knocks."""
    path, token = await visitor.start("orchard")
    await visitor.call("PUT", f"{path}/lock", {"Locked": True}, token)
    # Whoever asks for knocks counts as a host who is present.
    await visitor.call("GET", f"{path}/knocks", key=token)
    await opened.open("/?knock#orchard")
    await opened.until("#open-devices")
    await opened.fill("#name", "Eve")
    await opened.click("#join")
    await opened.shows("knock", "#knock-cancel")

    path, token = await visitor.start("garden")
    await opened.join(f"/?host#garden&host={token}")
    await opened.until("#host")
    await visitor.call("POST", "/web/join", {"Meeting": "garden", "Name": "Grace"})
    await visitor.call("PUT", f"{path}/lock", {"Locked": True}, token)
    await visitor.call("POST", "/web/knocks", {"Meeting": "garden", "Name": "Eve"})
    await opened.shows("knocks", ".knocks li")
    await opened.click("#host")
    await opened.shows("host", "#host-close")
    await opened.click("dialog.host .buttons button:last-child")
    await opened.shows("host's question", "#host-confirm")


async def endings(opened: Tab) -> None:
    for ending, status in ENDINGS.items():
        over = wire.SdkAudioStatusFrame(audio_status=status)
        message = b"\x02" + frame("AUDIO_STATUS", audio_status=over).SerializeToString()
        await opened.page.evaluate(TELL, list(message))
        await opened.shows(ending, "#ended")
        await opened.join(f"/?{ending}#tea")
    move = """() => {
      const meeting = sockets[0].url.split("/control/")[1].split("?")[0];
      new BroadcastChannel("carillon").postMessage({ type: "move", meeting });
    }"""
    await opened.page.evaluate(move)
    await opened.shows("moved", "#ended")

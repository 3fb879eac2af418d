"""The states of the page in Firefox satisfy axe-core's rules, also with forced colors."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from carillon.signaling import signaling_pb2 as wire
from eventually import eventually
from test_end_to_end import LiveMeeting, live_meeting
from Web.firefox import FirefoxPage, firefox, needs_firefox
from Web.scripted_site import frame
from Web.test_embedding import Site
from Web.test_meeting import FLAGS

pytestmark = [needs_firefox, pytest.mark.seconds(400)]

SCHEME = "layout.css.prefers-color-scheme.content-override"
COLORS = "browser.display.document_color_use"
THEMES: dict[str, dict[str, int]] = {
    "light": {SCHEME: 1, COLORS: 0},
    "dark": {SCHEME: 0, COLORS: 0},
    # Firefox then uses the colors of the system instead of the colors of pages.
    "forced": {SCHEME: 1, COLORS: 2},
}
"""The preferences of each theme. The tests change the theme of a running browser."""
MEET_EXAMPLE = {"network.dns.localDomains": "meet.example"}
"""Makes Firefox resolve `meet.example`, which is not `localhost`, to this machine."""
MEDIA = {
    "light": "(prefers-color-scheme: light) and (forced-colors: none)",
    "dark": "(prefers-color-scheme: dark) and (forced-colors: none)",
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
    const paint = () => screen.getContext("2d").fillRect(0, 0, 99 * Math.random(), 9);
    media.getDisplayMedia = async () => {
      paint();
      setInterval(paint, 200);
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

ZOOM = """() => {
  const view = document.querySelector("#share-view");
  for (let presses = 0; presses < 3; presses += 1)
    view.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
}"""

EMBEDDING = """<!doctype html><title>An application</title>
<meta name="color-scheme" content="light dark">
<carillon-meeting meeting="tea" display-name="Ada"></carillon-meeting>
<script type="module" src="{server}/js/embed/carillon-meeting.js"></script>"""

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
    """A tab whose states the test checks in each theme."""

    def __init__(self, page: FirefoxPage, address: str, faults: list[str]) -> None:
        self.page = page
        self._address = address
        self.faults = faults

    async def open(self, path: str, address: str | None = None) -> None:
        await self.page.goto((address or self._address) + path)

    async def another(self) -> Tab:
        """Opens a window of another user."""
        return Tab(await self.page.another(), self._address, self.faults)

    async def inside(self) -> Tab:
        """Returns the meeting that an application's page shows in a frame."""
        frame = await eventually("a frame", self.page.frame)
        return Tab(frame, self._address, self.faults)

    async def shows(self, state: str, selector: str) -> None:
        """Waits until an element is visible, and keeps the violations of this state."""
        await eventually(f"{selector} in {state}", lambda: self._true(VISIBLE, selector))
        if not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate(f"() => {{ {AXE_SCRIPT}; return null; }}")
        for theme, preferences in THEMES.items():
            await self.page.prefer(preferences)
            matches = f"matchMedia('{MEDIA[theme]}').matches"
            await eventually(f"the theme {theme}", partial(self.page.evaluate, matches))
            found = await self._violations()
            self.faults += [f"{state}, {theme}: {each}" for each in found]

    async def _violations(self) -> list[str]:
        """Returns the violations that remain after five seconds.

        Media queries match before Firefox has applied all colors of a theme.
        """
        found: list[str] = []
        for _ in range(20):
            found = await self.page.evaluate(AXE)
            if not found:
                break
            await asyncio.sleep(0.25)
        return found

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
async def tab(tea: LiveMeeting, directory: Path) -> AsyncIterator[Tab]:
    async with firefox(directory, MEET_EXAMPLE) as page:
        made = Tab(page, f"http://127.0.0.1:{tea.installation.rest_port}", [])
        await made.open("/#tea")
        yield made


async def test_every_state_satisfies_axe_in_firefox_in_each_theme(tmp_path: Path) -> None:
    async with live_meeting(gateway=FLAGS) as tea, tab(tea, tmp_path) as opened:
        await tea.enter("Grace Hopper")
        await opened.shows("lobby", "#open-devices")
        await opened.click("#open-devices")
        await opened.shows("green room", "#camera-preview")
        await opened.fill("#name", "ada")
        await opened.click("#join")
        await opened.shows("room", "#connection[data-state=connected]")
        await opened.click("#hand")
        await opened.shows("hand", ".tile.is-own .tile-hand")
        await opened.shows("own picture", ".tile.is-own video")
        await opened.fill("#chat-text", "Hi")
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
        await content(opened)
        await opened.click("#leave")
        await opened.shows("end", "#ended")
        await opened.open("/operator")
        await opened.shows("operator", "main")
        assert opened.faults == []


async def test_further_states_satisfy_axe_in_firefox_in_each_theme(tmp_path: Path) -> None:
    with Site() as application:
        gateway = [*FLAGS, "--web-embed-origins", application.origin]
        async with live_meeting(gateway=gateway) as tea, tab(tea, tmp_path) as opened:
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
            await embedded(opened, application, f"http://127.0.0.1:{port}")
            assert opened.faults == []


async def content(opened: Tab) -> None:
    """Checks the states in which another attendee shares a screen."""
    sharer = await opened.another()
    await sharer.page.preload(PRELOAD)
    await sharer.join("/#tea")
    await sharer.click("#share-screen")
    await opened.shows("shared content", "#stage[data-layout=content] #share-view")
    plays = "document.querySelector('#share-video').readyState > 1"
    await eventually("a picture of the shared screen", lambda: opened.page.evaluate(plays))
    await opened.page.evaluate(ZOOM)
    await opened.shows("zoom", "#share-reset")
    await sharer.page.close()


async def embedded(opened: Tab, application: Site, server: str) -> None:
    """Checks a meeting in a page of an application."""
    application.files["/"] = EMBEDDING.format(server=server)
    await opened.open("/", application.origin)
    inside = await opened.inside()
    await inside.shows("embed", "#connection[data-state=connected]")


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
    await opened.click("#captions-toggle")
    await opened.shows("host's captions", "#captions-stop")
    await visitor.call("POST", "/web/join", {"Meeting": "garden", "Name": "Grace"})
    await visitor.call("PUT", f"{path}/lock", {"Locked": True}, token)
    await visitor.call("POST", "/web/knocks", {"Meeting": "garden", "Name": "Eve"})
    await opened.shows("knocks", ".knocks li")
    await opened.click("#host")
    await opened.shows("host", "#host-close")
    await opened.click("dialog.host .buttons button:last-child")
    await opened.shows("host's question", "#host-confirm")

    path, token = await visitor.start("meadow")
    await visitor.call("GET", f"{path}/knocks", key=token)
    await opened.join("/?guest#meadow")
    await opened.click("#captions-toggle")
    await opened.shows("captions that only hosts start", "#captions-why:not(:empty)")


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

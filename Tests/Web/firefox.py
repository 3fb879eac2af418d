"""Debian's Firefox ESR without a window, controlled through its own WebDriver BiDi port.

W3C WebDriver BiDi: JSON commands and responses over one WebSocket,
https://w3c.github.io/webdriver-bidi/
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets

FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 90
"""The timeout of a command or of the start, in seconds, on a slow machine."""

needs_firefox = pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox; see setup.sh")

MICROPHONE_HERTZ = 440
"""The frequency of the tone of Firefox's fake microphone."""

PREFERENCES = {
    # These settings give Firefox a microphone with a tone, and permission to use the microphone.
    "media.navigator.streams.fake": True,
    "media.navigator.audio.fake_frequency": MICROPHONE_HERTZ,
    "media.navigator.permission.disabled": True,
    "media.autoplay.default": 0,
    "media.autoplay.blocking_policy": 0,
    # The meeting is on this machine.
    "media.peerconnection.ice.loopback": True,
    "media.peerconnection.ice.obfuscate_host_addresses": False,
    # These settings keep Firefox from sending requests of its own.
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.enabled": False,
}
NO_PREFERENCES: Mapping[str, Any] = {}


class BiDiSession:
    """A session with a browser. The caller sends one command at a time."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self._socket = socket
        self._last = 0

    async def send(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Sends a command and returns its result. This class ignores events."""
        self._last += 1
        command = {"id": self._last, "method": method, "params": parameters}
        async with asyncio.timeout(PATIENCE):
            await self._socket.send(json.dumps(command))
            while True:
                answer = json.loads(await self._socket.recv())
                if answer.get("id") == self._last:
                    break
        if answer["type"] == "error":
            raise AssertionError(f"{method}: {answer['error']}: {answer['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    async def contexts(self, **parameters: Any) -> list[dict[str, Any]]:
        """Returns the tabs of the browser, or the frames of the tab `root`."""
        tree = await self.send("browsingContext.getTree", parameters)
        contexts: list[dict[str, Any]] = tree["contexts"]
        return contexts


class FirefoxPage:
    """A tab or a frame with the methods of Playwright's page that the tests use."""

    def __init__(self, session: BiDiSession, context: str) -> None:
        self._session = session
        self._context = context

    async def prefer(self, preferences: Mapping[str, int]) -> None:
        """Changes preferences of the running browser."""
        [window, *_] = await self._session.contexts(**{"moz:scope": "chrome"})
        lines = [
            f"Services.prefs.setIntPref({json.dumps(k)}, {v});" for k, v in preferences.items()
        ]
        browser = FirefoxPage(self._session, window["context"])
        await browser.evaluate(f"() => {{ {' '.join(lines)} return null; }}")

    async def frame(self) -> FirefoxPage | None:
        """Returns the first frame in the page, or `None` while the page has no frame."""
        [tab] = await self._session.contexts(root=self._context)
        frames = [FirefoxPage(self._session, each["context"]) for each in tab["children"] or []]
        return frames[0] if frames else None

    async def another(self) -> FirefoxPage:
        """Opens a window of another user, who has separate cookies, storage and tabs."""
        user = await self._session.send("browser.createUserContext", {})
        options = {"type": "window", "userContext": user["userContext"]}
        window = await self._session.send("browsingContext.create", options)
        return FirefoxPage(self._session, window["context"])

    async def close(self) -> None:
        """Closes the window."""
        await self._session.send("browsingContext.close", {"context": self._context})

    async def goto(self, url: str) -> None:
        await self._session.send(
            "browsingContext.navigate", {"context": self._context, "url": url, "wait": "complete"}
        )

    async def preload(self, function: str) -> None:
        """Makes every document run a function before its own scripts."""
        await self._session.send("script.addPreloadScript", {"functionDeclaration": function})

    async def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        await self._session.send(
            "browsingContext.setViewport", {"context": self._context, "viewport": viewport}
        )

    async def evaluate(self, expression: str, argument: Any = None) -> Any:
        """Returns the value of an expression, or of a function called with an argument.

        The value is transferred as JSON, so it contains no `undefined`.
        """
        called = re.match(r"\s*(async )?\(", expression) is not None and "=>" in expression
        value = f"({expression})({json.dumps(argument)})" if called else f"({expression})"
        result = await self._session.send(
            "script.evaluate",
            {
                "expression": f"(async () => JSON.stringify(await {value}) ?? null)()",
                "target": {"context": self._context},
                "awaitPromise": True,
                "userActivation": True,
            },
        )
        if result["type"] == "exception":
            raise AssertionError(result["exceptionDetails"]["text"])
        text = result["result"].get("value")
        return None if text is None else json.loads(text)


@asynccontextmanager
async def firefox(
    directory: Path, preferences: Mapping[str, Any] = NO_PREFERENCES
) -> AsyncIterator[FirefoxPage]:
    """Runs a separate browser with one tab.

    - Parameters:
      - directory: The directory of its profile.
      - preferences: Preferences besides `PREFERENCES`.
    """
    assert FIREFOX is not None
    profile = directory / "profile"
    profile.mkdir(parents=True)
    chosen = {**PREFERENCES, **preferences}
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in chosen.items()]
    (profile / "user.js").write_text("\n".join(lines))
    log = directory / "firefox.log"
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            *("setpriv", "--pdeathsig", "KILL", FIREFOX),
            *("--headless", "--no-remote", "--profile", str(profile)),
            *("--remote-debugging-port", "0", "about:blank"),
            # With this option, tests change preferences while the browser runs.
            "--remote-allow-system-access",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=file,
            env={**os.environ, "HOME": str(directory)},
            # Firefox and its helper processes form a session, so that `killpg` ends all of them.
            start_new_session=True,
        )
    try:
        address = await bidi_address(log)
        async with websockets.connect(f"{address}/session", max_size=None) as socket:
            session = BiDiSession(socket)
            await session.send("session.new", {"capabilities": {}})
            [tab] = await session.contexts()
            yield FirefoxPage(session, tab["context"])
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def bidi_address(log: Path) -> str:
    """Returns the address that Firefox prints."""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                found = re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text())
                if found:
                    return found[1]
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError("Firefox opened no BiDi port: " + log.read_text()[-2_000:]) from None

"""Delivery of the page by the gateway: few requests, few bytes, caching, and one origin."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Error, Page, Route, expect

from eventually import due, eventually
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page
from Web.scripted_site import WEB
from Web.test_meeting import FLAGS

pytestmark = pytest.mark.seconds(240)

MOST_REQUESTS = 12
MOST_BYTES = 50 * 1024
MOST_BYTES_IN_ALL = 150 * 1024
POLICY_WORDS = re.compile("Content Security Policy|Trusted(HTML|Script|Type)")


@dataclass
class NetworkLog:
    """Chromium's requests in order, and the bytes received over the network."""

    urls: dict[str, str] = field(default_factory=dict)
    received: dict[str, int] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)
    sockets: list[str] = field(default_factory=list)

    async def follow(self, page: Page) -> None:
        session = await page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.requestServedFromCache", lambda e: self.cached.add(e["requestId"]))
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.webSocketCreated", lambda e: self.sockets.append(e["url"]))
        await session.send("Network.enable")

    def _sent(self, event: dict[str, Any]) -> None:
        if not event["request"]["url"].startswith(("data:", "blob:")):
            self.urls[event["requestId"]] = event["request"]["url"]

    def _answered(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self.cached.add(event["requestId"])

    def _finished(self, event: dict[str, Any]) -> None:
        self.received[event["requestId"]] = int(event["encodedDataLength"])

    @property
    def is_idle(self) -> bool:
        return set(self.urls) <= set(self.received) | self.cached

    @property
    def fetched(self) -> list[str]:
        """The URLs that Chromium requested, and did not take from its cache."""
        return [url for key, url in self.urls.items() if key not in self.cached]

    @property
    def addresses(self) -> list[str]:
        return [*self.urls.values(), *self.sockets]

    @property
    def bytes(self) -> int:
        return sum(n for key, n in self.received.items() if key not in self.cached)


@asynccontextmanager
async def delivering() -> AsyncIterator[LiveMeeting]:
    async with live_meeting(gateway=FLAGS) as tea:
        yield tea


def ask(
    tea: LiveMeeting, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Returns the status, lower-case headers and raw body of a response."""
    connection = http.client.HTTPConnection("127.0.0.1", tea.installation.rest_port, timeout=30)
    try:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, found, answer.read()
    finally:
        connection.close()


async def held_back(page: Page) -> asyncio.Future[Route]:
    """Holds back the request that the page sends for its other parts once the form is usable."""
    held: asyncio.Future[Route] = asyncio.get_running_loop().create_future()

    async def hold(route: Route) -> None:
        held.set_result(route)

    await page.route("**/js/meet/meeting.js", hold)
    return held


@needs_chromium
async def test_the_form_needs_few_requests_and_the_meeting_needs_few_bytes() -> None:
    async with delivering() as tea, chromium() as browser:
        origin = f"127.0.0.1:{tea.installation.rest_port}"
        page = await new_page(browser)
        log = NetworkLog()
        await log.follow(page)
        rest = await held_back(page)
        await page.goto(f"http://{origin}/#tea")
        async with due("the request for the rest of the page"):
            route = await rest
        await expect(page.get_by_role("button", name="Join", exact=True)).to_be_enabled()
        form = [url for url in log.fetched if not url.endswith("/meeting.js")]
        await eventually("the end of the form", lambda: len(log.received) >= len(form) or None)
        print(f"form: {len(form)} requests, {log.bytes} bytes", *form, sep="\n")
        assert len(form) <= MOST_REQUESTS, form
        assert log.bytes <= MOST_BYTES
        await route.continue_()
        await page.get_by_label("Your name").fill("ada")
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(page.locator("#connection")).to_have_text("Connected")
        await eventually("the end of all requests", lambda: log.is_idle or None)
        print(f"in all: {len(log.fetched)} requests, {log.bytes} bytes")
        assert log.bytes <= MOST_BYTES_IN_ALL
        assert {urlsplit(url).netloc for url in log.addresses} == {origin}
        # Only /embed and the element load the code for embedding.
        assert not [url for url in log.addresses if "/embed" in url]


@needs_chromium
async def test_a_later_visit_requests_only_the_page() -> None:
    async with delivering() as tea, chromium() as browser:
        address = f"http://127.0.0.1:{tea.installation.rest_port}/"
        page = await new_page(browser)
        log = NetworkLog()
        await log.follow(page)
        await visit(page, address, log)
        assert len(log.fetched) > MOST_REQUESTS
        later = await page.context.new_page()
        again = NetworkLog()
        await again.follow(later)
        await visit(later, address, again)
        assert set(again.fetched) == {address, f"{address}carillon/v1/web"}
        assert again.bytes < 2_000


async def visit(page: Page, address: str, log: NetworkLog) -> None:
    """Opens the lobby and waits until the whole page is loaded."""
    await page.goto(address)
    await expect(page.locator("#microphone option")).not_to_have_count(1)
    await eventually("the end of all requests", lambda: log.is_idle or None)


@needs_chromium
@pytest.mark.parametrize("path", ["/", "/operator", "/example"])
async def test_each_page_obeys_its_content_security_policy(path: str) -> None:
    async with delivering() as tea, chromium() as browser:
        page = await new_page(browser)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}{path}")
        await page.wait_for_load_state("networkidle")
        assert [text for text in said if POLICY_WORDS.search(text)] == []
        # The browser enforces the policy, so a string cannot become HTML.
        with pytest.raises(Error, match="TrustedHTML"):
            await page.evaluate("document.body.innerHTML = '<b>text</b>'")
        await eventually(
            "a breach", lambda: any(POLICY_WORDS.search(text) for text in said) or None
        )


async def test_every_file_is_sent_complete_in_both_encodings() -> None:
    async with delivering() as tea:
        _, _, html = ask(tea, "/")
        version = re.search(rb'src="(/v/[0-9a-f]{32})/', html)
        assert version is not None
        prefix = version[1].decode()
        files = [file for file in WEB.rglob("*") if file.suffix in {".js", ".css", ".svg"}]
        assert len(files) > 50
        for file in files:
            path = f"/{file.relative_to(WEB)}"
            for address in (path, prefix + path):
                status, plain, text = ask(tea, address)
                assert status == 200
                if file.suffix != ".js":
                    assert text == file.read_bytes()
                status, zipped, body = ask(tea, address, Accept_Encoding="gzip, deflate")
                assert status == 200
                if zipped.get("content-encoding") == "gzip":
                    assert len(body) < len(text)
                    body = gzip.decompress(body)
                assert body == text
                for headers in (plain, zipped):
                    assert headers["vary"] == "Accept-Encoding"
                    assert ("immutable" in headers["cache-control"]) == (address != path)


async def test_scripts_are_sent_without_comments_and_otherwise_unchanged(tmp_path: Path) -> None:
    async with delivering() as tea:
        for file in sorted((WEB / "js").rglob("*.js")):
            name = file.relative_to(WEB)
            _, _, body = ask(tea, f"/{name}")
            lines = list(zip(file.read_text().split("\n"), body.decode().split("\n"), strict=True))
            # Each line keeps its number, so stack traces name lines of the repository.
            assert all(sent in {"", line} for line, sent in lines), name
            assert len(body) < file.stat().st_size, name
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(body)
    assert await compiled(tmp_path / "js", tmp_path / "sent") == await compiled(
        WEB / "js", tmp_path / "source"
    )


async def compiled(scripts: Path, folder: Path) -> dict[Path, str]:
    """Returns the scripts in the form that TypeScript's compiler prints, without comments."""
    options = ["--allowJs", "--removeComments", "--noResolve", "--target", "ES2022"]
    paths = [str(path) for path in scripts.rglob("*.js")]
    process = await asyncio.create_subprocess_exec(
        *("tsc", *options, "--rootDir", str(scripts), "--outDir", str(folder), *paths),
        stdout=asyncio.subprocess.DEVNULL,
    )
    # The test ignores the exit status, because the compiler fails without the types of the other
    # modules.
    await process.wait()
    printed = {path.relative_to(folder): path.read_text() for path in folder.rglob("*.js")}
    assert len(printed) == len(paths)
    return printed


async def test_the_server_handles_head_requests_conditions_ranges_and_wrong_paths() -> None:
    async with delivering() as tea:
        path = "/js/carillon/carillon.js"
        status, headers, body = ask(tea, path, Accept_Encoding="gzip")
        assert status == 200 and int(headers["content-length"]) == len(body)
        status, head, nothing = ask(tea, path, "HEAD", Accept_Encoding="gzip")
        for name in ("etag", "vary", "content-length", "content-encoding", "cache-control"):
            assert head[name] == headers[name]
        assert (status, nothing) == (200, b"")
        status, known, nothing = ask(
            tea, path, Accept_Encoding="gzip", If_None_Match=headers["etag"]
        )
        assert (status, nothing) == (304, b"")
        assert known["etag"] == headers["etag"] and "content-length" not in known
        status, _, part = ask(tea, path, Accept_Encoding="gzip", Range="bytes=0-3")
        assert (status, part) == (200, body)
        status, refused, _ = ask(tea, path, Accept_Encoding="identity;q=0")
        assert status == 406 and refused["cache-control"] == "no-store"
        for wrong in ("/v/" + "0" * 32 + path, "/v/../../../etc/passwd", "/v/%2e%2e/index.html"):
            status, lost, _ = ask(tea, wrong)
            assert status == 404 and lost["cache-control"] == "no-store", wrong
        for outside in ("/../../etc/passwd", "/js/../../../etc/passwd", "/%2e%2e/README.md"):
            status, _, body = ask(tea, outside)
            assert status in (403, 404) and b"root:" not in body, outside

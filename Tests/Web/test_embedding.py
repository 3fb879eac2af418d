"""Meetings in pages of other origins: the element, the frame, and refused messages and origins."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Self
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, FrameLocator, Page, expect

import documents
from eventually import eventually
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page, picture, shares_browser
from Web.firefox import firefox, needs_firefox
from Web.scripted_site import WEB
from Web.test_delivery import POLICY_WORDS, ask
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

EVENTS = [
    *("ready", "joined", "left", "participantJoined", "participantLeft"),
    *("microphoneChanged", "cameraChanged", "messageReceived"),
]
REFUSAL = (
    "Pages of this origin may not show this server's meetings; "
    "the operator can add it to --web-embed-origins."
)
METRIC = "carillon_gateway_rest_refused_embeddings_total"


class Site:
    """The web server of an application, with its own origin."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        files = self.files

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.split("?")[0]
                body = files.get(path)
                self.send_response(200 if body else 404)
                kind = "text/javascript" if path.endswith(".js") else "text/html"
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write((body or "").encode())

            def log_message(self, format: str, *_: Any) -> None:
                """Writes no log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self._server.server_port}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@dataclass
class Stage:
    """A gateway, and two sites. The gateway's operator has listed the origin of one of the
    sites."""

    tea: LiveMeeting
    host: Site
    evil: Site
    browser: Browser | None = None

    @property
    def server(self) -> str:
        return f"http://127.0.0.1:{self.tea.installation.rest_port}"

    async def show(self, page: str, site: Site | None = None) -> Page:
        """Opens the page of a site, by default of the listed site."""
        site = site or self.host
        site.files["/"] = page
        assert self.browser is not None
        opened = await new_page(self.browser)
        opened.on("console", lambda message: print("console:", message.text))
        await opened.goto(f"{site.origin}/")
        return opened

    def frame(self, source: str = "", more: str = "") -> str:
        """Returns a page with one frame, which records the messages of the frame."""
        source = source or f"/embed?origin={self.host.origin}#tea"
        return f"""<!doctype html>
        <iframe id="frame" src="{self.server}{source}" width="960" height="600"></iframe>
        <script>
          const told = [];
          addEventListener("message", ({{ origin, data }}) => told.push({{ origin, ...data }}));
          const post = (message) =>
            document.getElementById("frame").contentWindow.postMessage(message, "{self.server}");
        </script>{more}"""

    def elements(self, *attributes: str) -> str:
        """Returns a page with elements, which records the events of each element."""
        made = "".join(f"<carillon-meeting {each}></carillon-meeting>" for each in attributes)
        return f"""<!doctype html><style>carillon-meeting {{ --carillon-height: 30rem; }}
          carillon-meeting::part(frame) {{ outline: 3px solid green; }}</style>
        <script>
          var before = Object.getOwnPropertyNames(window);
          var told = new Map();
          addEventListener("DOMContentLoaded", () => {{
            for (const each of document.querySelectorAll("carillon-meeting")) {{
              const list = [];
              told.set(each, list);
              for (const name of {EVENTS})
                each.addEventListener(name, ({{ detail }}) => list.push([name, detail]));
            }}
          }});
        </script>
        {made}<script type="module" src="{self.server}/js/embed/carillon-meeting.js"></script>"""


@asynccontextmanager
async def sites(lobby: str = "open") -> AsyncIterator[Stage]:
    with Site() as host, Site() as evil:
        gateway = ["--web-root", str(WEB), "--web-lobby", lobby]
        gateway += ["--web-embed-origins", f"{host.origin},https://app.example"]
        async with live_meeting(gateway=gateway) as tea:
            yield Stage(tea, host, evil)


@asynccontextmanager
async def stage(*arguments: str, lobby: str = "open") -> AsyncIterator[Stage]:
    """Runs a gateway and two sites, with Chromium."""
    async with sites(lobby) as scene, chromium(*arguments) as browser:
        scene.browser = browser
        yield scene


def meeting(page: Page, at: int = 0) -> FrameLocator:
    """Returns the content of an element's frame."""
    return page.locator("carillon-meeting").nth(at).locator("iframe").content_frame


async def call(page: Page, command: str, *values: Any, at: int = 0) -> Any:
    """Calls a method of an element. Returns the result, or the status of the refusal."""
    return await page.evaluate(
        """async ([at, command, values]) => {
          const element = document.querySelectorAll("carillon-meeting")[at];
          return element[command](...values).catch(({ status }) => status);
        }""",
        [at, command, values],
    )


async def told(page: Page, at: int = 0) -> list[Any]:
    """Returns the events of an element."""
    script = "(at) => told.get(document.querySelectorAll('carillon-meeting')[at])"
    return list(await page.evaluate(script, at))


async def hears(page: Page, name: str, /, at: int = 0, **detail: Any) -> Any:
    """Waits for an event of an element with these details."""

    async def found() -> Any:
        for event, carried in await told(page, at):
            if event == name and detail.items() <= (carried or {}).items():
                return carried
        return None

    return await eventually(f"the event {name} {detail}", found)


async def test_the_example_embeds_one_meeting_by_the_element_and_another_by_messages() -> None:
    async with stage() as scene:
        example = (WEB / "embed-example.html").read_text()
        scene.host.files["/js/embed-example.js"] = (WEB / "js" / "embed-example.js").read_text()
        page = await scene.show(example.replace('data-server="/"', f'data-server="{scene.server}"'))
        for frame in (meeting(page), page.frame_locator("#frame")):
            await expect(frame.locator("#connection")).to_have_text("Connected")
        await expect(page.locator("#last")).to_have_text("answer 1: 200 ")
        grace = await scene.tea.enter("grace")
        await expect(page.locator("#people")).to_have_text("2")
        await page.get_by_role("button", name="Say hello").click()
        own = meeting(page).locator(".message.own .message-text")
        await expect(own).to_have_text(["Hello from the page"])
        await picture(page, "embedding")
        await grace.session.leave()
        await expect(page.locator("#people")).to_have_text("1")


async def test_the_programs_of_the_readme_embed_meetings() -> None:
    pages = documents.blocks("Clients/Web/README.md", "html")
    programs = documents.blocks("Clients/Web/README.md", "javascript")[-2:]
    async with stage() as scene:
        for html, program in zip(pages, programs, strict=True):
            text = f"{html.text}<script type=module>{program.text}</script>"
            page = await scene.show(text.replace("https://meet.example.org", scene.server))
            inside = page.locator("iframe").content_frame
            await expect(inside.locator("#connection")).to_have_text("Connected")
            if "carillon-meeting" in html.text:
                await expect(inside.locator("#mute")).to_have_attribute("aria-pressed", "false")


async def test_the_example_also_runs_on_the_gateway_under_the_gateways_policy() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        # The port is known only now, so this gateway lists no origin, and the frames stay empty.
        page = await new_page(browser)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/embed-example")
        await expect(page.locator("carillon-meeting iframe")).to_have_count(1)
        assert [text for text in said if POLICY_WORDS.search(text)] == []


async def test_the_element_has_each_command_and_each_event() -> None:
    async with stage() as scene:
        page = await scene.show(scene.elements('meeting="tea"') + "<input>")
        await hears(page, "ready")
        assert await call(page, "leave") == 409
        await page.locator("input").focus()
        entered = await call(page, "join", {"meeting": "tea", "name": "Ada"})
        assert entered["meeting"] == "tea" and entered["attendeeId"]
        await hears(page, "joined", microphone=False, camera=False, **entered)
        grace = await scene.tea.enter("grace")
        await hears(page, "participantJoined", name="grace")
        await grace.session.send("chat", "Good morning")
        await hears(page, "messageReceived", name="grace", text="Good morning")
        assert await call(page, "setMicrophone", True) is None
        await hears(page, "microphoneChanged", on=True)
        assert await call(page, "setCamera", True) is None
        await hears(page, "cameraChanged", on=True)
        assert await call(page, "setHand", True) is None
        assert await call(page, "sendMessage", "Hello") is None
        assert await call(page, "sendMessage", "ä" * 2_000) == 400
        assert await call(page, "setLayout", "speaker") is None
        assert await call(page, "showPanel", "people") is None
        inside = meeting(page)
        await expect(inside.locator("#hand")).to_have_attribute("aria-pressed", "true")
        await expect(inside.locator("#stage")).to_have_attribute("data-layout", "speaker")
        await expect(inside.locator("#people")).to_be_visible()
        await expect(inside.locator(".message.own .message-text")).to_have_text(["Hello"])
        state = await call(page, "getState")
        assert (state["state"], state["microphone"], state["camera"]) == ("joined", True, True)
        assert [each["name"] for each in state["participants"]] == ["grace"]
        read = "(e) => [e.state, e.microphone, e.camera, e.participants.length]"
        element = page.locator("carillon-meeting")
        assert await element.evaluate(read) == ["joined", True, True, 1]
        for command in ("setMicrophone", "setCamera"):
            assert await call(page, command, False) is None
        await hears(page, "microphoneChanged", on=False)
        await hears(page, "cameraChanged", on=False)
        await grace.session.leave()
        await hears(page, "participantLeft", name="grace", reason="left")
        assert await call(page, "leave") is None
        await hears(page, "left", reason="Left")
        # The frame never takes the focus from the page.
        await expect(page.locator("input")).to_be_focused()
        assert {name for name, _ in await told(page)} == set(EVENTS)
        # The element adds no global names. Only the names of the page itself are new.
        script = "Object.getOwnPropertyNames(window).filter((name) => !before.includes(name))"
        assert set(await page.evaluate(script)) <= {"before", "told"}


async def test_a_click_in_the_page_shares_a_screen_from_the_frame() -> None:
    async with stage("--auto-select-desktop-capture-source=Entire screen") as scene:
        page = await scene.show(
            scene.elements('meeting="tea" display-name="Ada"') + "<button>Share</button>"
        )
        await hears(page, "joined")
        await page.evaluate(
            """document.querySelector("button").addEventListener("click", () => {
              window.shared = document.querySelector("carillon-meeting").setScreenShare(true)
                .then(() => 200, ({ status }) => status);
            })"""
        )
        await page.get_by_role("button", name="Share").click()
        assert await page.evaluate("window.shared") == 200
        assert (await call(page, "getState"))["screenShare"]
        assert await call(page, "setScreenShare", False) is None


async def test_two_elements_show_two_meetings_with_separate_css_parts_and_properties() -> None:
    async with stage() as scene:
        page = await scene.show(
            scene.elements(
                'meeting="tea" display-name="Ada" lang="de"', 'meeting="tea" display-name="Bea"'
            )
        )
        await hears(page, "participantJoined", at=0, name="Bea")
        await hears(page, "participantJoined", at=1, name="Ada")
        await call(page, "sendMessage", "From Ada", at=0)
        await hears(page, "messageReceived", at=1, name="Ada", text="From Ada")
        assert "messageReceived" not in {name for name, _ in await told(page, 0)}
        await expect(meeting(page, 0).locator("#leave .label")).to_have_text("Verlassen")
        await expect(meeting(page, 1).locator("#leave .label")).to_have_text("Leave")
        style = """(element) => {
          const frame = element.shadowRoot.querySelector("iframe");
          return [element.offsetHeight, getComputedStyle(frame).outlineWidth];
        }"""
        assert await page.locator("carillon-meeting").first.evaluate(style) == [480, "3px"]
        await page.locator("carillon-meeting").first.evaluate("(element) => element.remove()")
        await hears(page, "participantLeft", at=0, name="Ada")


async def test_an_attendee_with_credentials_from_the_application_joins_without_a_lobby() -> None:
    async with stage(lobby="off") as scene:
        attendee = await scene.tea.create("ada")
        _, _, body = ask(scene.tea, f"/meetings/{scene.tea.meeting.meeting_id}")
        credentials = {
            "Meeting": json.loads(body)["Meeting"],
            "Attendee": {
                "AttendeeId": attendee.attendee_id,
                "ExternalUserId": attendee.external_user_id,
                "JoinToken": attendee.join_token,
            },
        }
        page = await scene.show(scene.elements(""))
        await hears(page, "ready")
        assert await call(page, "join", {"meeting": "tea", "name": "Ada"}) == 403
        entered = await call(page, "join", {"credentials": credentials})
        assert entered["attendeeId"] == attendee.attendee_id


async def test_forged_messages_are_refused_and_counted() -> None:
    async with stage() as scene:
        scene.evil.files["/forge"] = f"""<!doctype html><script>
          const forged = {{ carillon: 1, id: 1, command: "join", meeting: "tea", name: "Eve" }};
          const answers = [];
          addEventListener("message", ({{ data }}) => answers.push(data));
          const forge = () => parent.frames[0].postMessage(forged, "{scene.server}");
        </script>"""
        page = await scene.show(
            scene.frame(more=f'<iframe src="{scene.evil.origin}/forge"></iframe>')
        )
        await eventually("ready", lambda: page.evaluate("told.find((e) => e.event === 'ready')"))
        evil = next(frame for frame in page.frames if frame.url.startswith(scene.evil.origin))
        for _ in range(3):
            await evil.evaluate("forge()")
        for wrong in (
            {"carillon": 1, "id": 2, "command": "endMeeting"},
            {"carillon": 1, "id": 3, "command": "join", "meeting": "tea", "name": "A", "key": "k"},
            {"carillon": 1, "id": -1, "command": "leave"},
            {"carillon": 2, "id": 4, "command": "leave"},
            "leave",
        ):
            await page.evaluate("(message) => post(message)", wrong)
        await page.evaluate("post({ carillon: 1, id: 9, command: 'getState' })")
        state = await eventually("the state", lambda: page.evaluate("told.find((e) => e.id === 9)"))
        assert state["result"]["refused"] == {"source": 3, "origin": 0, "form": 5}
        assert state["result"]["state"] == "lobby"
        answers = await page.evaluate("told.filter((e) => e.id).map((e) => [e.id, e.status])")
        assert answers == [[2, 404], [3, 400], [9, 200]]
        assert {each["origin"] for each in await page.evaluate("told")} == {scene.server}
        assert await evil.evaluate("answers") == []
        # This page cannot control a frame in the name of another listed origin either: the browser
        # does not show such a frame.
        blocked = await scene.show(scene.frame("/embed?origin=https://app.example"))
        assert await shown(blocked) == ""


async def test_pages_of_other_origins_cannot_embed_a_meeting_and_are_counted() -> None:
    async with stage() as scene:
        gateway = scene.tea.installation.gateway
        for origin in ("", f"?origin={scene.host.origin}", f"?origin={scene.evil.origin}"):
            page = await scene.show(scene.frame(f"/embed{origin}#tea"), scene.evil)
            assert await shown(page) in ("", REFUSAL)
            assert await page.evaluate("told") == []
        metrics = await scene.tea.installation.metrics(gateway)
        assert metrics.sum(METRIC) == 1
        # The module of the element does not load either.
        page = await scene.show(scene.elements('meeting="tea"'), scene.evil)
        await page.wait_for_load_state("networkidle")
        assert not await page.evaluate("customElements.get('carillon-meeting') !== undefined")
        # The plain page appears in no frame, not even on a listed origin.
        page = await scene.show(scene.frame("/"))
        assert await shown(page) == ""


async def shown(page: Page) -> str:
    """Returns the text in the frame of a page; empty if the browser refused to show the frame."""
    await page.wait_for_load_state("networkidle")
    text = await page.frames[1].locator("body").inner_text()
    return "" if "refused to connect" in text else text.strip()


async def test_a_frame_obeys_its_policy_and_a_reload_keeps_the_address() -> None:
    async with stage() as scene:
        said: list[str] = []
        page = await scene.show(scene.elements('meeting="tea" display-name="Ada"'))
        page.on("console", lambda message: said.append(message.text))
        await hears(page, "joined")
        address = f"{scene.server}/embed?origin={quote(scene.host.origin, safe='')}#tea"
        assert page.frames[1].url == address
        link = "import('/js/meet/meeting-name.js').then(({ linkTo }) => linkTo(location, 'tea'))"
        assert await page.frames[1].evaluate(link) == f"{scene.server}/#tea"
        await page.reload()
        await hears(page, "joined")
        assert [text for text in said if POLICY_WORDS.search(text)] == []


async def test_the_element_reloads_when_an_attribute_changes_and_shows_a_failure_to_load() -> None:
    async with stage() as scene:
        page = await scene.show(scene.elements('meeting="tea" display-name="Ada"'))
        await hears(page, "joined", meeting="tea")
        await call(page, "join", {"meeting": "x", "name": "Ada"})
        await page.locator("carillon-meeting").evaluate("(element) => (element.meeting = 'coffee')")
        inside = meeting(page).locator("#lobby-problem")
        await expect(inside).to_contain_text("Start “coffee” now")
        await page.clock.install()
        await page.locator("carillon-meeting").evaluate(
            "(e, to) => (e.server = to)", scene.evil.origin
        )
        await page.clock.fast_forward(21_000)
        failed = page.locator("carillon-meeting").get_by_role("status")
        await expect(failed).to_have_text("The meeting did not load.")
        assert await call(page, "leave") == 503


@needs_firefox
async def test_firefox_runs_the_element_and_shows_no_frame_of_other_origins(tmp_path: Path) -> None:
    async with sites() as scene, firefox(tmp_path) as page:
        scene.host.files["/"] = scene.elements('meeting="tea" display-name="Ada"')
        await page.goto(f"{scene.host.origin}/")
        names = "[...told.values()][0].map(([name]) => name)"

        async def heard(name: str) -> bool:
            return name in await page.evaluate(names)

        await eventually("the event joined", lambda: heard("joined"))
        await scene.tea.enter("grace")
        await eventually("the event participantJoined", lambda: heard("participantJoined"))
        element = "document.querySelector('carillon-meeting')"
        await page.evaluate(f"{element}.setMicrophone(true)")
        await eventually("the event microphoneChanged", lambda: heard("microphoneChanged"))
        state = await page.evaluate(f"{element}.getState()")
        assert [each["name"] for each in state["participants"]] == ["grace"]
        assert state["refused"] == {"source": 0, "origin": 0, "form": 0}
        scene.evil.files["/"] = scene.frame()
        await page.goto(f"{scene.evil.origin}/")
        assert await page.evaluate("told") == []

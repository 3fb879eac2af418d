"""Trials in which the link of Chromium changes: Chromium receives cameras, or sends a camera."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.async_api import Browser, Page

from eventually import due, eventually
from installation import BINARIES
from test_end_to_end import LiveMeeting, live_meeting
from Web.adaptive_result import FRAMES_PER_SECOND, Sound, Trace
from Web.browser import chromium, new_page
from Web.library_video import VIEWS
from Web.limited_link import LimitedRelay, LinkProfile, LinkSample
from Web.page_sound import microphone
from Web.test_library_sound import KEEP_CONNECTION, START
from Web.test_meeting import FLAGS
from Web.udp_relay import ROUTE_ANSWERS

PUBLISHERS = ("pinned", "second", "third", "fourth")
"""The publishers of the program `adaptive publish`. The first publisher speaks, and sends three
layers."""
PUBLISHERS_KBPS = 1_000 + 3 * 120
"""The bitrate of the first publisher's largest layer, plus the bitrates of the other cameras."""
PUBLISHERS_WIDTH = 320

CAMERA = (640, 360)
"""The size of Chromium's camera."""
CAMERA_KBPS = 600 + 300
"""The sum of the bitrates of the two layers of Chromium's camera (send-layers.js)."""
SOUND_KBPS = 50
"""The bitrate of sound with all headers."""
CAMERA_HERTZ = 400.0

READY_SECONDS = 60.0

PIN = """async (pinned) => {
  const { VideoPriority, VideoResolution, VideoSubscriptionConfiguration } =
    await import("/js/carillon/carillon.js");
  const wishes = new Map([...views.keys()].map((attendeeId) => {
    const wish = new VideoSubscriptionConfiguration();
    wish.targetResolution = VideoResolution.high;
    wish.priority = attendeeId === pinned ? VideoPriority.highest : VideoPriority.lowest;
    return [{ attendeeId }, wish];
  }));
  session.updateVideoSourceSubscriptions(wishes);
}"""
"""Gives one video the highest priority, and the others the lowest."""

WIDTHS = "Object.fromEntries([...views].map(([id, view]) => [id, view.videoWidth]))"

RECORD = """({ threshold, kind }) => {
  const began = performance.now();
  const now = () => (performance.now() - began) / 1_000;
  window.record = { frames: {}, sounds: [], rates: [], pauses: [] };
  for (const [at, [id, view]] of [...views].entries()) {
    // The browser draws only videos in sight.
    const place = { position: "fixed", top: 0, left: `${160 * at}px`, width: "160px", zIndex: 1 };
    Object.assign(view.style, place);
    const shown = (record.frames[id] = []);
    const note = (_, { width }) => {
      shown.push([now(), width]);
      view.requestVideoFrameCallback(note);
    };
    view.requestVideoFrameCallback(note);
  }
  session.addVideoTileObserver({
    videoTileDidPause: ({ attendeeId }) => record.pauses.push([now(), attendeeId, true]),
    videoTileDidResume: ({ attendeeId }) => record.pauses.push([now(), attendeeId, false]),
  });
  const context = new AudioContext();
  const mix = document.querySelector("#library-mix").srcObject;
  // This node hands out each piece of the sound, and needs no script of its own.
  const pieces = context.createScriptProcessor(1_024, 1, 1);
  pieces.onaudioprocess = ({ inputBuffer }) => {
    const loudest = inputBuffer.getChannelData(0).reduce((most, each) => Math.max(most, each), 0);
    record.sounds.push([now(), inputBuffer.duration, loudest > threshold]);
  };
  context.createMediaStreamSource(mix).connect(pieces).connect(context.destination);
  const sum = (reports) => {
    let bytes = 0;
    for (const report of reports.filter(({ type }) => type === kind)) {
      const isReceived = kind === "inbound-rtp";
      bytes += isReceived ? report.bytesReceived : report.bytesSent;
      bytes += 12 * (isReceived ? report.packetsReceived : report.packetsSent);
      // Padding counts as a repetition.
      const repeated = isReceived
        ? [report.retransmittedBytesReceived, report.retransmittedPacketsReceived]
        : [report.retransmittedBytesSent, report.retransmittedPacketsSent];
      bytes -= (repeated[0] ?? 0) + 12 * (repeated[1] ?? 0);
    }
    return bytes;
  };
  let last = null;
  const measure = async () => {
    const bytes = sum([...(await connection.getStats()).values()]);
    const time = now();
    if (last) record.rates.push([time, ((bytes - last.bytes) * 8) / 1_000 / (time - last.time)]);
    last = { bytes, time };
  };
  setInterval(measure, 1_000);
}"""
"""Starts to record shown frames, pieces of sound, pauses, and rates without retransmissions.

`threshold` is the lowest level of the tone. `kind` is the kind of the streams whose rates count."""

RECEIVED, SENT = "inbound-rtp", "outbound-rtp"
PUBLISHERS_TONE, CAMERA_TONE = 0.045, 0.005
"""The lowest level of the publishers' tone, and of the tone of Chromium's microphone."""
SOUNDS_WITHOUT_CLICK = "--autoplay-policy=no-user-gesture-required"

FILM = """async ({ width, height, perSecond }) => {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  // Weak noise, for which an encoder uses its whole bitrate.
  const pictures = Array.from({ length: 8 }, () => {
    const picture = context.createImageData(width, height);
    for (let at = 0; at < picture.data.length; at += 4) {
      picture.data.fill(96 + Math.random() * 16, at, at + 3);
      picture.data[at + 3] = 255;
    }
    return picture;
  });
  let count = 0;
  setInterval(() => {
    count += 1;
    context.putImageData(pictures[count % pictures.length], 0, 0);
  }, 1_000 / perSecond);
  await session.startLocalVideo(canvas.captureStream(perSecond).getVideoTracks()[0]);
}"""


async def trial(profile: LinkProfile, subject: str, seed: int) -> Trace:
    """Runs a profile. `subject` is the side of Chromium on the changing link: `receiver` or
    `publisher`."""
    if subject == "publisher":
        return await publisher_trial(profile, seed)
    return await receiver_trial(profile, seed)


async def receiver_trial(profile: LinkProfile, seed: int) -> Trace:
    """Limits the link of a page, or of two pages, that receive four cameras."""
    count = 2 if profile.subject == "twoReceivers" else 1
    async with (
        live_meeting(gateway=FLAGS) as tea,
        publishers(tea) as ids,
        chromium(SOUNDS_WITHOUT_CLICK) as browser,
    ):
        relay = LimitedRelay()
        try:
            pages = [await enter(browser, tea, f"receiver-{at}", relay) for at in range(count)]
            for page in pages:
                await until_wide(page, dict.fromkeys(ids, 1))
                await page.evaluate(PIN, ids[0])
            for page in pages:
                await until_wide(page, {ids[0]: PUBLISHERS_WIDTH, **dict.fromkeys(ids[1:], 1)})
            for page in pages:
                await page.evaluate(RECORD, {"threshold": PUBLISHERS_TONE, "kind": RECEIVED})
            samples = await relay.follow(profile, "down", seed)
            records = [await page.evaluate("record") for page in pages]
        finally:
            relay.close()
    return Trace(
        profile=profile,
        wanted_kbps=count * PUBLISHERS_KBPS,
        top_width=PUBLISHERS_WIDTH,
        link=samples,
        frames=records[0]["frames"][ids[0]],
        minor_frames=[[at for at, _ in records[0]["frames"][each]] for each in ids[1:]],
        sounds=[Sound(*each) for each in records[0]["sounds"]],
        goodput=added([each["rates"] for each in records]),
        pauses=pauses(records[0]["pauses"], ids[0], profile.seconds),
    )


async def publisher_trial(profile: LinkProfile, seed: int) -> Trace:
    """Limits the link of a page that sends a camera to another page."""
    with TemporaryDirectory() as directory:
        sound = microphone(CAMERA_HERTZ, path=Path(directory) / "tone.wav")
        async with (
            live_meeting(gateway=FLAGS) as tea,
            chromium(SOUNDS_WITHOUT_CLICK, *sound) as browser,
        ):
            relay = LimitedRelay()
            try:
                sender = await enter(browser, tea, "pinned", relay, speaks=True)
                viewer = await enter(browser, tea, "receiver", None)
                width, height = CAMERA
                size = {"width": width, "height": height, "perSecond": FRAMES_PER_SECOND}
                await sender.evaluate(FILM, size)
                found = await eventually("a video", lambda: viewer.evaluate("[...views.keys()]"))
                await viewer.evaluate(PIN, found[0])
                await until_wide(viewer, {found[0]: width})
                await sender.evaluate(RECORD, {"threshold": CAMERA_TONE, "kind": SENT})
                await viewer.evaluate(RECORD, {"threshold": CAMERA_TONE, "kind": RECEIVED})
                samples = await relay.follow(profile, "up", seed)
                record = await viewer.evaluate("record")
                sent = await sender.evaluate("record.rates")
            finally:
                relay.close()
    return Trace(
        profile=profile,
        wanted_kbps=CAMERA_KBPS + SOUND_KBPS,
        top_width=width,
        link=samples,
        frames=record["frames"][found[0]],
        sounds=[Sound(*each) for each in record["sounds"]],
        goodput=without_drops(sent, samples),
        pauses=pauses(record["pauses"], found[0], profile.seconds),
    )


@asynccontextmanager
async def publishers(tea: LiveMeeting) -> AsyncIterator[list[str]]:
    """Runs the publishers of the adaptive trials over ZeroMQ. Yields their attendee ids."""
    who = [await tea.create(name) for name in PUBLISHERS]
    program = await asyncio.create_subprocess_exec(
        *("setpriv", "--pdeathsig", "KILL", str(BINARIES / "adaptive"), "publish"),
        f"ipc://{tea.installation.client_socket}",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert program.stdin is not None and program.stdout is not None
    try:
        for each in who:
            words = (tea.meeting.meeting_id, each.attendee_id, each.external_user_id)
            program.stdin.write(" ".join((*words, each.join_token)).encode() + b"\n")
        program.stdin.write(b"\n")
        async with due("the cameras of the publishers", READY_SECONDS):
            line = await program.stdout.readline()
        assert line == b"sending\n", line
        yield [each.attendee_id for each in who]
    finally:
        program.stdin.close()
        await program.wait()


async def enter(
    browser: Browser,
    tea: LiveMeeting,
    name: str,
    relay: LimitedRelay | None,
    *,
    speaks: bool = False,
) -> Page:
    """Opens a page that joins the meeting and receives videos, through a relay if there is one."""
    page = await new_page(browser)
    await page.add_init_script(KEEP_CONNECTION)
    if relay is not None:
        await page.expose_function("routedAnswer", relay.routed_answer)
        await page.add_init_script(ROUTE_ANSWERS)
    # The page shows only the lobby, which joins no meeting by itself.
    await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/")
    await page.evaluate(START, {"name": name, "withMicrophone": speaks})
    await page.evaluate(VIEWS)
    return page


async def until_wide(page: Page, least: dict[str, int]) -> None:
    """Waits until the page shows the videos of these attendees at least in these widths."""

    widths: dict[str, int] = {}
    try:
        async with asyncio.timeout(READY_SECONDS):
            while not all(widths.get(id, 0) >= each for id, each in least.items()):
                await asyncio.sleep(0.05)
                widths = await page.evaluate(WIDTHS)
    except TimeoutError:
        raise AssertionError(f"instead of videos of {least}, the page shows {widths}") from None


def added(rates: Sequence[Sequence[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Returns the sum of the rates of all pages, by the first page's times."""

    def at(time: float, of: Sequence[tuple[float, float]]) -> float:
        return min(of, key=lambda each: abs(each[0] - time))[1]

    return [(time, kbps + sum(at(time, each) for each in rates[1:])) for time, kbps in rates[0]]


def without_drops(
    rates: Sequence[tuple[float, float]], samples: Sequence[LinkSample]
) -> list[tuple[float, float]]:
    """Returns the sent rates without the datagrams that the link dropped in each second."""

    def dropped(at: float) -> float:
        return sum(each.dropped * 8 / 1_000 for each in samples if at - 1 < each.at <= at)

    return [(at, max(0.0, kbps - dropped(at))) for at, kbps in rates]


def pauses(news: Sequence[Any], attendee: str, end: float) -> list[tuple[float, float]]:
    """Returns the start and the end of each pause of an attendee's video."""
    found: list[tuple[float, float]] = []
    since: float | None = None
    for at, who, is_paused in news:
        if who != attendee:
            continue
        if is_paused and since is None:
            since = at
        elif not is_paused and since is not None:
            found.append((since, at))
            since = None
    return found if since is None else [*found, (since, end)]

"""Simulated cameras for screenshots of the page: they show painted scenes, sent over WebRTC."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.async_api import Browser, Frame, Page

from eventually import eventually
from Web.scripted_media import FIRST_GROUP_OF_PAINTED, PaintedCamera, ScriptedMeeting

PER_SECOND = 4
"""The pictures per second of each camera. A low rate leaves the processor to the page."""

_PAINT = """({ groups, perSecond }) => {
  const person = (context, { width, height }, group, step) => {
    const hue = (group * 47) % 360;
    const wall = context.createLinearGradient(0, 0, width, height);
    // Bright and dark rooms: labels must be legible on both.
    const isBright = group % 2 === 0;
    wall.addColorStop(0, `hsl(${hue} 35% ${isBright ? 96 : 30}%)`);
    wall.addColorStop(1, `hsl(${hue} 30% ${isBright ? 78 : 10}%)`);
    context.fillStyle = wall;
    context.fillRect(0, 0, width, height);
    context.fillStyle = `hsl(${(hue + 180) % 360} 45% ${isBright ? 45 : 60}%)`;
    context.beginPath();
    context.ellipse(width / 2, height * 1.1, width * 0.27, height * 0.45, 0, 0, 7);
    context.fill();
    context.fillStyle = `hsl(${20 + (group % 5) * 4} 45% ${35 + (group % 4) * 12}%)`;
    context.beginPath();
    context.ellipse(width / 2 + step, height * 0.42, width * 0.11, height * 0.24, 0, 0, 7);
    context.fill();
  };
  const screen = (context, { width, height }, step) => {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    context.fillStyle = "#1d4d8f";
    context.fillRect(0, 0, width, height / 9);
    context.fillStyle = "#222";
    context.font = `${height / 24}px sans-serif`;
    for (let line = 0; line < 14; line += 1)
      context.fillText(`${line + 1}. A line of the shared document ${"· ".repeat(line)}`,
        width / 20, height * (0.18 + line * 0.055));
    context.fillRect(width - 40 - step, height - 40, 20, 20);
  };
  window.painted ??= new Map();
  for (const { group, isScreen } of groups) {
    const [width, height] = isScreen ? [1280, 720] : [320, 180];
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    let step = 0;
    const paint = () => {
      step = (step + 1) % 4;
      if (isScreen) screen(context, canvas, step);
      else person(context, canvas, group, step);
    };
    paint();
    setInterval(paint, 1000 / perSecond);
    painted.set(group, canvas.captureStream().getVideoTracks()[0]);
  }
}"""

_LACKING = f"""async () => {{
  const all = [...document.querySelectorAll("#stage video")];
  // The browser draws only videos that are not scrolled out of sight.
  const inSight = (video) => new Promise((done) => {{
    const observer = new IntersectionObserver(([{{ intersectionRatio }}]) => {{
      observer.disconnect();
      done(intersectionRatio > 0.05);
    }});
    observer.observe(video);
  }});
  const seen = await Promise.all(all.map(inSight));
  const videos = all.filter((_, at) => seen[at]);
  const late = new Promise((done) => setTimeout(() => done(1), {10_000 // PER_SECOND}));
  const drawn = (video) =>
    new Promise((done) => video.requestVideoFrameCallback(() => done(0)));
  const lacking = await Promise.all(videos.map((video) => Promise.race([drawn(video), late])));
  return lacking.reduce((sum, each) => sum + each, 0);
}}"""
"""Returns how many visible videos show no new picture within ten intervals."""


async def painted_meeting(
    browser: Browser, attendees: Sequence[str], *, per_second: int = PER_SECOND
) -> ScriptedMeeting:
    """Opens a meeting in which these attendees, or their content shares, have painted videos."""
    meeting = await ScriptedMeeting.open(browser)
    meeting.painted = [
        PaintedCamera(attendee_id=each, group=FIRST_GROUP_OF_PAINTED + at)
        for at, each in enumerate(attendees)
    ]
    groups = [
        {"group": each.group, "isScreen": each.attendee_id.endswith("#content")}
        for each in meeting.painted
    ]
    await meeting.server.evaluate(_PAINT, {"groups": groups, "perSecond": per_second})
    return meeting


async def until_pictures(page: Page | Frame) -> None:
    """Waits until each visible video of the stage shows a new picture."""

    async def has_all() -> bool | None:
        return True if await page.evaluate(_LACKING) == 0 else None

    await eventually("a new picture of each visible video", has_all)

"""Judges what a page shows: overlap, clipping, covered controls, sizes of targets, and contrast."""

from __future__ import annotations

from io import BytesIO

import av
import numpy as np
from playwright.async_api import Frame, Page

FAULTS = """() => {
  const modal = [...document.querySelectorAll("dialog[open]")].at(-1);
  const within = modal ?? document.body;
  const controls = "button, a[href], input, select, textarea, summary";
  const faults = [];
  const nameOf = (element) =>
    element.id ? `#${element.id}` : `${element.tagName.toLowerCase()}.${element.className}`;
  const style = (element) => getComputedStyle(element);
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && style(element).clipPath === "none";
  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const cut = (one, other) => ({
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  });
  const isEmpty = ({ left, top, right, bottom }) => right - left <= 0.5 || bottom - top <= 0.5;
  // The visible part of an element, and whether the user can scroll to the rest.
  const visible = (element) => {
    let shown = box(element.getBoundingClientRect());
    let scrolls = false;
    for (let at = element.parentElement; at; at = at.parentElement) {
      const { overflowX, overflowY, position } = style(at);
      if (overflowX !== "visible" || overflowY !== "visible") {
        scrolls ||= /auto|scroll/.test(overflowX + overflowY) && at !== document.body;
        shown = cut(shown, at.getBoundingClientRect());
      }
      if (position === "fixed") break;
    }
    scrolls ||= document.documentElement.scrollHeight > innerHeight + 1;
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    return { shown: cut(shown, view), scrolls };
  };
  const targetOf = (element) => element.closest("label") ?? element;

  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is too wide");
  const places = [];
  // These cards may cover tiles: the cards wait for an answer or disappear by themselves.
  const cards = [...within.querySelectorAll(".knocks, .chat-preview")].filter(isSeen)
    .map((card) => card.getBoundingClientRect());
  for (const element of within.querySelectorAll(controls)) {
    if (!isSeen(element)) continue;
    const target = targetOf(element);
    const rect = target.getBoundingClientRect();
    const { shown, scrolls } = visible(target);
    const isInText = element.matches("p a");
    if (!isInText && (rect.width < 23.9 || rect.height < 23.9)) {
      faults.push(`${nameOf(element)} is ${rect.width} x ${rect.height}`);
    }
    const hidden = rect.right - rect.left - (shown.right - shown.left) > 1
      || rect.bottom - rect.top - (shown.bottom - shown.top) > 1;
    if (hidden && !scrolls) faults.push(`${nameOf(element)} is clipped`);
    if (isEmpty(shown)) continue;
    if (element.matches(".tile-pin") && cards.some((card) => !isEmpty(cut(shown, card)))) continue;
    places.push({ element, target, shown, rect });
    const top = document.elementFromPoint(
      (shown.left + shown.right) / 2, (shown.top + shown.bottom) / 2);
    if (top && !target.contains(top) && !top.contains(target)) {
      faults.push(`${nameOf(element)} is covered by ${nameOf(top)}`);
    }
  }
  for (const [at, one] of places.entries()) {
    for (const other of places.slice(at + 1)) {
      if (one.target.contains(other.target) || other.target.contains(one.target)) continue;
      const both = cut(one.shown, other.shown);
      if (!isEmpty(both)) faults.push(`${nameOf(one.element)} overlaps ${nameOf(other.element)}`);
    }
  }
  for (const element of within.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some(({ nodeType, data }) =>
      nodeType === Node.TEXT_NODE && data.trim());
    if (!hasText || !isSeen(element) || element.closest("svg, option")) continue;
    const { fontFamily, overflowX, textOverflow } = style(element);
    if (element.matches("button") && fontFamily !== style(document.body).fontFamily)
      faults.push(`${nameOf(element)} has another font than the page`);
    const isCut = element.scrollWidth > element.clientWidth + 1 && overflowX === "hidden";
    if (isCut && textOverflow !== "ellipsis") faults.push(`the text of ${nameOf(element)} is cut`);
    const range = document.createRange();
    range.selectNodeContents(element);
    if (overflowX === "visible" && element.matches("button, button .label, .tile-paused")) {
      const text = range.getBoundingClientRect();
      const holder = element.closest("button, .tile-paused");
      const place = box(holder.getBoundingClientRect());
      // The name of the tile is over the padding.
      if (holder.matches(".tile-paused"))
        place.bottom -= parseFloat(style(holder).paddingBottom);
      const isOut = text.left < place.left - 1 || text.right > place.right + 1
        || text.top < place.top - 1 || text.bottom > place.bottom + 1;
      if (isOut) faults.push(`the text of ${nameOf(element)} sticks out`);
    }
  }
  const pen = document.createElement("canvas").getContext("2d");
  // The texts of the made-up language en-XA are longer than the texts of any real language.
  const isMadeUp = document.documentElement.lang === "en-XA";
  for (const select of within.querySelectorAll("select")) {
    if (isMadeUp || !isSeen(select)) continue;
    const { font, paddingLeft, paddingRight, textOverflow } = style(select);
    pen.font = font;
    const arrow = 16;
    const text = pen.measureText(select.selectedOptions[0]?.label ?? "").width;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    if (text > room + 1 && textOverflow !== "ellipsis")
      faults.push(`the choice of ${nameOf(select)} is cut`);
  }
  for (const box of within.querySelectorAll("input[type=checkbox]")) {
    const { width, height } = box.getBoundingClientRect();
    if (Math.abs(width - height) > 0.5) faults.push(`${nameOf(box)} is ${width} x ${height}`);
  }
  // In lower windows, the whole dialog scrolls.
  const close = modal?.querySelector("button[id$=-close]");
  if (close && innerHeight > 384) {
    const { top, bottom } = close.getBoundingClientRect();
    const { shown } = visible(close);
    if (shown.top - top > 1 || bottom - shown.bottom > 1)
      faults.push(`${nameOf(close)} is out of sight`);
  }
  return faults;
}"""

TELLS = """(selector) => {
  const element = document.querySelector(selector);
  if (!element?.textContent.trim()) return [`${selector} says nothing`];
  const range = document.createRange();
  range.selectNodeContents(element);
  const { left, top, right, bottom } = range.getBoundingClientRect();
  // In a low window, the user can scroll to the end of the text.
  const isLow = innerHeight <= 384 && document.documentElement.scrollHeight > innerHeight + 1;
  const end = isLow ? Math.min(bottom, top + 40) : bottom;
  const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest(".visually-hidden") && getComputedStyle(element).clipPath === "none"
    && left >= -1 && top >= -1 && right <= innerWidth + 1 && end <= innerHeight + 1;
  if (!isShown) return [`${selector} is out of sight`];
  // These texts disappear by themselves. The pointer passes through them.
  const passing = [...document.querySelectorAll(".toast, .chat-preview, .reactions")]
    .filter((each) => each.checkVisibility() && each.textContent.trim())
    .map((each) => each.getBoundingClientRect());
  const at = document.elementFromPoint((left + right) / 2, (top + end) / 2);
  const isCovered = (at && !element.contains(at) && !at.contains(element))
    || passing.some((box) => box.left < right && box.right > left
      && box.top < bottom && box.bottom > top);
  return isCovered ? [`${selector} is covered`] : [];
}"""
"""Finds out whether the user can read the text that a state has to tell."""


CONTRAST = """
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((each) => linear(each / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d", { willReadFrequently: true });
  // A colour in any notation, as red, green, blue and alpha.
  const colour = (text) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((each, at) => each * alpha + below[at] * (1 - alpha));
"""
"""Functions for colours and their contrast (WCAG 2.2), for scripts that run in the page."""

PALE = (
    "() => {"
    + CONTRAST
    + """
  const least = 4.5;
  const found = [];
  for (const video of document.querySelectorAll("#stage video")) {
    const place = video.closest("li, #share");
    if (!video.checkVisibility() || !place) continue;
    const picture = video.getBoundingClientRect();
    for (const element of place.querySelectorAll("*")) {
      const isText = [...element.childNodes].some(({ nodeType, data }) =>
        nodeType === Node.TEXT_NODE && data.trim());
      const isShown = (isText || element.matches("button")) && element !== video
        && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        && !element.closest(".visually-hidden");
      if (!isShown) continue;
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (left >= picture.right || right <= picture.left) continue;
      if (top >= picture.bottom || bottom <= picture.top) continue;
      const layers = [];
      for (let at = element; at && at !== place; at = at.parentElement)
        layers.unshift(colour(getComputedStyle(at).backgroundColor));
      const greys = Array.from({ length: 18 }, (_, step) => step * 15);
      const ratios = greys.map((grey) => {
        const ground = layers.reduce((below, layer) => over(layer, below), [grey, grey, grey]);
        return ratio(over(colour(getComputedStyle(element).color), ground), ground);
      });
      if (Math.min(...ratios) < least)
        found.push(`${element.tagName.toLowerCase()}.${element.className} has a contrast of `
          + `${Math.min(...ratios).toFixed(1)} over a picture`);
    }
  }
  for (const field of document.querySelectorAll("[placeholder]")) {
    if (!field.checkVisibility() || field.value) continue;
    const layers = [];
    for (let at = field; at; at = at.parentElement)
      layers.unshift(colour(getComputedStyle(at).backgroundColor));
    const ground = layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
    const text = colour(getComputedStyle(field, "::placeholder").color);
    const contrast = ratio(over(text, ground), ground);
    if (contrast < least)
      found.push(`the placeholder of #${field.id} has a contrast of ${contrast.toFixed(1)}`);
  }
  return [...new Set(found)];
}"""
)
"""Finds illegible texts that axe-core does not judge: placeholders, and those texts and buttons
over videos that a black, white or grey picture makes illegible.
"""


async def pale_texts(page: Page | Frame) -> list[str]:
    """Returns the placeholders, and the texts and buttons over videos, whose contrast can be below
    4.5 (WCAG 1.4.3)."""
    found: list[str] = await page.evaluate(PALE)
    return found


NOISE = """async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 });
  const pen = canvas.getContext("2d");
  const noise = pen.createImageData(640, 360);
  let seed = 5;
  for (let at = 0; at < noise.data.length; at += 1) {
    seed = (seed * 1664525 + 1013904223) % 2 ** 32;
    // Black, white and every value between them, in each colour.
    noise.data[at] = at % 4 === 3 ? 255 : Math.min(255, Math.max(0, (seed / 2 ** 32) * 380 - 60));
  }
  const draw = () => pen.putImageData(noise, 0, 0);
  draw();
  setInterval(draw, 100);
  const all = [...document.querySelectorAll("#stage video")];
  const videos = all.filter((each) => each.checkVisibility());
  for (const video of videos) video.srcObject = canvas.captureStream(10);
  await Promise.all(videos.map((video) => video.play()));
}"""
"""Shows noise in the place of each picture. The noise is random, with the same seed in each run."""

WRITTEN = """() => [...document.querySelectorAll("#stage video")].flatMap((video) => {
  const place = video.closest("li, #share");
  if (!video.checkVisibility() || !place) return [];
  return [...place.querySelectorAll("*")].filter((element) => {
    const isText = [...element.childNodes].some(({ nodeType, data }) =>
      nodeType === Node.TEXT_NODE && data.trim());
    const { width } = element.getBoundingClientRect();
    return isText && width > 2 && element.checkVisibility({ opacityProperty: true })
      && !element.closest(".visually-hidden");
  }).map((element) => {
    // Around the text, the corners of its ground may be round.
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    const { x, y, right, bottom } = element.getBoundingClientRect();
    const box = { x: Math.max(x, text.x), y: Math.max(y, text.y) };
    box.width = Math.min(right, text.right) - box.x;
    box.height = Math.min(bottom, text.bottom) - box.y;
    const colour = getComputedStyle(element).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    element.style.setProperty("color", "transparent", "important");
    return { name: element.className, colour, box };
  });
})"""
"""Returns the texts over videos with their colours, and hides these texts, so that a picture of the
page shows what is behind them.
"""


async def ratios_over_noise(page: Page) -> dict[str, float]:
    """Returns the lowest contrast of each kind of text with the pixels of noise behind the text."""
    await page.evaluate(NOISE)
    await page.wait_for_timeout(500)
    lowest: dict[str, float] = {}
    for text in await page.evaluate(WRITTEN):
        picture = await page.screenshot(clip=text["box"])
        with av.open(BytesIO(picture), "r") as file:
            pixels = next(file.decode(video=0)).to_ndarray(format="rgb24")
        one, others = _luminance(np.array(text["colour"])), _luminance(pixels)
        light, dark = np.maximum(one, others), np.minimum(one, others)
        ratio = float(((light + 0.05) / (dark + 0.05)).min())
        lowest[text["name"]] = min(ratio, lowest.get(text["name"], 21.0))
    return lowest


def _luminance(colour: np.ndarray) -> np.ndarray:
    """Returns the relative luminance of sRGB colours (WCAG 2.2)."""
    share = colour / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


async def untold(page: Page | Frame, selector: str) -> list[str]:
    """Returns a fault if the text of an element is empty, out of sight or covered."""
    found: list[str] = await page.evaluate(TELLS, selector)
    return found


async def faults(page: Page | Frame) -> list[str]:
    """Returns the layout faults of the visible part of a page.

    Each control is at least 24 x 24 pixels. No control overlaps another control, is covered, or is
    clipped unless the user can scroll to it. No text is cut without an ellipsis, and no choice of a
    list either, except in en-XA. A check box is square. The button Close of a dialog is in sight.
    Buttons have the font of the page.
    """
    found: list[str] = await page.evaluate(FAULTS)
    return found

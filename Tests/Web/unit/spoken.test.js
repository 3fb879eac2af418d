/**
 * Tests the announcements in scenarios. The file of each scenario has news, a line `---`, and the
 * expected announcements with their times in seconds.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { Announcer, PAUSE_MS } from "../../../Clients/Web/js/meet/announcer.js";

const folder = new URL("./spoken/", import.meta.url);
/** The largest permitted number of announcements in each scenario that has a limit. */
const limits = { "storm-of-joins": 3, "offline-nine-seconds": 2, "offline-briefly": 0, "reconnect-storm": 4 };

/** The news of a line: `seconds kind [name] [text]`, or `from..to*count kind` for many people. */
function newsOf(line) {
  const [when, kind, name = "", ...rest] = line.split(" ");
  const text = rest.join(" ");
  const [, from, to, count] = /^([\d.]+)\.\.([\d.]+)\*(\d+)$/.exec(when) ?? [null, when, when, "1"];
  return Array.from({ length: Number(count) }, (_, at) => {
    const share = Number(count) > 1 ? at / (Number(count) - 1) : 0;
    const called = Number(count) > 1 ? `Guest-${at + 1}` : name;
    return { at: 1_000 * (Number(from) + share * (Number(to) - Number(from))), news: newsCalled(kind, called, text) };
  });
}

function newsCalled(kind, name, text) {
  if (kind === "microphone" || kind === "camera") return { kind, isOn: name === "on" };
  if (kind === "own" || kind === "caption") return { kind, text: [name, text].join(" ").trim() };
  if (kind === "lost!" || kind === "back!") return { kind: "connection", isLost: kind === "lost!" };
  return { kind, id: name, name, ...(kind === "chat" && { text }) };
}

/** Passes news to an announcer in virtual time, and returns its announcements. */
function said(news) {
  const [announcer, heard] = [new Announcer(), []];
  const listen = (until) => {
    for (let due = announcer.dueAt; due !== null && due <= until; due = announcer.dueAt) {
      const text = announcer.take(due);
      assert.notEqual(text, null, "what is due is said");
      heard.push({ at: due, text });
    }
  };
  for (const { at, news: each } of news.toSorted((one, other) => one.at - other.at)) {
    listen(at);
    announcer.tell(each, at);
  }
  listen(Infinity);
  return heard;
}

for (const file of readdirSync(folder)) {
  test(`spoken: ${file}`, () => {
    const [script, expected = ""] = readFileSync(new URL(file, folder), "utf8").split("---\n");
    const lines = script.split("\n").filter((line) => line && !line.startsWith("#"));
    const heard = said(lines.flatMap(newsOf));
    const plain = heard.map(({ at, text }) => `${at / 1_000} ${text.replaceAll(/[\u2068\u2069]/g, "")}`);
    assert.deepEqual(plain, expected.split("\n").filter(Boolean));
    const [times, limit] = [heard.map(({ at }) => at), limits[file.replace(".txt", "")]];
    for (const [index, at] of times.entries()) if (index) assert.ok(at - times[index - 1] >= PAUSE_MS);
    if (limit !== undefined) assert.ok(heard.length <= limit, `${heard.length} announcements`);
  });
}

test("waiting text is bounded, and long messages are split between characters", () => {
  const announcer = new Announcer();
  for (let at = 0; at < 5_000; at++) announcer.tell({ kind: "joined", id: `${at}`, name: "x" }, 0);
  assert.match(announcer.take(600), /^5000 people joined/);
  announcer.tell({ kind: "chat", id: "a", name: "Ada", text: "👩🏽‍🚀".repeat(300) }, 10_000);
  const text = announcer.take(10_600);
  assert.ok(text.length < 2_000);
  assert.ok(text.includes("👩🏽‍🚀"));
  for (let at = 0; at < 5_000; at++) announcer.tell({ kind: "caption", text: `${at} ${"x".repeat(500)}` }, 20_000);
  assert.ok(announcer.take(20_000).length < 700);
});

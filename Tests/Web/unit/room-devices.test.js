import assert from "node:assert/strict";
import test from "node:test";
import { MutedSpeech } from "../../../Clients/Web/js/meet/muted-speech.js";
import { NewDevices, nextAfter } from "../../../Clients/Web/js/meet/new-devices.js";

/** Processes ten levels a second, and returns the seconds at which a hint was due. */
function hints(levels, isMuted = () => true) {
  const speech = new MutedSpeech();
  return levels.flatMap((level, at) => (speech.hear(level, isMuted(at), at * 100) ? [at / 10] : []));
}

test("speech while muted shows a hint at most once a minute", () => {
  assert.deepEqual(hints(Array(1_300).fill(0.7)), [0.4, 60.4, 120.4]);
});

test("noise, a single knock and speech while unmuted show no hint", () => {
  assert.deepEqual(hints(Array(300).fill(0.3)), []);
  assert.deepEqual(hints(Array.from({ length: 300 }, (_, at) => (at % 10 < 4 ? 0.9 : 0))), []);
  assert.deepEqual(hints(Array(300).fill(0.9), () => false), []);
  // Speech before the mute does not count.
  assert.deepEqual(hints(Array(8).fill(0.9), (at) => at > 3), []);
});

const device = (port, kind = "audioinput") => ({ port, kind, label: port, type: "other" });

test("only a device that was absent before is new", () => {
  const fresh = new NewDevices();
  assert.deepEqual(fresh.take([device("a")]), []);
  assert.deepEqual(fresh.take([device("default"), device("a"), device("b")]), [device("b")]);
  assert.deepEqual(fresh.take([device("a")]), []);
  assert.deepEqual(fresh.take([device("a"), device("a", "audiooutput")]), [device("a", "audiooutput")]);
});

test("devices that get their labels with a permission do not count as new", () => {
  const fresh = new NewDevices();
  fresh.take([device(""), device("")]);
  assert.deepEqual(fresh.take([device("a"), device("b")]), []);
});

test("after the loss of a device, the other devices are tried in order, and then the system's choice", () => {
  const list = ["default", "a", "b"].map((port) => device(port));
  assert.deepEqual(nextAfter(list, "a").map(({ port }) => port), ["default", "b"]);
  assert.deepEqual(nextAfter(list, "default").map(({ port }) => port), ["default", "a", "b"]);
});

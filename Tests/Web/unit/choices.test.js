import assert from "node:assert/strict";
import test from "node:test";
import { captionSize, choose, isTold, soundOf } from "../../../Clients/Web/js/meet/choices.js";

const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };

test("news is read aloud and causes a sound until the user turns off this kind of news", () => {
  for (const news of ["joined", "left", "hand", "chat"]) {
    assert.equal(soundOf(news, 3), news);
    assert.equal(isTold(news), true);
  }
  choose("sound", "chat", false);
  choose("speak", "joins", false);
  assert.equal(soundOf("chat", 3), null);
  assert.deepEqual(["joined", "left", "lost", "hand"].map(isTold), [false, false, false, true]);
  assert.equal(isTold("own"), true);
  assert.equal(isTold("connection"), true);
});

test("captions are read aloud only if chosen, and news of devices and the connection until turned off", () => {
  assert.deepEqual(["caption", "microphone", "camera", "connection"].map(isTold), [false, true, true, true]);
  choose("speak", "captions", true);
  choose("speak", "devices", false);
  choose("speak", "connection", false);
  assert.deepEqual(["caption", "microphone", "camera", "connection"].map(isTold), [true, false, false, false]);
  assert.deepEqual(["caption", "microphone", "camera", "connection"].map((news) => soundOf(news, 3)), [null, null, null, null]);
});

test("with more than ten people, joins make no sound, but raised hands make a sound", () => {
  assert.deepEqual([soundOf("joined", 10), soundOf("joined", 11), soundOf("lost", 11)], ["joined", null, null]);
  assert.equal(soundOf("hand", 200), "hand");
  assert.equal(soundOf("own", 3), null);
});

test("an unknown caption size becomes the medium size", () => {
  assert.equal(captionSize(), "medium");
  kept.set("carillon.caption-size", "large");
  assert.equal(captionSize(), "large");
  kept.set("carillon.caption-size", "huge");
  assert.equal(captionSize(), "medium");
});

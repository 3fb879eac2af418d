import assert from "node:assert/strict";
import test from "node:test";

import { LaterPart } from "../../../Clients/Web/js/meet/later-part.js";

/** Returns a part that does not load until the test repairs it. */
function scene() {
  const state = { loads: 0, told: 0, isBroken: true, now: 0 };
  const load = async () => {
    state.loads += 1;
    if (state.isBroken) throw new TypeError("Failed to fetch");
    return { name: "part" };
  };
  const part = new LaterPart(load, () => (state.told += 1), () => state.now);
  return { state, part };
}

test("after a click, the page reports a part that does not load, and the next click loads the part", async (context) => {
  context.mock.method(console, "warn", () => undefined);
  const { state, part } = scene();
  assert.equal(await part.ask(), null);
  assert.deepEqual([state.loads, state.told, part.isWanted], [1, 1, false]);
  state.isBroken = false;
  assert.deepEqual(await part.ask(), { name: "part" });
  assert.deepEqual(await part.get(), { name: "part" }, "the pause after the failure is over");
  assert.deepEqual([state.loads, state.told], [2, 1]);
});

test("a part of the page loads only once, however often it is requested", async () => {
  const { state, part } = scene();
  state.isBroken = false;
  const parts = await Promise.all([part.ask(), part.get(), part.ask()]);
  assert.equal(new Set(parts).size, 1);
  assert.equal(state.loads, 1);
});

test("if an event needs a part and the part fails to load, the page reports nothing and tries again after 10 s", async (context) => {
  context.mock.method(console, "warn", () => undefined);
  const { state, part } = scene();
  assert.equal(await part.get(), null);
  assert.equal(await part.get(), null);
  assert.deepEqual([state.loads, state.told], [1, 0]);
  state.now = 10_000;
  await part.get();
  assert.equal(state.loads, 2);
});

test("ifLoaded acts only on a part of the page that has loaded or is loading", async (context) => {
  context.mock.method(console, "warn", () => undefined);
  const { state, part } = scene();
  const seen = [];
  part.ifLoaded((loaded) => seen.push(loaded.name));
  await part.ask();
  part.ifLoaded((loaded) => seen.push(loaded.name));
  state.isBroken = false;
  await part.ask();
  part.ifLoaded((loaded) => seen.push(loaded.name));
  await Promise.resolve();
  assert.deepEqual(seen, ["part"]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { Reactions } from "../../../Clients/Web/js/meet/reactions.js";

test("a person can send a reaction every two seconds", () => {
  const all = new Reactions();
  const times = [0, 1_999, 2_000, 3_000, 4_000];
  assert.deepEqual(times.map((now) => all.take({ sender: "a", text: "👍" }, now)), [true, false, true, false, true]);
  assert.equal(all.take({ sender: "b", text: "🎉" }, 4_000), true);
});

test("at most twenty reactions are shown, and further reactions are dropped while twenty are shown", () => {
  const all = new Reactions();
  const shown = Array.from({ length: 30 }, (_, at) => all.take({ sender: `${at}`, text: "👏" }, 0)).filter(Boolean);
  assert.equal(shown.length, 20);
  assert.equal(all.take({ sender: "late", text: "👏" }, 3_999), false);
  assert.equal(all.take({ sender: "late", text: "👏" }, 4_000), true);
});

test("only reactions in the list are shown", () => {
  const all = new Reactions();
  for (const text of ["", "hello", "👍👍", undefined, null, 7, {}, "<b>"]) {
    assert.equal(all.take({ sender: "a", text }, 0), false);
  }
  assert.equal(all.take({ sender: "a", text: "❤️" }, 0), true);
});

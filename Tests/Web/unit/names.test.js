import assert from "node:assert/strict";
import test from "node:test";
import { initialsOf } from "../../../Clients/Web/js/meet/names.js";
import { peopleText, PresentCounts } from "../../../Clients/Web/js/operator/present-counts.js";

test("initials are letters, digits or emoji, and never brackets", () => {
  const called = {
    "Ada (2)": "A2",
    "(Ada) [Lovelace]": "AL",
    "ada-lovelace": "AL",
    "Łukasz": "Ł",
    "👩🏽‍🚀 Kim": "👩🏽‍🚀K",
    "(((": "?",
    "": "?",
  };
  for (const [name, initials] of Object.entries(called)) assert.equal(initialsOf(name), initials, name);
});

test("the operator page counts the people who are present, for a few meetings in each round", () => {
  const counts = new PresentCounts();
  const listed = Array.from({ length: 20 }, (_, at) => `m-${at}`);
  const asked = [counts.round(listed), counts.round(listed), counts.round(listed)];
  assert.deepEqual(asked.map((each) => each.length), [8, 8, 8]);
  assert.deepEqual(new Set(asked.flat()).size, 20, "everyone's turn comes");
  counts.set("m-1", 1);
  counts.set("m-2", 2);
  assert.deepEqual([counts.of("m-1"), counts.of("m-3")].map(peopleText), ["1 person", ""]);
  assert.deepEqual(counts.round(["m-2"]), ["m-2"]);
  assert.equal(counts.of("m-1"), undefined, "what is not listed is forgotten");
  assert.deepEqual(counts.round([]), []);
});

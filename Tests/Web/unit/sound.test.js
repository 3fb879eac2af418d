import assert from "node:assert/strict";
import test from "node:test";
import { levelOf } from "../../../Clients/Web/js/meet/meter.js";

const tone = (amplitude) => Float32Array.from({ length: 480 }, (_, at) => amplitude * Math.sin(at / 4));

test("a level is 0 for silence, grows with the sound, and is at most 1", () => {
  assert.equal(levelOf(new Float32Array(480)), 0);
  assert.equal(levelOf(new Float32Array(0)), 0);
  const [quiet, loud] = [levelOf(tone(0.01)), levelOf(tone(0.5))];
  assert.ok(0 < quiet && quiet < loud && loud < 1);
  assert.equal(levelOf(new Float32Array(480).fill(1)), 1);
});

import assert from "node:assert/strict";
import test from "node:test";
import { areSameLayers, cameraLayers } from "../../../Clients/Web/js/carillon/video/send-layers.js";

const ratesOf = (width, height) => cameraLayers({ width, height }).map(({ maxBitrateKbps }) => maxBitrateKbps);

test("a camera sends the layers for its size, even on an upright phone", () => {
  const sizes = [
    [160, 120, [300, 0]],
    [320, 240, [300, 0]],
    [640, 360, [300, 600]],
    [640, 480, [300, 600]],
    [960, 540, [300, 1_000]],
    [1_280, 720, [300, 1_500]],
    [1_920, 1_080, [600, 1_500]],
  ];
  for (const [width, height, rates] of sizes) {
    assert.deepEqual(ratesOf(width, height), rates, `${width} x ${height}`);
    assert.deepEqual(ratesOf(height, width), rates, `${height} x ${width}`);
  }
});

test("a camera of unknown size gets the two layers of the usual size", () => {
  assert.deepEqual(cameraLayers({}), cameraLayers({ width: 1_280, height: 720 }));
  assert.deepEqual(cameraLayers({ width: 0, height: 0 }).map(({ rid }) => rid), ["low", "hi"]);
});

test("two lists of layers are equal if a sender gets the same parameters from both", () => {
  const [large, wide, small] = [[1_280, 720], [1_280, 800], [640, 480]].map(([width, height]) => cameraLayers({ width, height }));
  assert.deepEqual([areSameLayers(large, wide), areSameLayers(large, small), areSameLayers(large, [])], [true, false, false]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { LayerWatch, layerOf, noFlow } from "../../../Clients/Web/js/carillon/video/layer-watch.js";

const sent = (rid, frameWidth, frameHeight, framesSent) => ({
  id: `sent-${rid}`, type: "outbound-rtp", kind: "video", rid, frameWidth, frameHeight, framesSent, framesPerSecond: 15,
});
const received = (mid, frameWidth, frameHeight, framesDecoded) => ({
  id: `received-${mid}`, type: "inbound-rtp", kind: "video", mid, frameWidth, frameHeight, framesDecoded, framesPerSecond: 30,
});

test("a layer with a frame since the last statistics is active, and the smallest layer is first", () => {
  const watch = new LayerWatch();
  const first = [sent("hi", 640, 360, 10), sent("low", 320, 180, 10), received("2", 320, 180, 5)];
  assert.deepEqual(watch.take(first), noFlow, "the first statistics have nothing to compare with");
  const both = watch.take([sent("hi", 640, 360, 25), sent("low", 320, 180, 25), received("2", 640, 360, 35)]);
  assert.deepEqual(both.sent, [
    { rid: "low", width: 320, height: 180, framesPerSecond: 15 },
    { rid: "hi", width: 640, height: 360, framesPerSecond: 15 },
  ]);
  assert.deepEqual([...both.received], [["2", { width: 640, height: 360, framesPerSecond: 30 }]]);
  const low = watch.take([sent("hi", 640, 360, 25), sent("low", 320, 180, 40), received("2", 640, 360, 35)]);
  assert.deepEqual([low.sent.map(({ rid }) => rid), low.received.size], [["low"], 0]);
});

test("neither sound nor a video of unknown size counts as a layer", () => {
  const watch = new LayerWatch();
  const reports = (count) => [
    { id: "sound", type: "inbound-rtp", kind: "audio", mid: "0" },
    { id: "new", type: "inbound-rtp", kind: "video", mid: "2", framesDecoded: count },
    { id: "codec", type: "codec" },
  ];
  watch.take(reports(0));
  assert.deepEqual(watch.take(reports(1)), noFlow);
});

test("a single layer has no name", () => {
  const watch = new LayerWatch();
  watch.take([sent(undefined, 1_280, 720, 1)]);
  assert.equal(watch.take([sent(undefined, 1_280, 720, 2)]).sent[0].rid, "");
});

test("a received size belongs to the layer with the nearest number of pixels", () => {
  const ladder = [320 * 180, 640 * 360, 1_280 * 720];
  const sizes = [[160, 90, 1], [320, 240, 1], [480, 360, 2], [640, 480, 2], [960, 540, 3], [1_920, 1_080, 3]];
  for (const [width, height, layer] of sizes) {
    assert.equal(layerOf({ width, height }, ladder), layer, `${width} x ${height}`);
    assert.equal(layerOf({ width: height, height: width }, ladder), layer, `${height} x ${width}`);
  }
  assert.equal(layerOf({ width: 640, height: 360 }, [0]), 1, "a size that the server does not know");
});

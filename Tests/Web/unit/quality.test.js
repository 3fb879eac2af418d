import assert from "node:assert/strict";
import test from "node:test";
import { Quality } from "../../../Clients/Web/js/meet/quality.js";

/** Returns the findings after each second of a series of metrics. */
function said(row) {
  const quality = new Quality();
  return row.map((metrics, second) => quality.take(metrics, second * 1_000).map(({ trouble }) => trouble).join());
}
const lost = (percent) => ({ audioReceivePacketLossPercent: percent });

test("no warning appears until a connection has been bad for five seconds", () => {
  assert.deepEqual(said(Array(7).fill(lost(20))), ["", "", "", "", "", "hear", "hear"]);
  const bursts = Array.from({ length: 60 }, (_, second) => lost(second % 5 === 4 ? 0 : 50));
  assert.deepEqual(new Set(said(bursts)), new Set([""]));
});

test("the warning ends after three good seconds, and one good second changes nothing", () => {
  const row = [...Array(6).fill(lost(20)), lost(0), lost(0), lost(0), lost(0)];
  assert.deepEqual(said(row).slice(5), ["hear", "hear", "hear", "", ""]);
});

test("a warning about sound precedes a warning about video, and small losses cause no warning", () => {
  const all = { ...lost(30), videoReceivePacketLossPercent: 30, videoSendRttMs: 900, audioSendPacketLossPercent: 30 };
  assert.equal(said(Array(6).fill(all)).at(-1), "hear,heard,see,late");
  const small = { ...lost(5), videoReceivePacketLossPercent: 3, videoSendRttMs: 300 };
  assert.equal(said(Array(20).fill(small)).at(-1), "");
  assert.equal(said(Array(20).fill({})).at(-1), "");
});

import assert from "node:assert/strict";
import test from "node:test";
import { contentMetrics, noVideoCounts, videoCounts, videoMetrics } from "../../../Clients/Web/js/carillon/video/video-metrics.js";

const both = { isSending: true, isReceiving: true };

/** Returns the reports of a camera with two layers, and of two received videos. */
const reports = (timestamp, { bytes = 0, packets = 0, frames = 0, lost = 0, active = true } = {}) => [
  { type: "candidate-pair", timestamp, nominated: true, currentRoundTripTime: 0.03, availableOutgoingBitrate: 900_000 },
  { type: "candidate-pair", timestamp, nominated: false, currentRoundTripTime: 9 },
  { type: "outbound-rtp", kind: "audio", timestamp, bytesSent: 1e9, packetsSent: 1e9, active: true },
  { type: "outbound-rtp", kind: "video", timestamp, active, bytesSent: bytes, packetsSent: packets, framesSent: frames },
  { type: "outbound-rtp", kind: "video", timestamp, active: false, bytesSent: 0, packetsSent: 0, framesSent: 0 },
  { type: "remote-inbound-rtp", kind: "video", timestamp, packetsLost: lost },
  { type: "inbound-rtp", kind: "video", timestamp, bytesReceived: bytes, packetsReceived: packets, packetsLost: lost },
  { type: "inbound-rtp", kind: "video", timestamp, bytesReceived: bytes, packetsReceived: packets, packetsLost: lost },
];

test("metrics cover the time between two counts, and have the same names as in other clients", () => {
  const before = videoCounts(reports(1_000));
  const now = videoCounts(reports(3_000, { bytes: 100_000, packets: 90, frames: 30, lost: 10 }));
  assert.deepEqual(videoMetrics(before, now, both), {
    videoSendBitrate: 400_000,
    videoSendFps: 15,
    videoSendPacketLossPercent: (100 * 10) / 90,
    videoSendRttMs: 30,
    videoAvailableSendBandwidth: 900_000,
    videoReceiveBitrate: 800_000,
    videoReceivePacketLossPercent: 10,
  });
});

test("inactive streams have no metrics, and the first count yields no metrics", () => {
  const [before, now] = [videoCounts(reports(1_000)), videoCounts(reports(2_000, { bytes: 1 }))];
  assert.deepEqual(videoMetrics(noVideoCounts, now, both), {});
  assert.deepEqual(videoMetrics(now, now, both), {});
  const namesOf = (activity) => Object.keys(videoMetrics(before, now, activity));
  assert.ok(namesOf({ isSending: true, isReceiving: false }).every((name) => !name.includes("Receive")));
  assert.ok(namesOf({ isSending: false, isReceiving: true }).every((name) => name.includes("Receive")));
  const paused = videoCounts(reports(2_000, { active: false }));
  assert.ok(!("videoSendBitrate" in videoMetrics(before, paused, both)));
});

test("a stopped section loses its counts, and no metric becomes negative", () => {
  const before = videoCounts(reports(1_000, { bytes: 1_000, packets: 10, frames: 5, lost: 3 }));
  const values = Object.values(videoMetrics(before, videoCounts(reports(2_000)), both));
  assert.ok(values.length > 0 && values.every((value) => value >= 0), `${values}`);
  assert.deepEqual(videoCounts([{ type: "inbound-rtp", kind: "video" }]), { ...noVideoCounts, isReceiving: true });
});

test("the metrics of a share have the metric names for shares", () => {
  assert.deepEqual(contentMetrics({ videoSendBitrate: 8, videoReceiveBitrate: 9, videoSendFps: 0 }), {
    contentShareVideoSendBitrate: 8,
    contentShareVideoSendFps: 0,
  });
});

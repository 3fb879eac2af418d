import assert from "node:assert/strict";
import test from "node:test";
import { Peer } from "../../../Clients/Web/js/carillon/meeting/peer.js";
import { FakeConnection, FakeTrack, installWebRTC, settle } from "./support.js";

installWebRTC();

/**
 * Returns a peer connection, the fake browser connection in it, and the events that its owner
 * received.
 */
function peerBench(videoTrack = null, isScreen = false) {
  const told = [];
  const observers = new Set();
  const devices = {
    track: null,
    videoTrack,
    isScreen,
    addDeviceChangeObserver: (observer) => observers.add(observer),
    removeDeviceChangeObserver: (observer) => observers.delete(observer),
    play: async () => {},
  };
  const names = ["offered", "answered", "declined", "connected", "failed", "layersChanged"];
  const events = Object.fromEntries(names.map((name) => [name, (...values) => told.push([name, ...values])]));
  const peer = new Peer(null, devices, events);
  return { peer, devices, observers, told, connection: FakeConnection.made.at(-1) };
}

const receives = (...groupIds) => groupIds.map((groupId) => ({ groupId }));

test("sound is the first section and the camera the second, which is inactive while the camera is off", async () => {
  const { peer, told, connection } = peerBench();
  await peer.offer();
  assert.deepEqual(connection.transceivers.map(({ kind, mid, direction }) => [kind, mid, direction]), [
    ["audio", "0", "sendrecv"],
    ["video", "1", "inactive"],
  ]);
  assert.deepEqual(connection.transceivers[1].sendEncodings, [
    { rid: "low", active: true, scaleResolutionDownBy: 4, maxBitrate: 300_000 },
    { rid: "hi", active: true, scaleResolutionDownBy: 1, maxBitrate: 1_500_000 },
  ]);
  assert.equal(connection.transceivers[1].codecs[0].mimeType, "video/VP8");
  assert.deepEqual([told[0][0], told[0][2]], ["offered", new Map()]);
});

test("each video keeps its section, and the section stops when the video ends", async () => {
  const camera = new FakeTrack();
  const { peer, told, connection } = peerBench(camera);
  await peer.offer();
  await peer.accept("v=0");
  await peer.offer({ isSending: true, receives: receives(5, 9) });
  assert.equal(connection.transceivers[1].direction, "sendrecv");
  assert.equal(connection.transceivers[1].sender.track, camera);
  assert.deepEqual(told.at(-1)[2], new Map([[5, "2"], [9, "3"]]));
  assert.match(told.at(-1)[1], /m=video 9 [^\r]*\r\na=mid:3\r\na=recvonly/);
  await peer.accept("v=0");
  const nine = peer.trackOf(9);
  await peer.offer({ isSending: false, receives: receives(9, 12) });
  assert.deepEqual(told.at(-1)[2], new Map([[9, "3"], [12, "4"]]));
  assert.equal(peer.trackOf(9), nine);
  assert.equal(peer.trackOf(5), null);
  assert.deepEqual(connection.transceivers.map(({ isStopped }) => isStopped), [false, false, true, false, false]);
  assert.deepEqual([connection.transceivers[1].direction, connection.transceivers[1].sender.track], ["inactive", null]);
});

test("another camera replaces the former camera without an offer", async () => {
  const { peer, observers, told, connection } = peerBench(new FakeTrack());
  const change = (track) => observers.forEach((observer) => observer.videoInputDidChange(track));
  await peer.offer();
  change(new FakeTrack());
  await settle();
  assert.equal(connection.transceivers[1].sender.track, null, "while no camera sends");
  await peer.offer({ isSending: true, receives: [] });
  const another = new FakeTrack();
  change(another);
  await settle();
  assert.equal(connection.transceivers[1].sender.track, another);
  assert.deepEqual(told.map(([name]) => name), ["offered", "offered"]);
});

test("the layers follow the size of the camera, and a change of layers is reported", async () => {
  const { peer, observers, told, connection } = peerBench(new FakeTrack("video", { width: 640, height: 480 }));
  await peer.offer();
  await peer.offer({ isSending: true, receives: [] });
  const { sendEncodings } = connection.transceivers[1];
  assert.deepEqual(sendEncodings, [
    { rid: "low", active: true, scaleResolutionDownBy: 2, maxBitrate: 300_000 },
    { rid: "hi", active: true, scaleResolutionDownBy: 1, maxBitrate: 600_000 },
  ]);
  assert.deepEqual(told.at(-1)[3].map(({ maxBitrateKbps }) => maxBitrateKbps), [300, 600]);
  const small = new FakeTrack("video", { width: 320, height: 240 });
  observers.forEach((observer) => observer.videoInputDidChange(small));
  await settle();
  assert.deepEqual(sendEncodings, [
    { rid: "low", active: true, scaleResolutionDownBy: 1, maxBitrate: 300_000 },
    { rid: "hi", active: false, scaleResolutionDownBy: 1 },
  ]);
  assert.equal(told.at(-1)[0], "layersChanged");
  assert.equal(connection.transceivers[1].sender.track, small);
});

test("a screen has one layer without a name", async () => {
  const { peer, told, connection } = peerBench(new FakeTrack("video", { width: 320, height: 240 }), true);
  await peer.offer({ isSending: true, receives: [] });
  const [encoding, ...others] = connection.transceivers[1].sendEncodings;
  assert.deepEqual([encoding, others], [{ active: true, scaleResolutionDownBy: 1, maxBitrate: 1_500_000 }, []]);
  assert.deepEqual(told.at(-1)[3].map(({ maxBitrateKbps }) => maxBitrateKbps), [1_500]);
});

test("a wrong first answer is a failure, and a wrong later answer is rolled back", async () => {
  const first = peerBench();
  first.connection.takesAnswers = false;
  await first.peer.offer();
  await first.peer.accept("wrong");
  assert.equal(first.told.at(-1)[0], "failed");
  const { peer, told, connection } = peerBench();
  await peer.offer();
  await peer.accept("v=0");
  connection.takesAnswers = false;
  await peer.offer({ isSending: false, receives: receives(1) });
  await peer.accept("wrong");
  assert.deepEqual(told.map(([name]) => name), ["offered", "answered", "offered", "declined"]);
  await peer.rollback();
  assert.equal(connection.signalingState, "stable");
});

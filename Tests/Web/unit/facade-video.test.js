import assert from "node:assert/strict";
import test from "node:test";
import { DeviceController } from "../../../Clients/Web/js/carillon/devices/device-controller.js";
import { AudioVideo } from "../../../Clients/Web/js/carillon/meeting/audio-video.js";
import { MeetingSessionStatus, StatusCode } from "../../../Clients/Web/js/carillon/session/status.js";
import { VideoSubscriptionConfiguration } from "../../../Clients/Web/js/carillon/video/remote-video-source.js";
import { FakeTrack, installWebRTC, ME } from "./support.js";

installWebRTC();

/** An `AudioVideo` object on a session that a test controls. */
function bench() {
  const engine = {
    inputs: [],
    state: { options: { attendeeId: ME }, isMuted: false, isMutedByOther: false, video: { isSending: false } },
    dispatch: (input) => engine.inputs.push(input),
    trackOf: () => null,
  };
  const devices = new DeviceController({ media: undefined, makePlayer: () => ({}) });
  const content = { stop: () => engine.inputs.push({ type: "stopContent" }) };
  const facade = new AudioVideo(engine, devices, content);
  const told = [];
  const names = ["remoteVideoSourcesDidBecomeAvailable", "remoteVideoSourcesDidBecomeUnavailable", "cameraSendAvailabilityDidChange"];
  facade.addAudioVideoObserver({
    ...Object.fromEntries(names.map((name) => [name, (value) => told.push([name, value])])),
    audioSessionDidStopWithStatus: () => told.push(["stopped", facade.videoTiles.length]),
  });
  facade.start();
  return { engine, devices, facade, told };
}

test("a source is the same object while it is available, and a new object when it becomes available again", () => {
  const { engine, facade, told } = bench();
  const tell = (available, unavailable = []) => engine.notice({ type: "videoSources", available, unavailable });
  tell(["a-grace", "a-lin#content"]);
  tell([], ["a-grace", "a-unknown"]);
  tell(["a-grace"]);
  const [, [first], [gone], [again]] = [null, ...told.map(([, sources]) => sources)];
  assert.deepEqual([first.attendeeId, gone === first, again === first], ["a-grace", true, false]);
  const pinned = new VideoSubscriptionConfiguration();
  facade.updateVideoSourceSubscriptions(new Map([[again, pinned]]), [first]);
  const { type, addedOrUpdated, removed } = engine.inputs.at(-1);
  assert.deepEqual([type, [...addedOrUpdated.keys()], removed], ["subscribeVideo", ["a-grace"], ["a-grace"]]);
  pinned.priority = 0;
  assert.equal(addedOrUpdated.get("a-grace").priority, 4_294_967_293, "later changes have no effect");
});

test("the local tile follows the camera, and a camera that the server refuses is closed", async () => {
  const { engine, devices, facade, told } = bench();
  const camera = new FakeTrack();
  await facade.startLocalVideo(camera);
  assert.deepEqual(engine.inputs.at(-1), { type: "sendVideo", isSending: true });
  assert.deepEqual(facade.videoTiles, [], "before the session sends");
  engine.notice({ type: "localVideo", isSending: true });
  assert.deepEqual(facade.videoTiles.map(({ attendeeId, isLocalTile }) => [attendeeId, isLocalTile]), [[ME, true]]);
  engine.notice({ type: "localVideo", isSending: false });
  engine.notice({ type: "cameraAvailability", isAvailable: false });
  assert.deepEqual([facade.videoTiles, devices.videoTrack, camera.isStopped], [[], null, false]);
  assert.deepEqual(told, [["cameraSendAvailabilityDidChange", false]]);
});

test("after the loss of the camera, the session sends no video", async () => {
  const { engine, facade } = bench();
  const camera = new FakeTrack();
  await facade.startLocalVideo(camera);
  camera.dispatchEvent(new Event("ended"));
  assert.deepEqual(engine.inputs.at(-1), { type: "sendVideo", isSending: false });
});

test("an ended session has no tiles and no camera, and a share lasts until a demotion", async () => {
  const { engine, devices, facade, told } = bench();
  await facade.startLocalVideo(new FakeTrack());
  engine.notice({ type: "localVideo", isSending: true });
  engine.notice({ type: "stopped", status: new MeetingSessionStatus(StatusCode.Left) });
  assert.deepEqual(told, [["stopped", 0]]);
  assert.equal(devices.videoTrack, null);
  assert.ok(!engine.inputs.some(({ type }) => type === "stopContent"));
  engine.notice({ type: "demoted", status: new MeetingSessionStatus(StatusCode.OK) });
  assert.equal(engine.inputs.at(-1).type, "stopContent");
});

test("the server's estimate of the link is a metric while videos are received", () => {
  const { engine, facade } = bench();
  const seen = [];
  facade.addMetricsObserver({ metricsDidReceive: (metrics) => seen.push(metrics.videoAvailableReceiveBandwidth) });
  engine.measured({ videoReceiveBitrate: 1 });
  engine.state.video = { ...engine.state.video, downlink: 800_000 };
  engine.measured({ videoReceiveBitrate: 1 });
  engine.measured({ videoSendBitrate: 1 });
  assert.deepEqual(seen, [undefined, 800_000, undefined]);
});

test("`AudioVideo` reports the layers that the browser sends and receives", () => {
  const { engine, facade } = bench();
  engine.sentLayers = [{ rid: "low", width: 320, height: 180, framesPerSecond: 15 }];
  engine.receivedLayers = new Map([["a-grace", { layer: 1, layerCount: 2, width: 320, height: 180, framesPerSecond: 15 }]]);
  assert.deepEqual([facade.sentVideoLayers, facade.receivedVideoLayers], [engine.sentLayers, engine.receivedLayers]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { contentConfiguration, ContentShareController } from "../../../Clients/Web/js/carillon/meeting/content-share.js";
import { MeetingSessionStatus, StatusCode } from "../../../Clients/Web/js/carillon/session/status.js";
import { FakeStream, FakeTrack } from "./support.js";

const status = (code) => ({ type: "stopped", status: new MeetingSessionStatus(code) });

/** Returns a share whose sessions the test can inspect. */
function shareBench(screen = new FakeStream([new FakeTrack()])) {
  const [engines, told] = [[], []];
  const silence = { track: new FakeTrack("audio"), isClosed: false, close: () => (silence.isClosed = true) };
  const makeEngine = (devices) => {
    const engine = { devices, inputs: [], state: { video: { isSending: true } }, notice: () => {} };
    engine.dispatch = (input) => {
      engine.inputs.push(input.type);
      if (input.type === "mute") engine.isMuted = input.isMuted;
    };
    engines.push(engine);
    return engine;
  };
  let chosen = Promise.resolve(screen);
  const browser = { captureScreen: () => chosen, makeSilence: () => silence };
  const share = new ContentShareController(makeEngine, browser);
  share.observers.add({
    contentShareDidStart: () => told.push("start"),
    contentShareDidStop: ({ statusCode }) => told.push(statusCode),
  });
  return { share, engines, told, silence, screen, choose: (promise) => (chosen = promise) };
}

test("a share is a separate attendee that sends a screen and silence", async () => {
  const { share, engines, told, silence, screen } = shareBench();
  await share.start();
  const [engine] = engines;
  assert.deepEqual(engine.inputs, ["mute", "start", "sendVideo"]);
  assert.deepEqual([engine.devices.videoTrack, engine.devices.track], [screen.tracks[0], silence.track]);
  assert.deepEqual([engine.isMuted, screen.tracks[0].contentHint], [true, "detail"]);
  assert.deepEqual(told, [], "not before others get it");
  engine.notice({ type: "localVideoAccepted" });
  share.stop();
  share.stop();
  assert.deepEqual(told, ["start", 0]);
  assert.deepEqual([engine.inputs.at(-1), screen.tracks[0].isStopped, silence.isClosed], ["stop", true, true]);
  const configuration = contentConfiguration({ attendeeId: "a", joinToken: "secret", meetingId: "m" });
  assert.deepEqual(configuration, { attendeeId: "a#content", joinToken: "secret#content", meetingId: "m" });
});

test("a share sends the sound of a tab and does not stop an application's stream", async () => {
  const { share, engines } = shareBench();
  const own = new FakeStream([new FakeTrack("audio"), new FakeTrack()]);
  await share.start(own);
  assert.deepEqual([engines[0].devices.track, engines[0].isMuted], [own.tracks[0], false]);
  share.stop();
  assert.deepEqual(own.tracks.map(({ isStopped }) => isStopped), [false, false]);
});

test("another source replaces the former source on the same connection", async () => {
  const { share, engines, told, silence, screen } = shareBench();
  await share.start();
  const changed = [];
  engines[0].devices.addDeviceChangeObserver({ videoInputDidChange: (track) => changed.push(track) });
  const own = new FakeStream([new FakeTrack("audio"), new FakeTrack()]);
  await share.start(own);
  assert.deepEqual([engines.length, changed, told], [1, [own.tracks[1]], []]);
  assert.deepEqual([engines[0].isMuted, screen.tracks[0].isStopped, silence.isClosed], [false, true, true]);
  screen.tracks[0].dispatchEvent(new Event("ended"));
  assert.equal(share.isSharing, true);
});

test("a share ends when its screen capture or its connection ends, or if the meeting is full", async () => {
  const { share, engines, told, screen } = shareBench();
  await share.start();
  screen.tracks[0].dispatchEvent(new Event("ended"));
  await share.start();
  engines[1].notice({ type: "cameraAvailability", isAvailable: false });
  assert.equal(share.isSharing, true, "INDEX says that the meeting is full, and the share goes on");
  engines[1].state = { video: { isSending: false } };
  engines[1].notice({ type: "cameraAvailability", isAvailable: false });
  await share.start();
  engines[2].notice(status(StatusCode.MeetingEnded));
  engines[2].notice(status(StatusCode.Left));
  assert.deepEqual(told, [0, 1, 1]);
  assert.equal(share.isSharing, false);
});

test("a screen chosen after the share was stopped is released, and a refusal is reported", async () => {
  const { share, engines, screen, choose } = shareBench();
  const starting = share.start();
  share.stop();
  await starting;
  assert.deepEqual([engines.length, screen.tracks[0].isStopped], [0, true]);
  choose(Promise.reject(new Error("refused")));
  await assert.rejects(share.start());
  assert.equal(share.isSharing, false);
});

import assert from "node:assert/strict";
import test from "node:test";
import { DeviceController } from "../../../Clients/Web/js/carillon/devices/device-controller.js";
import { FakeStream, FakeTrack } from "./support.js";

/** Returns a browser with two cameras, its devices, and the calls of an observer. */
function cameraBench() {
  const browser = { asked: [], tracks: [], refusal: null };
  browser.media = Object.assign(new EventTarget(), {
    enumerateDevices: async () => [
      { kind: "audioinput", label: "Mic", deviceId: "m" },
      { kind: "videoinput", label: "Cam", deviceId: "c" },
      { kind: "videoinput", label: "Back Cam", deviceId: "b" },
    ],
    getUserMedia: async ({ video }) => {
      browser.asked.push(video.deviceId?.exact);
      if (browser.refusal) throw Object.assign(new Error(), { name: browser.refusal });
      browser.tracks.push(new FakeTrack());
      return new FakeStream([browser.tracks.at(-1)]);
    },
  });
  const devices = new DeviceController({ media: browser.media, makePlayer: () => ({}) });
  const told = [];
  devices.addDeviceChangeObserver({
    videoInputDidChange: (track) => told.push(track ? "open" : "closed"),
    videoInputDidEnd: () => told.push("ended"),
  });
  return { browser, devices, camera: devices.camera, told };
}

test("a camera opens when video is wanted, and a new choice replaces the camera", async () => {
  const { browser, devices, camera, told } = cameraBench();
  const list = await camera.list();
  assert.deepEqual(list.map(({ port, type }) => [port, type]), [["c", "videoFrontCamera"], ["b", "videoBackCamera"]]);
  await camera.choose(list[1]);
  assert.deepEqual([browser.asked, devices.videoTrack], [[], null]);
  await camera.open();
  await camera.open();
  await camera.choose(list[0]);
  assert.deepEqual(browser.asked, ["b", "c"]);
  assert.deepEqual(browser.tracks.map(({ isStopped }) => isStopped), [true, false]);
  camera.close();
  assert.equal(browser.tracks[1].isStopped, true);
  assert.deepEqual([camera.device, told], [list[0], ["open", "open", "closed"]]);
});

test("an error reports a refused or missing camera, and the loss of a camera is reported", async () => {
  const { browser, camera, told } = cameraBench();
  for (const [name, reason] of [
    ["NotAllowedError", "videoPermissionError"],
    ["OverconstrainedError", "noVideoDevices"],
    ["NotReadableError", "videoInputFailed"],
  ]) {
    browser.refusal = name;
    await assert.rejects(camera.open(), { name: "VideoDeviceError", reason });
  }
  browser.refusal = null;
  await camera.open();
  browser.tracks[0].dispatchEvent(new Event("ended"));
  assert.deepEqual(told, ["open", "closed", "ended"]);
  const none = new DeviceController({ media: undefined, makePlayer: () => ({}) });
  assert.deepEqual(await none.camera.list(), []);
  await assert.rejects(none.camera.open(), { reason: "noVideoDevices" });
});

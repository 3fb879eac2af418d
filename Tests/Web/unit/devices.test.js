import assert from "node:assert/strict";
import test from "node:test";
import { DeviceController } from "../../../Clients/Web/js/carillon/devices/device-controller.js";
import {
  audioDevicesOf,
  deviceErrorOf,
  deviceTypeOf,
} from "../../../Clients/Web/js/carillon/devices/media-device.js";
import { audioCounts, audioMetrics, noCounts } from "../../../Clients/Web/js/carillon/meeting/audio-metrics.js";

const info = (kind, label, deviceId) => ({ kind, label, deviceId });
const named = (name) => Object.assign(new Error(name), { name });

class Track extends EventTarget {
  enabled = true;
  isStopped = false;

  stop() {
    this.isStopped = true;
  }
}

/** A browser whose microphones open when a test resolves their requests. */
class FakeBrowser {
  infos = [info("audioinput", "Mic A", "a"), info("audioinput", "Mic B", "b"), info("audiooutput", "Speakers", "s")];
  asked = [];
  tracks = [];
  refusal = null;
  wait = Promise.resolve();
  player = { srcObject: null, sinks: [], plays: 0 };

  constructor() {
    const { player } = this;
    player.setSinkId = async (id) => void player.sinks.push(id);
    player.play = async () => {
      player.plays += 1;
      if (this.refusal) throw this.refusal;
    };
    this.media = Object.assign(new EventTarget(), {
      enumerateDevices: async () => this.infos,
      getUserMedia: (constraints) => this.open(constraints),
    });
    this.makePlayer = () => player;
  }

  async open({ audio }) {
    this.asked.push(audio);
    await this.wait;
    if (this.refusal) throw this.refusal;
    const track = new Track();
    this.tracks.push(track);
    return { getAudioTracks: () => [track] };
  }
}

/** Returns a controller, its browser, its devices, and the calls of its observers. */
async function bench() {
  const browser = new FakeBrowser();
  const devices = new DeviceController(browser);
  const told = [];
  const names = ["audioDeviceDidChange", "audioInputDidChange", "audioInputDidEnd", "audioPlaybackDidFail"];
  devices.addDeviceChangeObserver(Object.fromEntries(names.map((name) => [name, () => told.push(name)])));
  return { browser, devices, told, list: await devices.listAudioDevices() };
}

test("the list has microphones first, then speakers, and no cameras", () => {
  const infos = [info("audiooutput", "S", "s"), info("videoinput", "C", "c"), info("audioinput", "M", "m")];
  assert.deepEqual(audioDevicesOf(infos).map(({ port }) => port), ["m", "s"]);
});

test("devices without labels are numbered by kind", () => {
  const infos = [info("audioinput", "", ""), info("audioinput", "", ""), info("audiooutput", "", "")];
  const labels = audioDevicesOf(infos).map(({ label }) => label);
  assert.deepEqual(labels, ["Microphone 1", "Microphone 2", "Speaker 1"]);
});

test("the type of a device is read from its label", () => {
  assert.equal(deviceTypeOf("Bluetooth Headset", "audioinput"), "audioBluetooth");
  assert.equal(deviceTypeOf("USB Headset", "audiooutput"), "audioWiredHeadset");
  assert.equal(deviceTypeOf("Built-in Speakers", "audiooutput"), "audioBuiltInSpeaker");
  assert.equal(deviceTypeOf("Speakerphone", "audioinput"), "other");
});

test("errors of the browser get the names of the original SDK", () => {
  const reason = (name, kind = "audioinput") => deviceErrorOf(named(name), kind).reason;
  assert.equal(reason("NotAllowedError"), "audioPermissionError");
  assert.equal(reason("NotFoundError"), "noAudioDevices");
  assert.equal(reason("OverconstrainedError"), "noAudioDevices");
  assert.equal(reason("NotReadableError"), "setPreferredAudioInputFailed");
  assert.equal(reason("AbortError", "audiooutput"), "overrideOutputAudioPortFailed");
});

test("a chosen microphone is opened by its id, and another choice stops the microphone", async () => {
  const { browser, devices, list } = await bench();
  await devices.chooseAudioDevice(list[0]);
  assert.deepEqual(browser.asked[0].deviceId, { exact: "a" });
  assert.equal(devices.getActiveAudioDevice(), list[0]);
  await devices.chooseAudioDevice(list[1]);
  assert.equal(devices.track, browser.tracks[1]);
  assert.equal(browser.tracks[0].isStopped, true);
  await devices.chooseAudioDevice(null);
  assert.equal(devices.track, null);
  assert.equal(browser.tracks[1].isStopped, true);
});

test("if the browser refuses a microphone, the current microphone stays in use", async () => {
  const { browser, devices, list } = await bench();
  await devices.chooseAudioDevice(list[0]);
  browser.refusal = named("NotAllowedError");
  await assert.rejects(devices.chooseAudioDevice(list[1]), { reason: "audioPermissionError" });
  assert.equal(devices.getActiveAudioDevice(), list[0]);
  assert.equal(browser.tracks[0].isStopped, false);
});

test("the last of several choices takes effect, and the other microphones are closed", async () => {
  const { browser, devices, list } = await bench();
  let open;
  browser.wait = new Promise((resolve) => (open = resolve));
  const both = [devices.chooseAudioDevice(list[0]), devices.chooseAudioDevice(list[1])];
  open();
  await Promise.all(both);
  assert.equal(devices.getActiveAudioDevice(), list[1]);
  assert.deepEqual(browser.tracks.map(({ isStopped }) => isStopped), [true, false]);
});

test("a mute disables the current track, and the track of a later choice", async () => {
  const { browser, devices, list } = await bench();
  devices.mute(true);
  await devices.chooseAudioDevice(list[0]);
  assert.equal(browser.tracks[0].enabled, false);
  devices.mute(false);
  assert.equal(browser.tracks[0].enabled, true);
});

test("an application's own track is not stopped", async () => {
  const { devices, list } = await bench();
  const own = new Track();
  await devices.chooseAudioDevice(own);
  assert.equal(devices.track, own);
  await devices.chooseAudioDevice(list[0]);
  assert.equal(own.isStopped, false);
});

test("the loss of a microphone is reported once, and a replaced microphone is not reported", async () => {
  const { browser, devices, told, list } = await bench();
  await devices.chooseAudioDevice(list[0]);
  await devices.chooseAudioDevice(list[1]);
  browser.tracks[0].dispatchEvent(new Event("ended"));
  assert.equal(told.includes("audioInputDidEnd"), false);
  browser.tracks[1].dispatchEvent(new Event("ended"));
  assert.equal(told.at(-1), "audioInputDidEnd");
  assert.equal(devices.track, null);
});

test("a change of devices is reported with the list of devices", async () => {
  const { browser, devices } = await bench();
  const told = new Promise((resolve) => devices.addDeviceChangeObserver({ audioDeviceDidChange: resolve }));
  browser.infos = browser.infos.slice(1);
  browser.media.dispatchEvent(new Event("devicechange"));
  assert.deepEqual((await told).map(({ port }) => port), ["b", "s"]);
});

test("voice focus opens the microphone again with noise suppression", async () => {
  const { browser, devices, list } = await bench();
  await devices.chooseAudioDevice(list[0]);
  assert.equal(await devices.setVoiceFocusEnabled(true), true);
  assert.deepEqual(browser.asked.map(({ noiseSuppression }) => noiseSuppression), [false, true]);
  browser.refusal = named("NotReadableError");
  assert.equal(await devices.setVoiceFocusEnabled(false), false);
  assert.equal(devices.isVoiceFocusEnabled, true);
});

test("the mix plays on the chosen speaker, and a refusal is reported", async () => {
  const { browser, devices, told, list } = await bench();
  await devices.chooseAudioDevice(list[2]);
  assert.equal(devices.getActiveAudioDevice("audiooutput"), list[2]);
  const mix = {};
  browser.refusal = named("NotAllowedError");
  await devices.play(mix);
  assert.equal(browser.player.srcObject, mix);
  assert.deepEqual(told, ["audioPlaybackDidFail"]);
  browser.refusal = null;
  await devices.startAudioPlayback();
  assert.deepEqual(told, ["audioPlaybackDidFail"]);
  assert.deepEqual(new Set(browser.player.sinks), new Set(["s"]));
});

test("a bound element plays the mix, and an unbound element no longer plays the mix", async () => {
  const { browser, devices } = await bench();
  const [mix, element] = [{}, { srcObject: null, play: async () => {} }];
  await devices.play(mix);
  devices.bindAudioElement(element);
  assert.deepEqual([browser.player.srcObject, element.srcObject], [null, mix]);
  devices.unbindAudioElement();
  assert.deepEqual([browser.player.srcObject, element.srcObject], [mix, null]);
});

test("a page without media devices lists none and opens none", async () => {
  const devices = new DeviceController({ media: undefined, makePlayer: () => ({}) });
  assert.deepEqual(await devices.listAudioDevices(), []);
  const [device] = audioDevicesOf([info("audioinput", "M", "m")]);
  await assert.rejects(devices.chooseAudioDevice(device), { reason: "noAudioDevices" });
});

test("the metrics contain the packet loss of the last second", () => {
  const reports = (received, lost, sent, lostSent) => [
    { type: "inbound-rtp", kind: "audio", packetsReceived: received, packetsLost: lost },
    { type: "inbound-rtp", kind: "video", packetsReceived: 9, packetsLost: 9 },
    { type: "outbound-rtp", kind: "audio", packetsSent: sent },
    { type: "remote-inbound-rtp", kind: "audio", packetsLost: lostSent },
  ];
  const first = audioCounts(reports(90, 10, 50, 5));
  const values = (metrics) => [metrics.audioReceivePacketLossPercent, metrics.audioSendPacketLossPercent];
  assert.deepEqual(values(audioMetrics(noCounts, first)), [10, 10]);
  assert.deepEqual(values(audioMetrics(first, audioCounts(reports(140, 10, 100, 5)))), [0, 0]);
  // A packet that arrives late lowers the count of lost packets.
  assert.deepEqual(values(audioMetrics(first, audioCounts(reports(141, 9, 100, 5)))), [0, 0]);
  assert.deepEqual(values(audioMetrics(first, first)), [0, 0]);
});

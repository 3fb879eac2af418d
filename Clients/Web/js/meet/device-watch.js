/**
 * Loads room-devices.js when the user first uses a device in the meeting. Users who only listen
 * usually open no device.
 */

import { laterStyles } from "../elements.js";

/** @typedef {import("./room-devices.js").RoomDevices} RoomDevices */

export class DeviceWatch {
  #parts;
  /** @type {Promise<RoomDevices | null> | null} */
  #loaded = null;
  #isClosed = false;
  #observer = {
    audioDeviceDidChange: () => void this.#load(),
    audioInputDidChange: () => void this.#load(),
    videoInputDidChange: () => void this.#load(),
    audioPlaybackDidFail: () => void this.#playbackFailed(),
  };

  /** @param {import("./room-devices.js").RoomParts} parts */
  constructor(parts) {
    this.#parts = parts;
    parts.devices.addDeviceChangeObserver(this.#observer);
    if (parts.devices.track || parts.devices.videoTrack) void this.#load();
  }

  /** Removes the observer and closes the loaded module. */
  close() {
    this.#isClosed = true;
    this.#parts.devices.removeDeviceChangeObserver(this.#observer);
    void this.#loaded?.then((loaded) => loaded?.close());
  }

  async #playbackFailed() {
    (await this.#load())?.playbackRefused();
  }

  #load() {
    return (this.#loaded ??= this.#make());
  }

  async #make() {
    const [{ RoomDevices }] = await Promise.all([import("./room-devices.js"), laterStyles()]);
    return this.#isClosed ? null : new RoomDevices(this.#parts);
  }
}

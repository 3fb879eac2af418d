/**
 * Tests with clients that join late, that reconnect, or that missed more events than the server
 * keeps.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { FrameType } from "../../../Clients/Web/js/carillon/wire/enums.js";
import { Bench, ME } from "./support.js";

const STEPS = 200;
const SEEDS = 50;

/** Returns a generator of numbers from 0 to 1. The same seed yields the same numbers. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A meeting in which attendees join, leave, mute and unmute. Its methods return the entries of a
 * gateway's presence frames.
 */
class History {
  /** The stream and the mute state of each attendee, by id. */
  present = new Map();
  #streams = 0;
  #names = 0;

  constructor(random) {
    this.random = random;
  }

  join(id) {
    this.present.set(id, { streamId: ++this.#streams, isMuted: false });
    return this.#entry(id);
  }

  step() {
    const others = [...this.present.keys()].filter((id) => id !== ME);
    if (others.length === 0 || this.random() < 0.4) return this.join(`guest-${++this.#names}`);
    const id = others[Math.floor(this.random() * others.length)];
    const guest = this.present.get(id);
    if (this.random() < 0.5) {
      this.present.delete(id);
      return { audio_stream_id: guest.streamId, dropped: this.random() < 0.5 };
    }
    guest.isMuted = !guest.isMuted;
    return { audio_stream_id: guest.streamId, muted: guest.isMuted };
  }

  get roster() {
    return [...this.present.keys()].map((id) => this.#entry(id));
  }

  /** Renumbers the streams, as another gateway or another instance of `presence` does. */
  renumber() {
    for (const guest of this.present.values()) guest.streamId = ++this.#streams;
  }

  /** The mute state of each present attendee, by id. */
  get microphones() {
    return new Map([...this.present].map(([id, { isMuted }]) => [id, isMuted]));
  }

  #entry(id) {
    const { streamId, isMuted } = this.present.get(id);
    return { audio_stream_id: streamId, attendee_id: id, external_user_id: id, muted: isMuted };
  }
}

/** A client, and the attendees in the meeting according to the client's reports. */
class Listener {
  bench = new Bench();
  here = new Map();
  /** The attendees that the client has reported. */
  told = new Set();

  hear(...streams) {
    for (const effect of this.bench.hears(FrameType.AUDIO_STREAM_ID_INFO, { audio_stream_id_info: { streams } })) {
      if (effect.type === "roster") this.#take(effect.changes);
    }
  }

  #take({ joined, left, dropped, muted, unmuted }) {
    this.#each(joined, (id) => {
      assert.equal(this.here.has(id), false, `${id} joins once`);
      this.here.set(id, false);
    });
    this.#each([...left, ...dropped], (id) => {
      assert.notEqual(id, ME, "nobody hears its own leave");
      assert.ok(this.here.delete(id), `${id} was told of before it went`);
    });
    this.#each(muted, (id) => this.#mute(id, true));
    this.#each(unmuted, (id) => this.#mute(id, false));
  }

  #each(attendees, take) {
    for (const { attendeeId } of attendees) {
      this.told.add(attendeeId);
      take(attendeeId);
    }
  }

  #mute(id, isMuted) {
    assert.equal(this.here.get(id), !isMuted, `the microphone of ${id} changes`);
    this.here.set(id, isMuted);
  }

  comeBack() {
    this.bench.happens("socketClosed", { code: 1006 });
    this.bench.pass(500);
    this.bench.join({ reconnecting: true });
  }
}

const here = (listener, history, when) => assert.deepEqual(listener.here, history.microphones, when);

test("an attendee who joins late gets no events about former attendees", () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const history = new History(numbers(seed));
    const before = Math.floor(history.random() * STEPS);
    const known = new Set();
    for (let step = 0; step < before; step++) {
      history.step();
      for (const id of history.present.keys()) known.add(id);
    }
    history.join(ME);
    const gone = [...known].filter((id) => !history.present.has(id));
    const late = new Listener();
    late.bench.join();
    late.hear(...history.roster);
    here(late, history, `seed ${seed}`);
    for (let step = before; step < STEPS; step++) {
      late.hear(history.step());
      here(late, history, `seed ${seed}, step ${step}`);
    }
    assert.ok(!gone.some((id) => late.told.has(id)));
  }
});

test("a returning client gets the changes, even if the server has renumbered the streams", () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const history = new History(numbers(seed));
    const ada = new Listener();
    ada.bench.join();
    history.join(ME);
    ada.hear(...history.roster);
    for (let step = 0; step < STEPS; step++) {
      if (history.random() < 0.9) {
        ada.hear(history.step());
        continue;
      }
      const before = new Map(ada.here);
      for (let missed = [0, 3, 90][step % 3]; missed > 0; missed--) history.step();
      if (history.random() < 0.5) history.renumber();
      ada.told.clear();
      ada.comeBack();
      ada.hear(...history.roster);
      here(ada, history, `seed ${seed}, step ${step}`);
      const all = new Set([...before.keys(), ...ada.here.keys()]);
      const changed = [...all].filter((id) => before.get(id) !== ada.here.get(id));
      assert.deepEqual([...ada.told].sort(), changed.sort());
    }
  }
});

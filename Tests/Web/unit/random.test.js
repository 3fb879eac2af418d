import assert from "node:assert/strict";
import test from "node:test";
import { nextDeadline } from "../../../Clients/Web/js/carillon/session/reduce.js";
import { Bench, OFFER, source } from "./support.js";

const SEEDS = 300;
const STEPS = 150;

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

/** Applies a session's effects, and asserts the invariants that hold after each effect. */
class World {
  hasSocket = false;
  hasPeer = false;
  /** Whether the peer connection of an earlier connection still brings sound. */
  hasHeldPeer = false;
  isStarted = false;
  /** Whether an offer of video is in progress. */
  isOffering = false;
  /** The groups that the session has reported to the application. */
  shown = [];

  take(effect) {
    switch (effect.type) {
      case "openSocket":
        assert.equal(this.hasSocket, false, "one socket at a time");
        this.hasSocket = true;
        break;
      case "closeSocket":
        this.hasSocket = false;
        break;
      case "openPeer":
        assert.equal(this.hasPeer, false, "one peer connection at a time");
        this.hasPeer = true;
        break;
      case "closePeer":
        this.hasPeer = this.isOffering = false;
        break;
      case "holdPeer":
        assert.ok(this.hasPeer && !this.hasHeldPeer, "at most one peer connection is held");
        this.hasHeldPeer = true;
        this.hasPeer = this.isOffering = false;
        break;
      case "releasePeer":
        assert.ok(this.hasHeldPeer, "what is released was held");
        this.hasHeldPeer = false;
        break;
      case "negotiate":
        assert.ok(this.hasPeer, "a peer connection makes offers");
        assert.equal(this.isOffering, false, "one offer at a time");
        this.isOffering = true;
        break;
      case "rollback":
        assert.equal(this.isOffering, true, "what is rolled back was offered");
        this.isOffering = false;
        break;
      case "receptions":
        this.shown = effect.receptions.map(({ groupId }) => groupId);
        break;
      case "send":
        assert.ok(this.hasSocket, "nothing is sent without a socket");
        break;
      case "stopped":
        assert.ok(this.isStarted, "a session stops once");
        assert.ok(!this.hasSocket && !this.hasPeer && !this.hasHeldPeer, "who stopped has nothing open");
        assert.deepEqual(this.shown, [], "and no tiles");
        this.isStarted = false;
        break;
    }
  }

  /** Checks that the last reports to the application match the session's current state. */
  judge({ video, connection, phase }) {
    const groups = new Set(video.sources.map(({ groupId }) => groupId));
    if (phase === "connected" || video.areReceptionsKept) assert.ok(this.shown.every((group) => groups.has(group)), "tiles have sources");
    else assert.deepEqual(this.shown, [], "without a connection and without sound there are no tiles");
    if (!video.isReceiving) assert.deepEqual(this.shown, []);
    const step = connection?.negotiation.step ?? "idle";
    assert.equal(this.isOffering, step !== "idle" && step !== "refused");
  }
}

const answered = (bench) => bench.happens("answered");

/** The inputs about video. They may occur in any order. */
const videoHappenings = [
  (bench, random) => {
    const groups = [1, 2, 3, 4].filter(() => random() < 0.5);
    const sources = groups.map((group) => source(group, `attendee-${group % 3}`));
    return bench.hears(5, { index: { sources, at_capacity: random() < 0.2 } });
  },
  (bench, random) => bench.take({ type: "sendVideo", isSending: random() < 0.7 }),
  (bench, random) => bench.take({ type: "receiveVideo", isReceiving: random() < 0.8 }),
  (bench, random) => {
    const demand = { priority: Math.floor(random() * 2), targetBitrateKbps: 600, qualityAdaptationPreference: 1 };
    const addedOrUpdated = new Map(random() < 0.7 ? [["attendee-1", demand]] : []);
    return bench.take({ type: "subscribeVideo", addedOrUpdated, removed: random() < 0.3 ? ["attendee-2"] : [] });
  },
  (bench, random) => bench.take({ type: "pauseVideo", groupId: Math.floor(random() * 5), isPaused: random() < 0.5 }),
  (bench, random) => bench.hears(random() < 0.5 ? 7 : 8, { pause: { group_ids: [Math.floor(random() * 5)] } }),
  (bench) => bench.happens("offer", { sdp: OFFER, mids: new Map([[1, "2"], [2, "3"], [3, "4"]]) }),
  (bench, random) => {
    const tracks = ["2", "3", "4"].map((mid) => ({ stream_id: 101, track_label: `v_${mid}` }));
    return bench.hears(4, { suback: { sdp_answer: "v=0", tracks }, ...(random() < 0.2 && { error: { status: 206 } }) });
  },
  answered,
  (bench, random) => (random() < 0.05 ? bench.happens("declined") : []),
];

/** All inputs that may occur in any order. */
const happenings = [
  ...videoHappenings,
  (bench) => bench.take({ type: "start" }),
  (bench, random) => (random() < 0.2 ? bench.take({ type: "stop" }) : []),
  (bench) => bench.happens("socketOpened"),
  (bench, random) => bench.happens("socketClosed", { code: [1000, 1006, 4410, 4403, 4500][Math.floor(random() * 5)] }),
  (bench) => bench.hears(2, { joinack: {} }),
  (bench) => bench.hears(5, { index: { sources: [] } }),
  (bench) => bench.hears(5, {}),
  (bench) => bench.happens("offer", { sdp: OFFER }),
  (bench) => bench.hears(4, { suback: { sdp_answer: "v=0" } }),
  (bench, random) => bench.hears(4, { error: { status: 400 + Math.floor(random() * 200) } }),
  (bench) => bench.happens("peerConnected"),
  (bench) => bench.happens("peerFailed"),
  (bench, random) => bench.hears(20, { audio_status: { audio_status: [200, 301, 410, 500][Math.floor(random() * 4)] } }),
  (bench) => bench.hears(10, { leave_ack: {} }),
  (bench, random) => bench.hears(19, { ping_pong: { type: 2, ping_id: Math.floor(random() * 4) } }),
  (bench) => bench.happens("mediaSecond", { broughtSomething: false }),
  (bench, random) => bench.take({ type: "mediaSecond", connection: bench.state.held ?? 0, broughtSomething: random() < 0.5 }),
  (bench) => bench.take({ type: "networkChanged" }),
  (bench, random) => bench.take({ type: "mute", isMuted: random() < 0.5 }),
  (bench) => bench.take({ type: "send", message: { topic: "chat", data: new Uint8Array(), lifetimeMs: 0 } }),
  (bench) => bench.take({ type: "promote", credentials: { attendeeId: "g", externalUserId: "g", joinToken: "t" } }),
  (bench) => bench.take({ type: "demote" }),
  (bench, random) => bench.hears(26, random() < 0.5 ? {} : { error: { status: 403 } }),
  (bench) => bench.hears(27),
  (bench, random) => {
    const streams = [{ audio_stream_id: Math.floor(random() * 5), attendee_id: random() < 0.7 ? "attendee-ada" : undefined }];
    return bench.hears(18, { audio_stream_id_info: { streams } });
  },
  (bench, random) => {
    bench.now += Math.floor(random() * 20_000);
    return bench.take({ type: "tick" });
  },
];

for (const media of ["required", "optional", "none"]) {
  test(`in any random sequence, a session where media is ${media} keeps one socket and stops once`, () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = numbers(seed);
      const bench = new Bench({ media });
      const world = new World();
      const done = [];
      try {
        for (let step = 0; step < STEPS; step++) {
          const which = Math.floor(random() * happenings.length);
          done.push(which);
          const wasStopped = bench.state.phase === "idle" || bench.state.phase === "stopped";
          bench.random = random();
          const wasAnswering = bench.state.connection?.negotiation.step === "answering";
          const effects = happenings[which](bench, random);
          if (wasAnswering && happenings[which] === answered) world.isOffering = false;
          if (wasStopped && bench.state.phase !== "idle" && bench.state.phase !== "stopped") world.isStarted = true;
          for (const effect of effects) world.take(effect);
          world.judge(bench.state);
        }
        // Without further inputs, every session ends or has a next deadline.
        if (bench.state.phase !== "idle" && bench.state.phase !== "stopped") {
          assert.notEqual(nextDeadline(bench.state), null);
          for (const effect of bench.take({ type: "stop" })) world.take(effect);
          for (const effect of bench.pass(15_000)) world.take(effect);
          assert.equal(bench.state.phase, "stopped");
          assert.equal(world.isStarted, false);
        }
      } catch (error) {
        error.message += ` (seed ${seed}, after ${done.length} steps: ${done.slice(-12)})`;
        throw error;
      }
    }
  });
}

test("in any random sequence, at most one offer is open, and the tiles match the received videos", () => {
  let shown = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = numbers(seed);
    const bench = new Bench({ media: "optional" });
    const world = new World();
    world.isStarted = true;
    let reported = 0;
    const report = () => {
      for (; reported < bench.effects.length; reported++) world.take(bench.effects[reported]);
      world.judge(bench.state);
      shown += world.shown.length;
    };
    bench.join();
    report();
    for (let step = 0; step < STEPS; step++) {
      if (random() < 0.02) {
        bench.happens("socketClosed", { code: 1006 });
        const { held } = bench.state;
        if (random() < 0.5) bench.take({ type: "mediaSecond", connection: held ?? 0, broughtSomething: random() < 0.5 });
        bench.pass(500);
        bench.join({ reconnecting: true });
        report();
      }
      const happening = videoHappenings[Math.floor(random() * videoHappenings.length)];
      const wasAnswering = bench.state.connection?.negotiation.step === "answering";
      happening(bench, random);
      if (wasAnswering && happening === answered) world.isOffering = false;
      report();
    }
  }
  assert.ok(shown > 1_000, `${shown} tiles were shown`);
});

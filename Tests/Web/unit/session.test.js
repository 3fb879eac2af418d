import assert from "node:assert/strict";
import test from "node:test";
import { nextDeadline } from "../../../Clients/Web/js/carillon/session/reduce.js";
import { FrameType, PingPongType } from "../../../Clients/Web/js/carillon/wire/enums.js";
import { Bench, ME, OFFER } from "./support.js";

const PONG = (pingId) => ({ ping_pong: { type: PingPongType.PONG, ping_id: pingId } });
const stopped = (effects) => effects.find(({ type }) => type === "stopped")?.status.name;

test("a first join runs step by step and reports its success", () => {
  const bench = new Bench();
  assert.deepEqual(bench.take({ type: "start" }), [
    { type: "connecting", isReconnecting: false },
    { type: "openSocket", connection: 1 },
  ]);
  const first = Bench.sent(bench.happens("socketOpened"));
  assert.deepEqual(first.map(({ type }) => type), [FrameType.PING_PONG, FrameType.JOIN]);
  assert.equal(first[1].join.flags, 2 | 32, "presence, and no own content in INDEX");
  assert.equal(first[1].join.protocol_version, 2);
  assert.deepEqual(bench.hears(FrameType.JOIN_ACK, { joinack: {} }), []);
  const opening = bench.hears(FrameType.INDEX, { index: {} });
  assert.deepEqual(Bench.kinds(opening), ["index", "openPeer", "mediaChanged"]);
  const [subscribe] = Bench.sent(bench.happens("offer", { sdp: OFFER }));
  assert.equal(subscribe.type, FrameType.SUBSCRIBE);
  assert.deepEqual(subscribe.sub.receive_stream_ids, [0]);
  assert.equal(subscribe.sub.send_streams[0].attendee_id, ME);
  assert.equal(subscribe.sub.audio_muted, false);
  const answer = bench.hears(FrameType.SUBSCRIBE_ACK, { suback: { sdp_answer: "v=0" } });
  assert.deepEqual(answer, [{ type: "answer", connection: 1, sdp: "v=0" }]);
  const done = bench.happens("peerConnected");
  assert.deepEqual(done.at(-1), { type: "started", isReconnecting: false });
  assert.equal(bench.state.phase, "connected");
});

test("without an audio host, SUBSCRIBE contains no fields about audio", () => {
  const bench = new Bench({ audioHost: "" });
  bench.join();
  const subscribe = Bench.sent(bench.effects).find(({ type }) => type === FrameType.SUBSCRIBE);
  assert.deepEqual(Object.keys(subscribe.sub), ["duplex", "receive_stream_ids", "sdp_offer"]);
});

test("the client answers the server's pings, even before the join", () => {
  const bench = new Bench();
  bench.take({ type: "start" });
  bench.happens("socketOpened");
  const body = { ping_pong: { type: PingPongType.PING, ping_id: 77 } };
  const [pong] = Bench.sent(bench.hears(FrameType.PING_PONG, body));
  assert.deepEqual(pong.ping_pong, { type: PingPongType.PONG, ping_id: 77 });
});

test("the client sends a ping every 10 s, and a pong answers only the ping with the same id", () => {
  const bench = new Bench();
  bench.join();
  bench.hears(FrameType.PING_PONG, PONG(1));
  const pings = Bench.sent(bench.pass(10_000));
  assert.deepEqual(pings.map((frame) => frame.ping_pong.ping_id), [2]);
  bench.hears(FrameType.PING_PONG, PONG(1));
  assert.equal(bench.state.connection.isPingOutstanding, true);
  bench.hears(FrameType.PING_PONG, PONG(2));
  assert.equal(bench.state.connection.isPingOutstanding, false);
});

test("without any pong, the connection counts as lost forty seconds after the first ping", () => {
  const bench = new Bench();
  bench.join();
  assert.ok(!Bench.kinds(bench.pass(39_999)).includes("dropped"));
  const effects = bench.pass(1);
  const dropped = effects.find(({ type }) => type === "dropped");
  assert.equal(dropped.status.name, "ConnectionHealthReconnect");
  assert.equal(bench.state.phase, "waiting");
});

test("after the loss of its socket, the client waits a random time and connects again", () => {
  const bench = new Bench();
  bench.join();
  const lost = bench.happens("socketClosed", { code: 1006 });
  assert.deepEqual(Bench.kinds(lost), ["holdPeer", "closeSocket", "dropped", "waiting"]);
  assert.equal(nextDeadline(bench.state), bench.now + 500);
  const again = bench.pass(500);
  assert.deepEqual(again, [
    { type: "connecting", isReconnecting: true },
    { type: "openSocket", connection: 2 },
  ]);
  const done = bench.join({ reconnecting: true });
  assert.deepEqual(done.at(-1), { type: "started", isReconnecting: true });
  assert.equal(bench.state.outage, null);
});

test("the waits between attempts grow up to five seconds", () => {
  const bench = new Bench();
  bench.random = 0.999;
  bench.join();
  bench.happens("socketClosed", { code: 1006 });
  const waits = [];
  for (let round = 0; round < 5; round++) {
    waits.push(Math.round(bench.state.outage.retryAt - bench.now));
    bench.pass(waits.at(-1) + 1);
    bench.happens("socketClosed", { code: 1006 });
  }
  assert.deepEqual(waits, [999, 1998, 3996, 4995, 4995]);
});

test("a client that cannot return within two minutes gives up", () => {
  const bench = new Bench();
  bench.join();
  bench.happens("socketClosed", { code: 1006 });
  const began = bench.now;
  while (bench.state.phase !== "stopped") {
    bench.pass(1_000);
    if (bench.state.phase === "connecting") bench.happens("socketClosed", { code: 1006 });
  }
  assert.ok(bench.now - began >= 120_000 && bench.now - began < 130_000);
  assert.deepEqual(Bench.kinds(bench.effects).slice(-3), ["reconnectCancelled", "releasePeer", "stopped"]);
});

test("the sound of a lost connection continues until the next connection brings sound", () => {
  const bench = new Bench();
  bench.join();
  bench.happens("socketClosed", { code: 1006 });
  const second = (connection, broughtSomething) => bench.take({ type: "mediaSecond", connection, broughtSomething });
  assert.deepEqual(second(1, true), []);
  bench.pass(500);
  bench.happens("socketClosed", { code: 1006 });
  assert.equal(bench.state.held, 1, "a failed attempt does not end the sound");
  bench.pass(1_000);
  const done = bench.join({ reconnecting: true });
  assert.deepEqual(Bench.kinds(done), ["releasePeer", "mediaChanged", "started"]);
  assert.equal(bench.state.held, null);
  assert.deepEqual(second(1, false), []);
});

test("the session closes a held peer connection without sound, and reports this to the application", () => {
  for (const over of [{ type: "peerFailed" }, { type: "mediaSecond", broughtSomething: false }]) {
    const bench = new Bench();
    bench.join();
    bench.happens("socketClosed", { code: 1006 });
    assert.deepEqual(Bench.kinds(bench.take({ ...over, connection: 1 })), ["releasePeer", "soundLost"]);
    bench.pass(500);
    assert.ok(!Bench.kinds(bench.join({ reconnecting: true })).includes("releasePeer"));
  }
});

test("the session does not hold a peer connection that brings no sound", () => {
  const bench = new Bench();
  bench.join();
  bench.happens("mediaSecond", { broughtSomething: false });
  const lost = bench.happens("socketClosed", { code: 1006 });
  assert.deepEqual(Bench.kinds(lost), ["closePeer", "closeSocket", "dropped", "waiting"]);
});

for (const closesFirst of [false, true]) {
  test(`a page that the browser stopped for ten minutes reconnects within 3 s; socket closes first: ${closesFirst}`, () => {
    const bench = new Bench({ isMuted: true });
    bench.random = 0.999;
    bench.join();
    bench.now += 600_000;
    if (closesFirst) bench.happens("socketClosed", { code: 1006 });
    else bench.take({ type: "tick" });
    const began = bench.now;
    if (!closesFirst) assert.equal(bench.state.phase, "connected", "a close of the server may still arrive");
    while (bench.state.phase !== "connecting" && bench.now - began < 3_000) bench.pass(100);
    assert.ok(bench.now - began <= 1_100, `${bench.now - began} ms`);
    assert.deepEqual(bench.join({ reconnecting: true }).at(-1), { type: "started", isReconnecting: true });
    assert.equal(bench.state.isMuted, true);
    assert.ok(!Bench.kinds(bench.effects).includes("stopped"));
  });
}

test("a page that the browser stopped during a reconnection has two minutes again", () => {
  const bench = new Bench();
  bench.join();
  bench.happens("socketClosed", { code: 1006 });
  bench.now += 600_000;
  assert.deepEqual(Bench.kinds(bench.take({ type: "tick" })), ["connecting", "openSocket"]);
  const began = bench.now;
  while (bench.state.phase !== "stopped") {
    bench.pass(1_000);
    if (bench.state.phase === "connecting") bench.happens("socketClosed", { code: 1006 });
  }
  assert.ok(bench.now - began >= 119_000 && bench.now - began < 130_000, `${bench.now - began} ms`);
});

test("after a stop of the page, the session ends for the reason that the server gives", () => {
  const bench = new Bench();
  bench.join();
  bench.now += 600_000;
  bench.take({ type: "tick" });
  bench.happens("socketClosed", { code: 4410 });
  bench.pass(15_000);
  assert.equal(stopped(bench.effects), "MeetingEnded");
});

test("when the network changes, the client reconnects immediately or sends a ping", () => {
  const bench = new Bench();
  bench.join();
  assert.equal(Bench.sent(bench.take({ type: "networkChanged" })).length, 1);
  assert.ok(Bench.kinds(bench.pass(5_000)).includes("dropped"));
  assert.deepEqual(Bench.kinds(bench.take({ type: "networkChanged" })), ["connecting", "openSocket"]);
  bench.join({ reconnecting: true });
  bench.take({ type: "networkChanged" });
  bench.hears(FrameType.AUDIO_METADATA, { audio_metadata: { attendee_states: [] } });
  assert.ok(!Bench.kinds(bench.pass(6_000)).includes("dropped"));
});

for (const [code, name] of [
  [4410, "MeetingEnded"],
  [4403, "AudioAuthenticationRejected"],
  [4400, "SignalingBadRequest"],
]) {
  test(`a close with ${code} ends the session as ${name}, during the join and later`, () => {
    for (const isJoined of [false, true]) {
      const bench = new Bench();
      bench.take({ type: "start" });
      if (isJoined) bench.join({ reconnecting: true });
      else bench.happens("socketOpened");
      bench.happens("socketClosed", { code });
      bench.pass(15_000);
      assert.equal(stopped(bench.effects), name);
    }
  });
}

for (const code of [1000, 1001, 1006, 1012, 4500, 4503, 4599]) {
  test(`after a close with ${code} the client tries again, during the join and later`, () => {
    for (const isJoined of [false, true]) {
      const bench = new Bench();
      bench.take({ type: "start" });
      if (isJoined) bench.join({ reconnecting: true });
      else bench.happens("socketOpened");
      bench.happens("socketClosed", { code });
      assert.equal(bench.state.phase, "waiting");
    }
  });
}

for (const [status, name] of [
  [301, "AudioJoinedFromAnotherDevice"],
  [403, "AudioAuthenticationRejected"],
  [409, "AudioCallAtCapacity"],
  [410, "MeetingEnded"],
  [411, "AudioAttendeeRemoved"],
  [0, "AudioDisconnected"],
]) {
  test(`an audio status of ${status} ends the session as ${name}, after a LEAVE`, () => {
    const bench = new Bench();
    bench.join();
    const body = { audio_status: { audio_status: status } };
    const [leave] = Bench.sent(bench.hears(FrameType.AUDIO_STATUS, body));
    assert.equal(leave.type, FrameType.LEAVE);
    const effects = bench.hears(FrameType.LEAVE_ACK, { leave_ack: {} });
    assert.deepEqual(Bench.kinds(effects), ["closePeer", "closeSocket", "stopped"]);
    assert.equal(stopped(effects), name);
  });
}

for (const status of [500, 503]) {
  test(`after an audio status of ${status} the client tries again`, () => {
    const bench = new Bench();
    bench.join();
    bench.hears(FrameType.AUDIO_STATUS, { audio_status: { audio_status: status } });
    assert.equal(bench.state.phase, "waiting");
  });
}

for (const [status, name, isFinal] of [
  [403, "AudioAuthenticationRejected", true],
  [409, "AudioCallAtCapacity", true],
  [404, "SignalingBadRequest", true],
  [500, "SignalingInternalServerError", false],
]) {
  test(`a JOIN_ACK with the error ${status} means ${name}`, () => {
    const bench = new Bench();
    bench.take({ type: "start" });
    bench.happens("socketOpened");
    bench.hears(FrameType.JOIN_ACK, { error: { status }, joinack: {} });
    assert.equal(bench.state.phase, isFinal ? "leaving" : "waiting");
    bench.pass(15_000);
    if (isFinal) assert.equal(stopped(bench.effects), name);
  });
}

test("a client that leaves waits at most fifteen seconds for the answer", () => {
  const bench = new Bench();
  bench.join();
  const [leave] = Bench.sent(bench.take({ type: "stop" }));
  assert.equal(leave.type, FrameType.LEAVE);
  assert.equal(stopped(bench.pass(14_999)), undefined);
  assert.equal(stopped(bench.pass(1)), "Left");
});

test("a client that leaves before its socket is open ends immediately", () => {
  const bench = new Bench();
  bench.take({ type: "start" });
  assert.equal(stopped(bench.take({ type: "stop" })), "Left");
});

test("events of an earlier connection are ignored", () => {
  const bench = new Bench();
  bench.join();
  bench.happens("socketClosed", { code: 1006 });
  bench.pass(500);
  const stale = { type: "socketClosed", connection: 1, code: 4410 };
  assert.deepEqual(bench.take(stale), []);
  assert.equal(bench.state.phase, "connecting");
});

test("after fifteen seconds, the client gives up a connection that is not ready", () => {
  for (const steps of [0, 1, 2, 3, 4]) {
    const bench = new Bench();
    bench.take({ type: "start" });
    if (steps > 0) bench.happens("socketOpened");
    if (steps > 1) bench.hears(FrameType.JOIN_ACK, { joinack: {} });
    if (steps > 2) bench.hears(FrameType.INDEX, { index: {} });
    if (steps > 3) bench.happens("offer", { sdp: OFFER });
    bench.pass(15_000);
    assert.equal(bench.state.phase, "waiting", `after ${steps} steps`);
  }
});

test("if media is optional, the session starts without media, and accepts media later", () => {
  for (const fail of [(bench) => bench.happens("peerFailed"), (bench) => bench.pass(6_000)]) {
    const bench = new Bench({ media: "optional" });
    bench.take({ type: "start" });
    bench.happens("socketOpened");
    bench.hears(FrameType.JOIN_ACK, { joinack: {} });
    bench.hears(FrameType.INDEX, { index: {} });
    bench.happens("offer", { sdp: OFFER });
    bench.hears(FrameType.SUBSCRIBE_ACK, { suback: { sdp_answer: "v=0" } });
    fail(bench);
    assert.equal(bench.state.phase, "connected");
    assert.equal(bench.state.connection.media, "unavailable");
    bench.happens("peerConnected");
    assert.equal(bench.state.connection.media, "connected");
  }
});

test("if media is optional, a refused subscription ends only the media", () => {
  for (const media of ["optional", "required"]) {
    const bench = new Bench({ media });
    bench.take({ type: "start" });
    bench.happens("socketOpened");
    bench.hears(FrameType.JOIN_ACK, { joinack: {} });
    bench.hears(FrameType.INDEX, { index: {} });
    bench.happens("offer", { sdp: OFFER });
    bench.hears(FrameType.SUBSCRIBE_ACK, { error: { status: 503 }, suback: {} });
    assert.equal(bench.state.phase, media === "optional" ? "connected" : "waiting");
  }
});

test("a connection without media for 25 seconds counts as lost", () => {
  const bench = new Bench();
  bench.join();
  bench.hears(FrameType.PING_PONG, PONG(1));
  for (let second = 0; second < 25; second++) {
    assert.equal(bench.state.phase, "connected");
    bench.now += 1_000;
    bench.hears(FrameType.AUDIO_METADATA, { audio_metadata: { attendee_states: [] } });
    bench.happens("mediaSecond", { broughtSomething: false });
  }
  assert.equal(bench.state.phase, "waiting");
});

test("after 3 seconds without media, the client pings the server and expects an answer within 5 seconds", () => {
  const silent = (bench, seconds) => {
    bench.effects = [];
    for (let second = 0; second < seconds; second++) bench.happens("mediaSecond", { broughtSomething: false });
    return Bench.sent(bench.effects).length;
  };
  const bench = new Bench();
  bench.join();
  assert.equal(silent(bench, 2), 0);
  assert.equal(silent(bench, 1), 1);
  bench.hears(FrameType.AUDIO_METADATA, { audio_metadata: { attendee_states: [] } });
  assert.ok(!Bench.kinds(bench.pass(6_000)).includes("dropped"));
  assert.equal(silent(bench, 3), 1);
  assert.ok(Bench.kinds(bench.pass(5_000)).includes("dropped"));
});

test("messages wait for a connection, and too many messages are refused", () => {
  const bench = new Bench();
  const message = (text) => ({ topic: "chat", data: new TextEncoder().encode(text), lifetimeMs: 5 });
  bench.take({ type: "start" });
  for (let index = 0; index < 70; index++) bench.take({ type: "send", message: message(`${index}`) });
  assert.equal(bench.state.outbox.length, 64);
  bench.join({ reconnecting: true });
  const sent = Bench.sent(bench.effects).filter(({ type }) => type === FrameType.DATA_MESSAGE);
  assert.equal(sent.length, 64);
  const [first] = sent[0].data_message.messages;
  assert.deepEqual(first, { topic: "chat", data: message("0").data, lifetime_ms: 5 });
});

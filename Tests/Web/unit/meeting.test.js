import assert from "node:assert/strict";
import test from "node:test";
import { ActiveSpeakerDetector } from "../../../Clients/Web/js/carillon/meeting/active-speaker.js";
import { meetingSessionConfiguration } from "../../../Clients/Web/js/carillon/meeting/configuration.js";
import { outgoingMessage } from "../../../Clients/Web/js/carillon/meeting/data-message.js";
import { normalizedVolume } from "../../../Clients/Web/js/carillon/meeting/roster.js";
import { encode } from "../../../Clients/Web/js/carillon/wire/codec.js";
import { FrameType } from "../../../Clients/Web/js/carillon/wire/enums.js";
import { Bench, ME } from "./support.js";

const entry = (streamId, attendeeId, more = {}) => ({
  audio_stream_id: streamId,
  attendee_id: attendeeId,
  external_user_id: attendeeId.replace("attendee-", ""),
  ...more,
});
const here = (bench, ...streams) =>
  bench.hears(FrameType.AUDIO_STREAM_ID_INFO, { audio_stream_id_info: { streams } });
const changes = (effects) => effects.find(({ type }) => type === "roster").changes;
const names = (list) => list.map(({ externalUserId }) => externalUserId);

/** Returns a bench whose session is in a meeting with Grace. */
function meeting() {
  const bench = new Bench();
  bench.join();
  here(bench, entry(1, ME), entry(2, "attendee-grace", { muted: true }));
  return bench;
}

test("present attendees are reported once, with names and microphones", () => {
  const bench = new Bench();
  bench.join();
  const told = changes(here(bench, entry(1, ME), entry(2, "attendee-grace", { muted: true })));
  assert.deepEqual(names(told.joined), ["ada", "grace"]);
  assert.deepEqual(names(told.muted), ["grace"]);
  const again = changes(here(bench, entry(2, "attendee-grace")));
  assert.deepEqual(names(again.joined), []);
});

test("the name of an attendee is the display name, if there is one", () => {
  const bench = new Bench();
  bench.join();
  const called = (list) => list.map(({ displayName }) => displayName);
  const told = changes(here(bench, entry(1, ME), entry(2, "attendee-hanako-1", { display_name: "花子" })));
  assert.deepEqual(called(told.joined), ["ada", "花子"]);
  assert.deepEqual(names(told.joined), ["ada", "hanako-1"]);
  // If the server later reports the attendee without the name, the name remains.
  here(bench, entry(2, "attendee-hanako-1", { muted: true }));
  assert.deepEqual(called(changes(here(bench, { audio_stream_id: 2 })).left), ["花子"]);
});

test("a leave is reported as left, and a lost attendee as dropped", () => {
  const bench = meeting();
  here(bench, entry(3, "attendee-lin"));
  assert.deepEqual(names(changes(here(bench, { audio_stream_id: 2 })).left), ["grace"]);
  const lost = changes(here(bench, { audio_stream_id: 3, dropped: true }));
  assert.deepEqual(names(lost.dropped), ["lin"]);
  assert.deepEqual([...bench.state.roster.attendees.keys()], [ME]);
});

test("the end of an older stream does not drop a present attendee", () => {
  const bench = meeting();
  here(bench, entry(9, "attendee-grace"));
  const told = changes(here(bench, { audio_stream_id: 2, dropped: true }));
  assert.deepEqual(told.dropped, []);
  assert.ok(bench.state.roster.attendees.has("attendee-grace"));
});

test("the first presence frame after a reconnect is the whole roster", () => {
  const bench = meeting();
  here(bench, entry(3, "attendee-lin"));
  bench.happens("socketClosed", { code: 1006 });
  bench.pass(500);
  bench.join({ reconnecting: true });
  const told = changes(here(bench, entry(3, "attendee-lin"), entry(4, "attendee-eve")));
  assert.deepEqual(names(told.left), ["grace"]);
  assert.deepEqual(names(told.joined), ["eve"]);
  assert.deepEqual([...bench.state.roster.attendees.keys()], [ME, "attendee-lin", "attendee-eve"]);
});

test("levels are decibels below full scale, and an unlisted attendee is silent", () => {
  assert.deepEqual([0, 14, 28, 35, 42, 60].map(normalizedVolume), [1, 1, 0.5, 0.25, 0, 0]);
  const bench = meeting();
  here(bench, entry(3, "attendee-lin"));
  const levels = (...attendee_states) =>
    bench.hears(FrameType.AUDIO_METADATA, { audio_metadata: { attendee_states } });
  const loud = levels({ audio_stream_id: 3, volume: 28 }, { audio_stream_id: 2, volume: 0 });
  assert.deepEqual(
    changes(loud).volumes.map(({ attendeeInfo, volume }) => [attendeeInfo.externalUserId, volume]),
    [["lin", 0.5]],
    "Grace is muted",
  );
  const quiet = levels({ audio_stream_id: 1, volume: 28 });
  assert.deepEqual(
    changes(quiet).volumes.map(({ attendeeInfo, volume }) => [attendeeInfo.externalUserId, volume]),
    [["ada", 0.5], ["lin", 0]],
  );
  assert.deepEqual(levels({ audio_stream_id: 99, volume: undefined }), []);
  const weak = changes(levels({ audio_stream_id: 3, signal_strength: 1 }));
  assert.deepEqual(weak.signals.map(({ signalStrength }) => signalStrength), [0.5]);
});

test("an older report of the client's own mute does not count as an operator's mute", () => {
  const bench = meeting();
  bench.pass(3_000);
  bench.take({ type: "mute", isMuted: true });
  here(bench, { audio_stream_id: 1, muted: true });
  bench.take({ type: "mute", isMuted: false });
  assert.equal(bench.state.isMutedByOther, false);
  here(bench, { audio_stream_id: 1, muted: false });
  bench.pass(2_000);
  assert.equal(bench.state.isMutedByOther, false);
  const told = here(bench, { audio_stream_id: 1, muted: true });
  assert.ok(Bench.kinds(told).includes("localMuteChanged"));
  assert.equal(bench.state.isMutedByOther, true);
  here(bench, { audio_stream_id: 1, muted: false });
  assert.equal(bench.state.isMutedByOther, false);
});

const payload = (text, ingest = 1_700_000_000_000_000_000n) => ({
  topic: "chat",
  data: new TextEncoder().encode(text),
  sender_attendee_id: "attendee-grace",
  sender_external_user_id: "grace",
  ingest_time_ns: ingest,
});
const messages = (bench, ...list) =>
  bench
    .hears(FrameType.DATA_MESSAGE, { data_message: { messages: list } })
    .filter(({ type }) => type === "message")
    .map(({ message }) => message);

test("messages have their sender and time, and returned messages are marked as throttled", () => {
  const bench = meeting();
  const [message] = messages(bench, payload("hi"));
  assert.equal(message.text(), "hi");
  assert.equal(message.senderExternalUserId, "grace");
  assert.equal(message.senderDisplayName, "grace");
  const [named] = messages(bench, { ...payload("hello", 5n), sender_display_name: "Γρέις" });
  assert.equal(named.senderDisplayName, "Γρέις");
  assert.equal(message.timestampMs, 1_700_000_000_000);
  const [back] = messages(bench, { topic: "chat", data: payload("mine").data, ingest_time_ns: 0n });
  assert.equal(back.throttled, true);
});

test("events that arrive again after a reconnect are reported once", () => {
  const bench = meeting();
  messages(bench, payload("one", 1n), payload("two", 2n));
  bench.happens("socketClosed", { code: 1006 });
  bench.pass(500);
  bench.join({ reconnecting: true });
  const told = messages(bench, payload("one", 1n), payload("two", 2n), payload("three", 2n));
  assert.deepEqual(told.map((message) => message.text()), ["three"]);
});

test("a returning client sends its positions", () => {
  const bench = meeting();
  const told = (place) => ({ data_message: { messages: [] }, positions: [{ stream: "messages", place }] });
  bench.hears(FrameType.DATA_MESSAGE, told("7-42"));
  bench.hears(FrameType.DATA_MESSAGE, told("7-43"));
  bench.happens("socketClosed", { code: 1006 });
  bench.pass(500);
  const [, join] = Bench.sent(bench.happens("socketOpened"));
  assert.deepEqual(join.join.positions, [{ stream: "messages", place: "7-43" }]);
});

test("a meeting keeps a limited number of messages", () => {
  const bench = meeting();
  for (let index = 0; index < 1_400; index++) messages(bench, payload("x", BigInt(index + 1)));
  assert.equal(bench.state.seen.keys.size, 1_280);
});

test("messages are checked by the original SDK's rules, in that SDK's order", () => {
  const reason = (...fields) => {
    try {
      outgoingMessage(...fields);
      return "fine";
    } catch (error) {
      return error.reason;
    }
  };
  assert.equal(reason("a topic", 5, -1), "negativeLifetimeParameter");
  for (const topic of ["", "a b", "a.b", "ä", "x".repeat(37), "abc\n", "aws:chime:transcription"]) {
    assert.equal(reason(topic, "x", 0), "invalidTopic");
  }
  assert.equal(reason("chat", 5, 0), "invalidData");
  assert.equal(reason("chat", null, 0), "invalidData");
  assert.equal(reason("chat", "ä".repeat(1_025), 0), "invalidDataLength");
  assert.equal(reason("x".repeat(36), "ä".repeat(1_024), 0), "fine");
  assert.equal(outgoingMessage("chat", "x", 1e9).lifetimeMs, 300_000);
  assert.deepEqual(outgoingMessage("chat", [1], 0).data, new TextEncoder().encode("[1]"));
});

test("transcripts arrive on their topic, and invalid transcripts do no harm", () => {
  const bench = meeting();
  const transcript = {
    results: [
      {
        result_id: "r1",
        channel_id: "ch_0",
        is_partial: true,
        start_time: 1n,
        end_time: 2n,
        language_code: "en-US",
        alternatives: [
          {
            transcript: "hello",
            items: [{ content: "hello", type: 1, speaker_attendee_id: "attendee-grace", start_time: 1n, end_time: 2n }],
          },
        ],
      },
    ],
  };
  const status = { type: 1, event_time: 5n };
  const data = encode("SdkTranscriptFrame", { events: [{ status }, { status: { type: 9 } }, { transcript }] });
  const topic = "aws:chime:transcription";
  const told = bench.hears(FrameType.DATA_MESSAGE, {
    data_message: { messages: [{ topic, data, ingest_time_ns: 1n }] },
  });
  assert.deepEqual(told.map(({ event }) => event.kind), ["status", "transcript"]);
  assert.equal(told[0].event.type, "started");
  const [result] = told[1].event.results;
  assert.deepEqual([result.resultId, result.isPartial, result.languageCode], ["r1", true, "en-US"]);
  assert.deepEqual(result.alternatives[0].items[0].attendee, {
    attendeeId: "attendee-grace",
    externalUserId: "attendee-grace",
    displayName: "attendee-grace",
  });
  const broken = { topic, data: Uint8Array.of(0xff), ingest_time_ns: 2n };
  const effects = bench.hears(FrameType.DATA_MESSAGE, { data_message: { messages: [broken, payload("hi", 3n)] } });
  assert.deepEqual(Bench.kinds(effects), ["log", "message"]);
});

const credentials = { attendeeId: "guest", externalUserId: "guest", joinToken: "token" };
const outcome = (effects, type) => effects.find((effect) => effect.type === type)?.status.name;

test("a promotion is granted, and ends at the client's request", () => {
  const bench = meeting();
  const [frame] = Bench.sent(bench.take({ type: "promote", credentials }));
  assert.deepEqual(frame.primary_meeting_join.credentials, {
    attendee_id: "guest",
    external_user_id: "guest",
    join_token: "token",
  });
  const granted = bench.hears(FrameType.PRIMARY_MEETING_JOIN_ACK, { primary_meeting_join_ack: {} });
  assert.equal(outcome(granted, "promoted"), "OK");
  const back = bench.take({ type: "demote" });
  assert.equal(Bench.sent(back)[0].type, FrameType.PRIMARY_MEETING_LEAVE);
  assert.equal(outcome(back, "demoted"), "OK");
});

for (const [status, name] of [
  [403, "AudioAuthenticationRejected"],
  [409, "AudioCallAtCapacity"],
  [400, "SignalingBadRequest"],
  [500, "SignalingInternalServerError"],
]) {
  test(`a promotion that is refused with ${status} is reported as ${name}, and the session continues`, () => {
    const bench = meeting();
    bench.take({ type: "promote", credentials });
    const refused = bench.hears(FrameType.PRIMARY_MEETING_JOIN_ACK, { error: { status } });
    assert.equal(outcome(refused, "promoted"), name);
    assert.equal(bench.state.phase, "connected");
  });
}

test("the server, a lost connection or a missing answer ends a promotion", () => {
  const removed = meeting();
  removed.take({ type: "promote", credentials });
  removed.hears(FrameType.PRIMARY_MEETING_JOIN_ACK);
  const effects = removed.hears(FrameType.PRIMARY_MEETING_LEAVE);
  assert.equal(outcome(effects, "demoted"), "AudioVideoWasRemovedFromPrimaryMeeting");

  const cut = meeting();
  cut.take({ type: "promote", credentials });
  cut.hears(FrameType.PRIMARY_MEETING_JOIN_ACK);
  const lost = cut.happens("socketClosed", { code: 1006 });
  assert.equal(outcome(lost, "demoted"), "AudioVideoDisconnectedWhilePromoted");

  const silent = meeting();
  silent.take({ type: "promote", credentials });
  assert.equal(outcome(silent.pass(15_000), "promoted"), "SignalingRequestFailed");
});

test("the most active speaker is first, and its score falls in silence", () => {
  const detector = new ActiveSpeakerDetector();
  for (const name of ["ada", "grace"]) detector.join(name);
  assert.equal(detector.hear("ada", 0.5, 0), true);
  assert.equal(detector.hear("ada", 0.6, 100), false);
  assert.deepEqual(detector.active, ["ada"]);
  assert.ok(Math.abs((detector.scores.get("ada") ?? 0) - 0.19) < 1e-9);
  assert.equal(detector.hear("grace", 0.2, 150), false, "as quiet as silence");
  detector.hear("grace", 0.9, 200);
  assert.deepEqual(new Set(detector.active), new Set(["ada", "grace"]));
  let now = 200;
  while (detector.active.length && now < 60_000) detector.tick((now += 200));
  assert.ok(now > 1_200 && now < 10_000, `${now}`);
  detector.hear("ada", 0.9, now);
  assert.equal(detector.leave("ada"), true);
});

test("a configuration requires the members of both responses of the control API", () => {
  const meetingResponse = {
    Meeting: { MeetingId: "m", ExternalMeetingId: "demo", MediaPlacement: { SignalingUrl: "ws://h/control/m" } },
  };
  const attendee = { AttendeeId: "a", ExternalUserId: "ada", JoinToken: "t" };
  const configuration = meetingSessionConfiguration(meetingResponse, { Attendee: attendee }, (url) => `${url}!`);
  assert.equal(configuration.signalingUrl, "ws://h/control/m!");
  assert.equal(configuration.audioHostUrl, "");
  assert.throws(() => meetingSessionConfiguration({}, attendee), TypeError);
  assert.throws(() => meetingSessionConfiguration(meetingResponse, {}), TypeError);
});

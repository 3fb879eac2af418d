import assert from "node:assert/strict";
import test from "node:test";
import { FrameType } from "../../../Clients/Web/js/carillon/wire/enums.js";
import {
  baseOfId,
  isContentId,
  VideoPriority,
  VideoResolution,
  VideoSubscriptionConfiguration,
} from "../../../Clients/Web/js/carillon/video/remote-video-source.js";
import { chooseVideos, demandOf, sourcesOfIndex } from "../../../Clients/Web/js/carillon/video/video-plan.js";
import { decode, encode } from "../../../Clients/Web/js/carillon/wire/codec.js";
import { Bench, LAYERS, ME, OFFER, source } from "./support.js";

const [GRACE, LIN] = ["attendee-grace", "attendee-lin"];
const wish = (fields) => demandOf(Object.assign(new VideoSubscriptionConfiguration(), fields));
const indexed = (bench, ...sources) => bench.hears(FrameType.INDEX, { index: { sources } });
const of = (type, effects) => effects.filter((effect) => effect.type === type);
const shown = (effects) => of("receptions", effects).at(-1)?.receptions.map(({ attendeeId }) => attendeeId);
const groups = (effects) => of("negotiate", effects)[0]?.plan.receives.map(({ groupId }) => groupId);

/** Returns an offer in which the camera has section 1, and the videos have the sections from 2 on. */
function offerOf(plan) {
  const mids = new Map(plan.receives.map(({ groupId }, at) => [groupId, `${at + 2}`]));
  const sections = ["audio", "video", ...plan.receives.map(() => "video")];
  const sdp = sections.map((kind, mid) => `m=${kind} 9 X 96\r\na=mid:${mid}\r\n`).join("");
  return { sdp: `v=0\r\n${sdp}`, mids };
}

/** Completes the negotiation of a plan. */
function negotiated(bench, effects, { error = 0 } = {}) {
  const { plan } = of("negotiate", effects)[0];
  const { sdp, mids } = offerOf(plan);
  const [subscribe] = Bench.sent(bench.happens("offer", { sdp, mids, layers: LAYERS }));
  const tracks = plan.receives.map(({ groupId, streamId }) => ({
    stream_id: streamId,
    track_label: `v_${mids.get(groupId)}`,
  }));
  const suback = { sdp_answer: "v=1", tracks };
  const answer = bench.hears(FrameType.SUBSCRIBE_ACK, { suback, ...(error && { error: { status: error } }) });
  return { subscribe, answer, done: bench.happens("answered") };
}

function meeting(options) {
  const bench = new Bench(options);
  bench.join();
  return bench;
}

test("the first offer has no video, whatever videos the meeting has", () => {
  const bench = new Bench();
  bench.take({ type: "start" });
  bench.take({ type: "receiveVideo", isReceiving: true });
  bench.take({ type: "sendVideo", isSending: true });
  bench.happens("socketOpened");
  bench.hears(FrameType.JOIN_ACK, { joinack: {} });
  assert.deepEqual(of("videoSources", indexed(bench, source(1, GRACE)))[0].available, [GRACE]);
  const [first] = Bench.sent(bench.happens("offer", { sdp: OFFER }));
  assert.deepEqual([first.sub.duplex, first.sub.receive_stream_ids, first.sub.send_streams.length], [1, [0], 1]);
  bench.hears(FrameType.SUBSCRIBE_ACK, { suback: { sdp_answer: "v=0" } });
  const ready = bench.happens("peerConnected");
  assert.deepEqual(groups(ready), [1]);
  assert.equal(of("negotiate", ready)[0].plan.isSending, true);
});

test("a camera causes one SUBSCRIBE with DUPLEX and the camera's layers, and a stopped camera causes one with RX", () => {
  const bench = meeting();
  const on = bench.take({ type: "sendVideo", isSending: true });
  assert.deepEqual(Bench.kinds(on), ["localVideo", "negotiate"]);
  const { subscribe, done } = negotiated(bench, on);
  assert.equal(subscribe.sub.duplex, 3);
  assert.deepEqual(subscribe.sub.receive_stream_ids, [0]);
  assert.deepEqual(subscribe.sub.send_streams.map((each) => each.max_bitrate_kbps), [600, 300, 1_500]);
  assert.deepEqual(subscribe.sub.send_streams[2], {
    stream_id: 2,
    framerate: 30,
    max_bitrate_kbps: 1_500,
    track_label: "AmazonChimeExpressVideo",
    group_id: 2,
    attendee_id: ME,
    media_type: 2,
  });
  assert.deepEqual(Bench.kinds(done), ["localVideoAccepted"]);
  const off = negotiated(bench, bench.take({ type: "sendVideo", isSending: false }));
  assert.deepEqual([off.subscribe.sub.duplex, off.subscribe.sub.send_streams.length], [1, 1]);
});

test("new layers of the camera cause one more offer with these layers", () => {
  const bench = meeting();
  assert.deepEqual(bench.happens("layersChanged"), [], "while no camera sends");
  negotiated(bench, bench.take({ type: "sendVideo", isSending: true }));
  const { subscribe } = negotiated(bench, bench.happens("layersChanged"));
  assert.equal(subscribe.sub.duplex, 3);
  const on = bench.take({ type: "sendVideo", isSending: false });
  negotiated(bench, on);
  const offering = bench.take({ type: "sendVideo", isSending: true });
  assert.deepEqual(bench.happens("layersChanged"), [], "the offer that is being made says them");
  assert.deepEqual(of("negotiate", negotiated(bench, offering).done), []);
  bench.happens("layersChanged");
  const later = bench.happens("layersChanged");
  assert.deepEqual(later, [], "one offer at a time");
});

test("a new video gets a section of its own, and the end of the video causes one more offer", () => {
  const bench = meeting();
  assert.deepEqual(bench.take({ type: "receiveVideo", isReceiving: true }), []);
  const { subscribe, answer, done } = negotiated(bench, indexed(bench, source(13, GRACE)));
  assert.deepEqual(subscribe.sub.receive_stream_ids, [0, 113]);
  assert.deepEqual(subscribe.sub.video_subscription_configuration, [
    {
      mid: "2",
      attendee_id: GRACE,
      group_id: 13,
      priority: 4_294_967_293,
      target_bitrate_kbps: 1_500,
      quality_adaptation_preference: 1,
    },
  ]);
  assert.equal(shown(answer), undefined, "not before the peer connection took the answer");
  assert.deepEqual(of("receptions", done)[0].receptions, [{ groupId: 13, attendeeId: GRACE, isPaused: false, isPausedByUser: false }]);
  const gone = indexed(bench);
  assert.deepEqual(Bench.kinds(gone), ["receptions", "index", "videoSources", "negotiate"]);
  assert.deepEqual(shown(gone), []);
  assert.deepEqual(groups(gone), []);
});

test("stopped and sending sections have no stream, at any place in the offer", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  indexed(bench, source(1, GRACE), source(2, LIN));
  const sdp = "v=0\r\nm=audio 9 X\r\na=mid:0\r\nm=video 9 X\r\na=mid:1\r\nm=video 0 X\r\na=mid:2\r\nm=video 9 X\r\na=mid:4\r\nm=video 9 X\r\na=mid:3\r\n";
  const mids = new Map([[1, "3"], [2, "4"]]);
  const [subscribe] = Bench.sent(bench.happens("offer", { sdp, mids }));
  assert.deepEqual(subscribe.sub.receive_stream_ids, [0, 0, 102, 101]);
});

test("a new section with port 0 has a stream if the section is bundle-only, as in Firefox", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  indexed(bench, source(1, GRACE));
  const sdp = "v=0\r\nm=audio 9 X\r\na=mid:0\r\nm=video 0 X\r\na=bundle-only\r\na=mid:1\r\nm=video 0 X\r\na=bundle-only\r\na=mid:2\r\n";
  const [subscribe] = Bench.sent(bench.happens("offer", { sdp, mids: new Map([[1, "2"]]) }));
  assert.deepEqual(subscribe.sub.receive_stream_ids, [0, 101]);
});

test("only one offer is open at a time, and changes during an offer cause one more offer", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  const first = indexed(bench, source(1, GRACE));
  const meanwhile = [
    ...indexed(bench, source(1, GRACE), source(2, LIN)),
    ...bench.take({ type: "sendVideo", isSending: true }),
    ...indexed(bench, source(2, LIN)),
  ];
  assert.deepEqual(of("negotiate", meanwhile), []);
  const { done } = negotiated(bench, first);
  assert.equal(shown(done), undefined, "Grace's video is not wanted any more");
  const [{ plan }] = of("negotiate", done);
  assert.deepEqual([plan.isSending, plan.receives.map(({ groupId }) => groupId)], [true, [2]]);
  assert.deepEqual(shown(negotiated(bench, done).done), [LIN]);
  assert.deepEqual(of("negotiate", indexed(bench, source(2, LIN))), [], "an INDEX that changes nothing");
});

test("a camera for which the meeting has no room is reported, and the other videos of the answer are shown", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  const first = negotiated(bench, indexed(bench, source(1, GRACE)));
  const on = bench.take({ type: "sendVideo", isSending: true });
  const { answer, done } = negotiated(bench, on, { error: 206 });
  assert.deepEqual(Bench.kinds(answer), ["answer", "localVideo", "cameraAvailability"]);
  assert.equal(of("localVideo", answer)[0].isSending, false);
  assert.equal(of("cameraAvailability", answer)[0].isAvailable, false);
  assert.equal(bench.state.phase, "connected");
  assert.deepEqual(of("localVideoAccepted", done), []);
  assert.equal(of("negotiate", done)[0].plan.isSending, false);
  assert.deepEqual(shown(first.done), [GRACE]);
  const room = bench.hears(FrameType.INDEX, { index: { sources: [source(1, GRACE)] } });
  assert.equal(of("cameraAvailability", room)[0].isAvailable, true);
});

test("a camera that the server ends is reported once, and its section is released", () => {
  const bench = meeting();
  negotiated(bench, bench.take({ type: "sendVideo", isSending: true }));
  const ended = bench.hears(FrameType.NOTIFICATION, { notification: { message: "Full." }, error: { status: 206 } });
  assert.deepEqual(Bench.kinds(ended), ["localVideo", "cameraAvailability", "log", "negotiate"]);
  assert.equal(of("negotiate", ended)[0].plan.isSending, false);
  assert.equal(bench.state.phase, "connected");
  const again = bench.hears(FrameType.NOTIFICATION, { notification: { message: "Full." }, error: { status: 206 } });
  assert.deepEqual(Bench.kinds(again), ["log"]);
});

test("a camera that ended during a negotiation and is turned on again gets another offer", () => {
  const bench = meeting();
  negotiated(bench, bench.take({ type: "sendVideo", isSending: true }));
  bench.take({ type: "receiveVideo", isReceiving: true });
  const more = indexed(bench, source(1, GRACE));
  assert.equal(of("negotiate", more)[0].plan.isSending, true);
  bench.hears(FrameType.NOTIFICATION, { notification: { message: "Full." }, error: { status: 206 } });
  bench.take({ type: "sendVideo", isSending: true });
  const { done } = negotiated(bench, more);
  const again = negotiated(bench, done);
  assert.equal(again.subscribe.sub.duplex, 3);
  assert.deepEqual(of("negotiate", again.done), []);
});

for (const isByServer of [false, true]) {
  test(`the end of a promotion by ${isByServer ? "the server" : "the client"} ends the camera`, () => {
    const bench = meeting();
    bench.take({ type: "promote", credentials: { attendeeId: "guest", externalUserId: "guest", joinToken: "token" } });
    bench.hears(FrameType.PRIMARY_MEETING_JOIN_ACK, { primary_meeting_join_ack: {} });
    negotiated(bench, bench.take({ type: "sendVideo", isSending: true }));
    const ended = isByServer ? bench.hears(FrameType.PRIMARY_MEETING_LEAVE) : bench.take({ type: "demote" });
    assert.equal(of("demoted", ended).length, 1);
    assert.deepEqual(of("cameraAvailability", ended), [{ type: "cameraAvailability", isAvailable: false }]);
    assert.equal(of("negotiate", ended)[0].plan.isSending, false);
  });
}

test("an INDEX at capacity reports that the meeting accepts no further camera", () => {
  const bench = meeting();
  const full = bench.hears(FrameType.INDEX, { index: { at_capacity: true } });
  assert.deepEqual(of("cameraAvailability", full), [{ type: "cameraAvailability", isAvailable: false }]);
  assert.deepEqual(of("cameraAvailability", bench.hears(FrameType.INDEX, { index: { at_capacity: true } })), []);
});

test("a refused offer stops only the video, until the next connection", () => {
  const bench = meeting({ media: "optional" });
  bench.take({ type: "sendVideo", isSending: true });
  bench.happens("offer", { sdp: OFFER, mids: new Map() });
  const refused = bench.hears(FrameType.SUBSCRIBE_ACK, { error: { status: 400 } });
  assert.deepEqual(Bench.kinds(refused), ["rollback", "log", "localVideo", "cameraAvailability"]);
  assert.equal(bench.state.phase, "connected");
  const again = bench.take({ type: "sendVideo", isSending: true });
  assert.deepEqual(Bench.kinds(again), ["localVideo", "cameraAvailability"], "nobody would see it");
  bench.happens("socketClosed", { code: 1006 });
  bench.pass(500);
  bench.join({ reconnecting: true });
  assert.equal(of("negotiate", bench.take({ type: "sendVideo", isSending: true })).length, 1);
});

test("an answer that the browser rejects is rolled back", () => {
  const bench = meeting();
  const on = bench.take({ type: "sendVideo", isSending: true });
  bench.happens("offer", offerOf(of("negotiate", on)[0].plan));
  bench.hears(FrameType.SUBSCRIBE_ACK, { suback: { sdp_answer: "wrong" } });
  assert.deepEqual(Bench.kinds(bench.happens("declined")).slice(0, 2), ["rollback", "log"]);
  assert.deepEqual(bench.happens("declined"), []);
});

test("an internal error, or a missing answer, ends the connection", () => {
  const bench = meeting();
  bench.take({ type: "sendVideo", isSending: true });
  bench.happens("offer", { sdp: OFFER, mids: new Map() });
  const failed = bench.hears(FrameType.SUBSCRIBE_ACK, { error: { status: 503 } });
  assert.ok(Bench.kinds(failed).includes("dropped"));
  const other = meeting();
  other.take({ type: "sendVideo", isSending: true });
  assert.ok(!Bench.kinds(other.pass(14_999)).includes("dropped"));
  assert.ok(Bench.kinds(other.pass(1)).includes("dropped"));
});

test("the loss of a connection that brings no sound removes the tiles, and the next connection restores them", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  bench.take({ type: "sendVideo", isSending: true });
  const first = bench.effects.filter(({ type }) => type === "negotiate");
  negotiated(bench, first);
  negotiated(bench, indexed(bench, source(1, GRACE)));
  bench.happens("mediaSecond", { broughtSomething: false });
  const lost = bench.happens("socketClosed", { code: 1006 });
  assert.deepEqual(shown(lost), []);
  bench.pass(500);
  const again = bench.join({ reconnecting: true });
  assert.deepEqual(groups(again), [], "the first INDEX of the new connection had no video");
  negotiated(bench, again);
  const back = negotiated(bench, indexed(bench, source(7, GRACE)));
  assert.deepEqual(back.subscribe.sub.receive_stream_ids, [0, 107]);
  assert.equal(back.subscribe.sub.duplex, 3);
  assert.deepEqual(shown(back.done), [GRACE]);
});

test("while the sound of a lost connection continues, the tiles stay, and the next connection gives them new tracks", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  negotiated(bench, indexed(bench, source(1, GRACE), source(2, "attendee-lin")));
  const begun = bench.effects.length;
  bench.happens("socketClosed", { code: 1006 });
  bench.pass(500);
  bench.happens("socketOpened");
  bench.hears(FrameType.JOIN_ACK, { joinack: {} });
  assert.deepEqual(of("receptions", bench.effects.slice(begun)), []);
  assert.deepEqual(shown(indexed(bench, source(1, GRACE))), [GRACE], "the tile of a video that ended goes");
  bench.happens("offer", { sdp: OFFER });
  bench.hears(FrameType.SUBSCRIBE_ACK, { suback: { sdp_answer: "v=0" } });
  const { done } = negotiated(bench, bench.happens("peerConnected"));
  assert.deepEqual(shown(done), [GRACE], "the application binds the tile to the new track");
});

test("the session removes the tiles of a lost connection when the sound of this connection ends", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  negotiated(bench, indexed(bench, source(1, GRACE)));
  const { number } = bench.state.connection;
  bench.happens("socketClosed", { code: 1006 });
  const ended = bench.take({ type: "mediaSecond", connection: number, broughtSomething: false });
  assert.deepEqual(shown(ended), []);
});

test("PAUSE and RESUME of a group mark its videos as paused or resumed, even before the videos arrive", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  const appeared = indexed(bench, source(1, GRACE));
  bench.hears(FrameType.PAUSE, { pause: { stream_ids: [], group_ids: [1, 99] } });
  const { done } = negotiated(bench, appeared);
  assert.equal(of("receptions", done)[0].receptions[0].isPaused, true);
  const resumed = bench.hears(FrameType.RESUME, { pause: { stream_ids: [], group_ids: [1] } });
  assert.equal(of("receptions", resumed)[0].receptions[0].isPaused, false);
  const atSource = bench.hears(FrameType.INDEX, { index: { sources: [source(1, GRACE)], paused_at_source_ids: [101] } });
  assert.equal(of("receptions", atSource)[0].receptions[0].isPaused, true);
});

test("a pause by the user names the stream of the tile", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  negotiated(bench, indexed(bench, source(1, GRACE)));
  const frames = [true, false].flatMap((isPaused) => Bench.sent(bench.take({ type: "pauseVideo", groupId: 1, isPaused })));
  assert.deepEqual(frames, [
    { type: FrameType.PAUSE, pause: { stream_ids: [101] } },
    { type: FrameType.RESUME, pause: { stream_ids: [101] } },
  ]);
  assert.deepEqual(bench.take({ type: "pauseVideo", groupId: 5, isPaused: true }), []);
});

test("a tile that the user paused stays paused on the next connection, until the video is gone", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  negotiated(bench, indexed(bench, source(1, GRACE), source(2, LIN)));
  bench.take({ type: "pauseVideo", groupId: 1, isPaused: true });
  const pausesOf = (effects) => Bench.sent(effects).filter(({ type }) => type === FrameType.PAUSE);
  bench.happens("socketClosed", { code: 1006 });
  bench.pass(20_000);
  bench.happens("socketOpened");
  bench.hears(FrameType.JOIN_ACK, { joinack: {} });
  // Grace has another group, because her session has reconnected, too.
  indexed(bench, source(2, LIN), source(7, GRACE));
  bench.happens("offer", { sdp: OFFER });
  bench.hears(FrameType.SUBSCRIBE_ACK, { suback: { sdp_answer: "v=0" } });
  const { done } = negotiated(bench, bench.happens("peerConnected"));
  assert.deepEqual(pausesOf(done), [{ type: FrameType.PAUSE, pause: { stream_ids: [107] } }]);
  const paused = of("receptions", done)[0].receptions.map(({ groupId, isPausedByUser }) => [groupId, isPausedByUser]);
  assert.deepEqual(paused, [[2, false], [7, true]]);
  // From now on, the server knows that the user paused the video.
  assert.deepEqual(pausesOf(negotiated(bench, bench.take({ type: "sendVideo", isSending: true })).done), []);
  negotiated(bench, indexed(bench, source(2, LIN)));
  const again = negotiated(bench, indexed(bench, source(2, LIN), source(8, GRACE))).done;
  assert.deepEqual([pausesOf(again), of("receptions", again)[0].receptions[1].isPausedByUser], [[], false]);
});

test("a new quality causes an update, and new videos cause an offer", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  negotiated(bench, indexed(bench, source(1, GRACE), source(2, LIN)));
  const pin = wish({ priority: VideoPriority.highest, targetResolution: VideoResolution.low });
  const usual = wish({});
  const both = new Map([[GRACE, pin], [LIN, usual]]);
  const effects = bench.take({ type: "subscribeVideo", addedOrUpdated: both, removed: [] });
  assert.deepEqual(Bench.sent(effects), [
    {
      type: FrameType.REMOTE_VIDEO_UPDATE,
      remote_video_update: {
        added_or_updated_video_subscriptions: [
          {
            mid: "2",
            attendee_id: GRACE,
            group_id: 1,
            priority: 4_294_967_294,
            target_bitrate_kbps: 300,
            quality_adaptation_preference: 1,
          },
        ],
      },
    },
  ]);
  const fewer = bench.take({ type: "subscribeVideo", addedOrUpdated: new Map(), removed: [GRACE] });
  assert.deepEqual([groups(fewer), shown(fewer)], [[2], [LIN]]);
  negotiated(bench, fewer);
  assert.equal(groups(indexed(bench, source(2, LIN), source(3, "attendee-eve"))), undefined, "nobody wished for Eve");
});

test("an ended source is unsubscribed, and the attendee's next source needs another request", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  bench.take({ type: "subscribeVideo", addedOrUpdated: new Map([[GRACE, wish({})]]), removed: [] });
  negotiated(bench, indexed(bench, source(1, GRACE)));
  negotiated(bench, indexed(bench));
  assert.equal(groups(indexed(bench, source(2, GRACE))), undefined);
});

test("without media, before the start, and after the end, no video action has an effect", () => {
  const bench = new Bench({ media: "none" });
  assert.deepEqual(bench.take({ type: "sendVideo", isSending: true }), []);
  assert.deepEqual(bench.take({ type: "receiveVideo", isReceiving: true }), []);
  bench.take({ type: "start" });
  bench.happens("socketOpened");
  bench.hears(FrameType.JOIN_ACK, { joinack: {} });
  indexed(bench, source(1, GRACE));
  bench.take({ type: "receiveVideo", isReceiving: true });
  assert.deepEqual(of("negotiate", bench.effects), []);
});

test("a session removes its tiles before it ends, and has no subscriptions after a new start", () => {
  const bench = meeting();
  bench.take({ type: "receiveVideo", isReceiving: true });
  negotiated(bench, indexed(bench, source(1, GRACE)));
  assert.deepEqual(shown(bench.take({ type: "stop" })), []);
  assert.ok(Bench.kinds(bench.hears(FrameType.LEAVE_ACK, {})).includes("stopped"));
  assert.equal(bench.state.video.isReceiving, false);
  assert.deepEqual(bench.state.video.receptions, []);
});

test("the server may forward fewer videos than 25", () => {
  const bench = new Bench();
  bench.take({ type: "start" });
  bench.happens("socketOpened");
  bench.hears(FrameType.JOIN_ACK, { joinack: { video_subscription_limit: 1 } });
  indexed(bench, source(1, GRACE), source(2, LIN));
  bench.happens("offer", { sdp: OFFER });
  bench.hears(FrameType.SUBSCRIBE_ACK, { suback: { sdp_answer: "v=0" } });
  bench.happens("peerConnected");
  assert.deepEqual(groups(bench.take({ type: "receiveVideo", isReceiving: true })), [1]);
});

test("INDEX lists the newest publication of each video of other attendees", () => {
  const index = {
    sources: [
      source(4, LIN),
      source(3, GRACE, { max_bitrate_kbps: 300, width: 320, height: 180 }),
      source(3, GRACE, { stream_id: 110, max_bitrate_kbps: 1_200, width: 640, height: 360 }),
      source(2, GRACE),
      source(9, LIN, { media_type: 1 }),
      source(5, ME),
      source(6, `${ME}#content`),
      source(7, `${GRACE}#content`),
    ],
  };
  assert.deepEqual(
    sourcesOfIndex(index, ME).map(({ attendeeId, groupId, streamIds, pixels }) => [attendeeId, groupId, streamIds, pixels]),
    [
      [GRACE, 3, [110, 103], [230_400, 57_600]],
      [LIN, 4, [104], [0]],
      [`${GRACE}#content`, 7, [107], [0]],
    ],
  );
  assert.deepEqual(sourcesOfIndex(index, `${LIN}#content`).map(({ groupId }) => groupId), [3, 5, 6, 7]);
});

test("if there are too many videos, content precedes cameras, and newer content is first", () => {
  const many = Array.from({ length: 30 }, (_, at) => source(at + 1, `a-${at + 1}`));
  const index = { sources: [...many, source(40, "a-3#content"), source(41, "a-9#content")] };
  const sources = sourcesOfIndex(index, ME);
  const chosen = chooseVideos(sources, null, 25).map(({ groupId }) => groupId);
  assert.equal(chosen.length, 25);
  assert.deepEqual(chosen.slice(-3), [23, 40, 41]);
  assert.deepEqual(chooseVideos(sources, null, 1).map(({ groupId }) => groupId), [41]);
  const wishes = new Map([["a-30", wish({ priority: VideoPriority.highest })], ["a-9#content", wish({})]]);
  assert.deepEqual(chooseVideos(sources, wishes, 1).map(({ groupId }) => groupId), [30]);
});

test("priorities and sizes become the numbers of the protocol", () => {
  const order = ["highest", "high", "medium", "low", "lowest"].map((name) => wish({ priority: VideoPriority[name] }).priority);
  assert.deepEqual(order, [1, 2, 3, 4, 5].map((rank) => 4_294_967_295 - rank));
  const sizes = ["low", "medium", "high", "videoResolutionHD", "videoResolutionFHD"];
  const bitrates = sizes.map((name) => wish({ targetResolution: VideoResolution[name] }).targetBitrateKbps);
  assert.deepEqual(bitrates, [300, 600, 1_500, 1_500, 10_000]);
  const message = { priority: order[0], mid: "2" };
  assert.equal(decode("SdkVideoSubscriptionConfiguration", encode("SdkVideoSubscriptionConfiguration", message)).priority, order[0]);
});

test("the id of a share names the attendee who shares", () => {
  assert.deepEqual(["a", "a#content", "#content", "a#x"].map(isContentId), [false, true, false, false]);
  assert.deepEqual(["a", "a#content", "#content"].map(baseOfId), ["a", "a", "#content"]);
});

test("BITRATES has the estimate of the link, and a frame without an estimate changes nothing", () => {
  const bench = new Bench();
  bench.join();
  const hear = (bitrates) => bench.hears(FrameType.BITRATES, { bitrates });
  assert.deepEqual(hear({ bitrates: [], server_available_outgoing_bitrate: 750 }), []);
  assert.equal(bench.state.video.downlink, 750_000);
  hear({ bitrates: [] });
  hear(undefined);
  assert.equal(bench.state.video.downlink, 750_000);
});

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { decode, encode } from "../../../Clients/Web/js/carillon/wire/codec.js";
import { FrameType } from "../../../Clients/Web/js/carillon/wire/enums.js";
import { decodeFrame, encodeFrame } from "../../../Clients/Web/js/carillon/wire/frame.js";
import { DecodeError } from "../../../Clients/Web/js/carillon/wire/reader.js";
import { bytesOf, hexOf } from "./support.js";

const NOW = 1_700_000_000_000;
const chat = new TextEncoder().encode("hi");

/**
 * The vectors of section 9.4 of the protocol's description: each frame without the leading byte,
 * and its fields.
 */
const golden = [
  ["ping 1", "0880d095ffbc311013a2010408011001", { type: 19, ping_pong: { type: 1, ping_id: 1 } }],
  ["pong 1", "0880d095ffbc311013a2010408021001", { type: 19, ping_pong: { type: 2, ping_id: 1 } }],
  ["an empty JOIN_ACK", "0880d095ffbc3110022a00", { type: 2, joinack: {} }],
  [
    "a JOIN_ACK with a relay",
    "0880d095ffbc3110022a1a0a160a017512017018ac02220b7475726e3a743a333437381019",
    {
      type: 2,
      joinack: {
        turn_credentials: { username: "u", password: "p", ttl: 300, uris: ["turn:t:3478"] },
        video_subscription_limit: 25,
      },
    },
  ],
  [
    "an empty INDEX",
    "0880d095ffbc3110054200",
    { type: 5, index: { sources: [], paused_at_source_ids: [], supported_receive_codec_intersection: [] } },
  ],
  [
    "an INDEX with one source",
    "0880d095ffbc31100542170800121108820118d804300d4202413148025201782002",
    {
      type: 5,
      index: {
        at_capacity: false,
        sources: [
          {
            stream_id: 130,
            max_bitrate_kbps: 600,
            group_id: 13,
            attendee_id: "A1",
            media_type: 2,
            external_user_id: "x",
          },
        ],
        paused_at_source_ids: [],
        num_participants: 2,
        supported_receive_codec_intersection: [],
      },
    },
  ],
  [
    "a SUBSCRIBE_ACK",
    "0880d095ffbc3110043a121a03763d30220b08820110d2091a03765f32",
    {
      type: 4,
      suback: {
        allocations: [],
        sdp_answer: "v=0",
        tracks: [{ stream_id: 130, ssrc: 1234, track_label: "v_2" }],
      },
    },
  ],
  [
    "somebody who joins",
    "0880d095ffbc3110129a010d0a0b080b120241311800220178",
    {
      type: 18,
      audio_stream_id_info: {
        streams: [{ audio_stream_id: 11, attendee_id: "A1", muted: false, external_user_id: "x" }],
      },
    },
  ],
  [
    "somebody who leaves",
    "0880d095ffbc3110129a01040a02080b",
    { type: 18, audio_stream_id_info: { streams: [{ audio_stream_id: 11 }] } },
  ],
  [
    "a volume",
    "0880d095ffbc3110119201080a06080b101c2002",
    {
      type: 17,
      audio_metadata: { attendee_states: [{ audio_stream_id: 11, volume: 28, signal_strength: 2 }] },
    },
  ],
  [
    "a data message",
    "0880d095ffbc311016ba011d0a1b0a04636861741202686922024131288080a8b1e39fe7cb17320178",
    {
      type: 22,
      data_message: {
        messages: [
          {
            topic: "chat",
            data: chat,
            sender_attendee_id: "A1",
            ingest_time_ns: 1_700_000_000_000_000_000n,
            sender_external_user_id: "x",
          },
        ],
      },
    },
  ],
  [
    "a data message that comes back",
    "0880d095ffbc311016ba010e0a0c0a0463686174120268692800",
    { type: 22, data_message: { messages: [{ topic: "chat", data: chat, ingest_time_ns: 0n }] } },
  ],
  ["the meeting's end", "0880d095ffbc311014aa0103089a03", { type: 20, audio_status: { audio_status: 410 } }],
  ["a LEAVE_ACK", "0880d095ffbc31100a6200", { type: 10, leave_ack: {} }],
];

for (const [name, hex, fields] of golden) {
  test(`${name} is decoded and encoded byte by byte`, () => {
    const decoded = decodeFrame(bytesOf(`02${hex}`));
    assert.deepEqual(decoded, { timestamp_ms: BigInt(NOW), ...fields, positions: [] });
    assert.equal(hexOf(encodeFrame(fields, NOW)), `05${hex}`);
  });
}

const shared = new URL("../../../proto/signaling-golden.json", import.meta.url);

test("the golden bytes of all clients survive decoding and encoding", { skip: !existsSync(shared) }, () => {
  const vectors = JSON.parse(readFileSync(shared, "utf8"));
  assert.ok(vectors.length >= 14);
  for (const { name, frame_hex: hex } of vectors) {
    const bytes = bytesOf(hex);
    const again = encode("SdkSignalFrame", decode("SdkSignalFrame", bytes.subarray(1)));
    assert.equal(hexOf(again), hex.slice(2), name);
  }
});

test("every integer keeps its value", () => {
  for (const value of [0n, 1n, 127n, 128n, 2n ** 31n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n, -1n, -(2n ** 63n)]) {
    const bytes = encode("SdkDataMessagePayload", { ingest_time_ns: value });
    assert.equal(decode("SdkDataMessagePayload", bytes)["ingest_time_ns"], value);
  }
  for (const value of [0n, 2n ** 64n - 1n]) {
    const bytes = encode("SdkJoinFrame", { audio_session_id: value });
    assert.equal(decode("SdkJoinFrame", bytes)["audio_session_id"], value);
  }
  const most = encode("SdkSubscribeFrame", { receive_stream_ids: [0, 4_294_967_295] });
  assert.deepEqual(decode("SdkSubscribeFrame", most)["receive_stream_ids"], [0, 4_294_967_295]);
  const score = encode("SdkTranscriptItem", { confidence: 0.25, stable: false });
  assert.deepEqual(decode("SdkTranscriptItem", score), { confidence: 0.25, stable: false });
});

test("packed numbers are read like unpacked numbers", () => {
  assert.deepEqual(decode("SdkPauseResumeFrame", bytesOf("0a0301ac02"))["stream_ids"], [1, 300]);
});

test("fields that the schema lacks are ignored", () => {
  const bytes = bytesOf("0880d095ffbc311013" + "ca3e021234" + "d93e0000000000000000" + "e53e00000000");
  assert.equal(decode("SdkSignalFrame", bytes)["type"], FrameType.PING_PONG);
});

for (const [why, hex] of [
  ["nothing", ""],
  ["one byte", "02"],
  ["no time", "021013"],
  ["no type", "020880d095ffbc31"],
  ["a number that ends early", "020880"],
  ["a number of eleven bytes", "0208ffffffffffffffffffff01"],
  ["a length beyond the end", "020880d095ffbc3110132a05"],
  ["a length beyond all bounds", "020880d095ffbc3110132affffffffffffffff7f"],
  ["a group", "020880d095ffbc3110130b"],
  ["field 0", "0200"],
]) {
  test(`a frame with ${why} is refused`, () => {
    assert.throws(() => decodeFrame(bytesOf(hex)), DecodeError);
  });
}

test("random bytes are refused or decoded", () => {
  let seed = 20;
  const random = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  for (let round = 0; round < 20_000; round++) {
    const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256));
    try {
      decode("SdkSignalFrame", bytes);
    } catch (error) {
      assert.ok(error instanceof DecodeError);
    }
  }
});

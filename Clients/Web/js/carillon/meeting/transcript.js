/**
 * The transcript events that `AudioVideo` reports, decoded from messages of the transcript topic.
 *
 * @typedef {object} TranscriptionStatus
 * @property {"status"} kind
 * @property {"started" | "interrupted" | "resumed" | "stopped" | "failed"} type
 * @property {number} eventTimeMs
 * @property {string} transcriptionRegion
 * @property {string} transcriptionConfiguration JSON
 * @property {string | undefined} message
 *
 * @typedef {object} TranscriptItem
 * @property {"pronunciation" | "punctuation" | "unknown"} type
 * @property {number} startTimeMs
 * @property {number} endTimeMs
 * @property {import("./roster.js").AttendeeInfo} attendee the attendee who said the item
 * @property {string} content
 * @property {boolean} vocabularyFilterMatch
 * @property {boolean | undefined} stable
 * @property {number | undefined} confidence
 *
 * @typedef {object} TranscriptAlternative
 * @property {TranscriptItem[]} items
 * @property {string} transcript
 * @property {import("../wire/codec.js").Decoded[]} entities
 *
 * @typedef {object} TranscriptResult
 * @property {string} resultId
 * @property {string} channelId
 * @property {boolean} isPartial
 * @property {number} startTimeMs
 * @property {number} endTimeMs
 * @property {string} languageCode empty if unknown
 * @property {TranscriptAlternative[]} alternatives
 *
 * @typedef {{ kind: "transcript", results: TranscriptResult[] }} Transcript
 * @typedef {TranscriptionStatus | Transcript} TranscriptEvent
 */
import { decode } from "../wire/codec.js";

/** @type {readonly ("started" | "interrupted" | "resumed" | "stopped" | "failed")[]} */
const statusTypes = ["started", "interrupted", "resumed", "stopped", "failed"];

/** @param {bigint | undefined} time */
const milliseconds = (time) => Number(time ?? 0n);

/**
 * Returns the events of one message.
 * @param {Uint8Array} data a serialized `SdkTranscriptFrame`
 * @returns {TranscriptEvent[]} the events, without events of an unknown kind
 * @throws {import("../wire/reader.js").DecodeError}
 */
export function transcriptEvents(data) {
  /** @type {TranscriptEvent[]} */
  const events = [];
  for (const event of decode("SdkTranscriptFrame", data)["events"]) {
    if (event.status) {
      const type = statusTypes[(event.status.type ?? 0) - 1];
      if (type) events.push(statusOf(type, event.status));
    } else if (event.transcript) {
      events.push({ kind: "transcript", results: event.transcript.results.map(resultOf) });
    }
  }
  return events;
}

/**
 * @param {TranscriptionStatus["type"]} type
 * @param {import("../wire/codec.js").Decoded} status
 * @returns {TranscriptionStatus}
 */
const statusOf = (type, status) => ({
  kind: "status",
  type,
  eventTimeMs: milliseconds(status["event_time"]),
  transcriptionRegion: status["transcription_region"] ?? "",
  transcriptionConfiguration: status["transcription_configuration"] ?? "",
  message: status["message"] || undefined,
});

/**
 * @param {import("../wire/codec.js").Decoded} result
 * @returns {TranscriptResult}
 */
const resultOf = (result) => ({
  resultId: result["result_id"] ?? "",
  channelId: result["channel_id"] ?? "",
  isPartial: result["is_partial"] ?? false,
  startTimeMs: milliseconds(result["start_time"]),
  endTimeMs: milliseconds(result["end_time"]),
  languageCode: result["language_code"] ?? "",
  alternatives: result["alternatives"].map(alternativeOf),
});

/**
 * @param {import("../wire/codec.js").Decoded} alternative
 * @returns {TranscriptAlternative}
 */
const alternativeOf = (alternative) => ({
  transcript: alternative["transcript"] ?? "",
  items: alternative["items"].map(itemOf),
  entities: alternative["entities"],
});

/**
 * @param {import("../wire/codec.js").Decoded} item
 * @returns {TranscriptItem}
 */
const itemOf = (item) => ({
  type: item["type"] === 1 ? "pronunciation" : item["type"] === 2 ? "punctuation" : "unknown",
  startTimeMs: milliseconds(item["start_time"]),
  endTimeMs: milliseconds(item["end_time"]),
  attendee: {
    attendeeId: item["speaker_attendee_id"] ?? "",
    externalUserId: item["speaker_external_user_id"] || item["speaker_attendee_id"] || "",
    displayName:
      item["speaker_display_name"] || item["speaker_external_user_id"] || item["speaker_attendee_id"] || "",
  },
  content: item["content"] ?? "",
  vocabularyFilterMatch: item["vocabulary_filter_match"] ?? false,
  stable: item["stable"],
  confidence: item["confidence"],
});

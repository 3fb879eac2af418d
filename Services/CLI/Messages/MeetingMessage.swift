internal import Foundation

/// A data message, as the command line shows it.
struct MeetingMessage: Hashable, Sendable {
  var topic: String
  /// As sent.
  var data: [UInt8]
  /// Both names are empty for a service.
  var sender: AttendeeName
  /// Its place in the meeting's log, from 1; 0 for an own message that came back.
  var sequence: UInt64 = 0
  var messageID = ""
  /// When the server accepted it, in milliseconds since 1970.
  var timestampMs: UInt64 = 0
  /// How long it is kept for late joiners, in milliseconds.
  var lifetimeMs = 0
  /// Ids of the attendees it was addressed to; empty: everybody.
  var recipients: [String] = []

  /// The bytes as text, or `nil` if they are not UTF-8.
  var text: String? { String(validating: data, as: UTF8.self) }

  /// The fields of `--output json`; `text` is null when the bytes are not UTF-8.
  var record: Record {
    [
      "topic": .text(topic), "text": text.map { .text($0) } ?? .null,
      "base64": .text(Data(data).base64EncodedString()),
      "sender_attendee_id": .text(sender.attendeeID),
      "sender_external_user_id": .text(sender.externalUserID),
      "sequence": JSONValue(sequence), "message_id": .text(messageID),
      "timestamp_ms": JSONValue(timestampMs), "lifetime_ms": JSONValue(lifetimeMs),
      "recipients": .list(recipients.map { .text($0) }),
    ]
  }

  // MARK: - For a person

  /// The row of a table.
  var row: Record {
    [
      "sequence": JSONValue(sequence),
      "time": .text(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
      "sender": .text(senderName), "topic": .text(topicName), "data": .text(shownData),
    ]
  }

  /// One line: when, who, on what topic, what.
  var line: String {
    let time = date.formatted(.iso8601.time(includingFractionalSeconds: true))
    return "\(time)  \(senderName)  \(topicName)  \(shownData)"
  }

  /// The text in one line, or the bytes in base64.
  var shownData: String {
    text.map(PrintableText.escaped) ?? "base64:\(Data(data).base64EncodedString())"
  }

  var senderName: String {
    sender.attendeeID.isEmpty ? "(service)" : PrintableText.escaped(sender.externalUserID)
  }

  var topicName: String { PrintableText.escaped(topic) }

  /// The middle of the millisecond: formats cut what is behind it.
  private var date: Date { Date(timeIntervalSince1970: (Double(timestampMs) + 0.5) / 1000) }
}

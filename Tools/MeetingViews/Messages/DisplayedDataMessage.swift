internal import Foundation
package import Output

/// A data message, as the command line shows it.
package struct DisplayedDataMessage: Hashable, Sendable {
  package var topic: String
  /// The bytes as sent.
  package var data: [UInt8]
  /// The sender. Both names are empty if a service sent the message.
  package var sender: AttendeeName
  /// The position in the meeting's log, starting at 1; 0 for a throttled message of this client.
  package var sequence: UInt64 = 0
  package var messageID = ""
  /// The time at which the server accepted the message, in milliseconds since 1970.
  package var timestampMs: UInt64 = 0
  /// How long the server keeps the message for attendees who join late, in milliseconds.
  package var lifetimeMs = 0
  /// The ids of the recipients; empty for everybody.
  package var recipients: [String] = []

  package init(
    topic: String, data: [UInt8], sender: AttendeeName, sequence: UInt64 = 0,
    messageID: String = "", timestampMs: UInt64 = 0, lifetimeMs: Int = 0, recipients: [String] = []
  ) {
    self.topic = topic
    self.data = data
    self.sender = sender
    self.sequence = sequence
    self.messageID = messageID
    self.timestampMs = timestampMs
    self.lifetimeMs = lifetimeMs
    self.recipients = recipients
  }

  /// The maximum size of a message, in bytes.
  package static let longest = 2048

  /// The bytes as text, or `nil` if the bytes are not UTF-8.
  package var text: String? { String(validating: data, as: UTF8.self) }

  /// The fields of `--output json`; `text` is null when the bytes are not UTF-8.
  package var record: OutputRecord {
    ([
      "topic": .text(topic), "text": text.map { .text($0) } ?? .null,
      "base64": .text(Data(data).base64EncodedString()),
      "sender_attendee_id": .text(sender.attendeeID),
      "sender_external_user_id": .text(sender.externalUserID),
      "sequence": JSONValue(sequence), "message_id": .text(messageID),
      "timestamp_ms": JSONValue(timestampMs), "lifetime_ms": JSONValue(lifetimeMs),
      "recipients": .list(recipients.map { .text($0) }),
    ] as OutputRecord).adding("sender_display_name", sender.displayName)
  }

  // MARK: - For a person

  /// The row of a table.
  package var row: OutputRecord {
    [
      "sequence": JSONValue(sequence),
      "time": .text(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
      "sender": .text(senderName), "topic": .text(topicName), "data": .text(shownData),
    ]
  }

  /// The message in one line: time, sender, topic and data.
  package var line: String {
    let time = date.formatted(.iso8601.time(includingFractionalSeconds: true))
    return "\(time)  \(senderName)  \(topicName)  \(shownData)"
  }

  /// The text in one line, or the bytes in base64.
  package var shownData: String {
    text.map(PrintableText.escaped) ?? "base64:\(Data(data).base64EncodedString())"
  }

  package var senderName: String {
    sender.attendeeID.isEmpty ? "(service)" : PrintableText.escaped(sender.shown)
  }

  package var topicName: String { PrintableText.escaped(topic) }

  /// The acceptance time plus half a millisecond. Formats truncate the time, so without this
  /// addition a rounding error could show the previous millisecond.
  private var date: Date { Date(timeIntervalSince1970: (Double(timestampMs) + 0.5) / 1000) }
}

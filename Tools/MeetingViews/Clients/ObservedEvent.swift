package import Output

/// An event that a client in a meeting receives, about its own session or about other attendees.
package enum ObservedEvent: Hashable, Sendable {
  /// A change of an attendee, who may be the local attendee.
  package enum Change: String, Hashable, Sendable {
    case joined, left, dropped, muted, unmuted
  }

  /// A change of a promotion from a replica.
  package enum Promotion: String, Hashable, Sendable {
    case promoted, demoted
  }

  case started
  /// The session has lost the connection, and reconnects.
  case reconnecting
  case reconnected
  /// The session has ended with a status code of the client library (`MeetingSessionStatusCode`).
  /// The status is 0 if the client left the meeting.
  case ended(status: Int, name: String)
  case attendee(Change, AttendeeName)
  /// A data message arrived.
  case message(DisplayedDataMessage)
  /// The server throttled a data message of the local attendee.
  case throttled(DisplayedDataMessage)
  /// The session has restored the connection. `isComplete` states whether all missed data messages
  /// follow.
  case messagesResumed(isComplete: Bool)
  /// The service transcribed an utterance, or the transcription's status changed.
  case transcript(TranscriptLine)
  /// The server has answered the request to promote the session to this attendee, or the promotion
  /// has ended. `status` is a status code of the client library; 0 for success.
  case promotion(Promotion, AttendeeName, status: Int, name: String)

  /// The record that `carillon join --output json` prints for the event.
  package var record: OutputRecord {
    switch self {
    case .started: ["event": "started"]
    case .reconnecting: ["event": "reconnecting"]
    case .reconnected: ["event": "reconnected"]
    case .ended(let status, let name):
      [
        "event": "ended", "session_status": JSONValue(status), "session_status_name": .text(name),
      ]
    case .attendee(let change, let attendee):
      ([
        "event": .text(change.rawValue), "attendee_id": .text(attendee.attendeeID),
        "external_user_id": .text(attendee.externalUserID),
      ] as OutputRecord).adding("display_name", attendee.displayName)
    case .message(let message): OutputRecord(event: "message", message.record)
    case .throttled(let message): OutputRecord(event: "throttled", message.record)
    case .messagesResumed(let isComplete):
      ["event": "messages_resumed", "recovered": .bool(isComplete)]
    case .transcript(let line): line.record
    case .promotion(let step, let attendee, let status, let name):
      [
        "event": .text(step.rawValue), "attendee_id": .text(attendee.attendeeID),
        "external_user_id": .text(attendee.externalUserID), "session_status": JSONValue(status),
        "session_status_name": .text(name),
      ]
    }
  }

  /// The event in one line, for a person.
  package var text: String {
    switch self {
    case .message(let message), .throttled(let message):
      [record.fields[0].value.text, message.senderName, message.topicName, message.shownData]
        .joined(separator: "  ")
    case .started, .reconnecting, .reconnected, .ended, .attendee, .messagesResumed, .transcript,
      .promotion:
      record.fields.map(\.value.text).joined(separator: "  ")
    }
  }

  /// Returns whether the event is this change of this attendee.
  package func says(_ change: Change, _ attendeeID: String) -> Bool {
    if case .attendee(change, let attendee) = self {
      attendee.attendeeID == attendeeID
    } else {
      false
    }
  }

  /// Whether the event reports that an attendee joined or left.
  package var isPresence: Bool {
    switch self {
    case .attendee(.joined, _), .attendee(.left, _), .attendee(.dropped, _): true
    case .attendee(.muted, _), .attendee(.unmuted, _), .started, .reconnecting, .reconnected,
      .ended, .message, .throttled, .messagesResumed, .transcript, .promotion:
      false
    }
  }

  package var isEnd: Bool {
    if case .ended = self { true } else { false }
  }

  /// The data message that arrived; `nil` for any other event.
  package var message: DisplayedDataMessage? {
    if case .message(let message) = self { message } else { nil }
  }
}

extension OutputRecord {
  fileprivate init(event: String, _ rest: OutputRecord) {
    self.init([Field(name: "event", value: .text(event))] + rest.fields)
  }
}

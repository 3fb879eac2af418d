import MeetingModel
import Storage
import Wire

/// The data message by which a host's request reaches the clients of a meeting.
///
/// Only services may use the topics of these messages, so no client can send such a message
/// (`MessageTopicRules.isForClients` of `messaging`). `proto/README.md` §10 describes topics and
/// payloads.
enum HostRequestMessage: Hashable, Sendable {
  /// A host asks a muted attendee to unmute.
  case unmuteRequest(AttendeeID)

  /// A host lowers the hand of an attendee.
  case handLowered(AttendeeID)

  /// A host lowers all hands.
  case allHandsLowered

  /// A host makes an attendee a host. The attendee's client exchanges the appointment and the
  /// attendee's join token for a host token (HostFromWeb).
  case appointed(AttendeeID, HostAppointment)

  var topic: String {
    switch self {
    case .unmuteRequest: "carillon:unmute-request"
    case .handLowered, .allHandsLowered: "carillon:hands-lowered"
    case .appointed: "carillon:appointed"
    }
  }

  /// The only attendees who get the message; empty for all attendees.
  var recipients: [AttendeeID] {
    switch self {
    case .unmuteRequest(let attendee), .appointed(let attendee, _): [attendee]
    case .handLowered, .allHandsLowered: []
    }
  }

  /// How long the meeting keeps the message for attendees who join later, in milliseconds; 0 for a
  /// live-only message.
  ///
  /// The message that lowers a hand has the same lifetime as the message that raised it. So an
  /// attendee who joins later never gets only the older message, which would show the hand as
  /// raised.
  var lifetimeMs: Int32 {
    switch self {
    case .unmuteRequest, .appointed: 0
    case .handLowered, .allHandsLowered: 300_000
    }
  }

  /// The payload as JSON.
  var payload: JSONValue {
    switch self {
    case .unmuteRequest(let attendee): .object(["attendeeId": .string(attendee.text)])
    case .handLowered(let attendee): .object(["attendeeIds": .array([.string(attendee.text)])])
    case .allHandsLowered: .object(["all": .bool(true)])
    case .appointed(let attendee, let appointment):
      .object([
        "appointment": .string(appointment.text), "attendeeId": .string(attendee.text),
      ])
    }
  }

  /// Returns the request that adds the message to the log of a meeting. The request names no
  /// attendee as the sender.
  func request(in meeting: MeetingID) -> V1.SendDataMessageRequest {
    V1.SendDataMessageRequest(
      meetingID: meeting.text, topic: topic, data: Array(payload.text.utf8),
      lifetimeMs: lifetimeMs, recipients: recipients.map(\.text))
  }
}

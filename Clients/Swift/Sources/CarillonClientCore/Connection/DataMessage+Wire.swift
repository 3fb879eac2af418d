internal import Foundation
internal import Wire

extension DataMessage {
  /// Creates a message that the server delivered.
  convenience init(_ message: V1.DataMessage) {
    self.init(
      topic: message.topic, data: Data(message.data),
      senderAttendeeId: message.sender?.attendeeID ?? "",
      senderExternalUserId: message.sender?.externalUserID ?? "",
      senderDisplayName: message.sender?.displayName ?? "",
      timestampMs: Int64(clamping: message.timestampMs), throttled: false,
      place: Place(
        sequence: message.sequence, messageId: message.messageID,
        lifetimeMs: Int(message.lifetimeMs), recipients: message.recipients))
  }

  /// Creates a message of the local attendee that the server throttled.
  convenience init(
    throttled message: OutgoingMessage, from attendee: MeetingSessionCredentials,
    at timestampMs: Int64,
    retryAfterMs: Int
  ) {
    self.init(
      topic: message.topic, data: Data(message.data), senderAttendeeId: attendee.attendeeId,
      senderExternalUserId: attendee.externalUserId, timestampMs: timestampMs, throttled: true,
      place: Place(
        lifetimeMs: Int(message.lifetimeMs), recipients: message.recipients,
        retryAfterMs: retryAfterMs))
  }
}

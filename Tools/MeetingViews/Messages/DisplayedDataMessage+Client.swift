package import CarillonClientCore

extension DisplayedDataMessage {
  /// Creates a message from a message of the client library.
  package init(_ message: DataMessage) {
    self.init(
      topic: message.topic, data: [UInt8](message.data),
      sender: AttendeeName(
        attendeeID: message.senderAttendeeId, externalUserID: message.senderExternalUserId,
        displayName: message.senderDisplayName == message.senderExternalUserId
          ? "" : message.senderDisplayName),
      sequence: message.sequence, messageID: message.messageId,
      timestampMs: UInt64(clamping: message.timestampMs), lifetimeMs: message.lifetimeMs,
      recipients: message.recipients)
  }
}

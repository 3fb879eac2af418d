package import Wire

extension DisplayedDataMessage {
  /// Creates a message from a message of the meeting's log.
  package init(_ message: V1.DataMessage) {
    self.init(
      topic: message.topic, data: message.data,
      sender: AttendeeName(
        attendeeID: message.sender?.attendeeID ?? "",
        externalUserID: message.sender?.externalUserID ?? "",
        displayName: message.sender?.displayName ?? ""),
      sequence: message.sequence, messageID: message.messageID, timestampMs: message.timestampMs,
      lifetimeMs: Int(message.lifetimeMs), recipients: message.recipients)
  }
}

internal import MeetingViews

/// The bytes of a data message, and their position in the meeting's log.
struct LoggedDataMessage: Hashable, Sendable {
  let sequence: UInt64
  let data: [UInt8]
}

extension LoggedDataMessage {
  init(_ message: MeetingMessage) {
    self.init(sequence: message.sequence, data: message.data)
  }
}

internal import MeetingViews

/// The bytes of a data message, and their position in the meeting's log.
struct DataMessageWithPosition: Hashable, Sendable {
  let sequence: UInt64
  let data: [UInt8]
}

extension DataMessageWithPosition {
  init(_ message: DisplayedDataMessage) {
    self.init(sequence: message.sequence, data: message.data)
  }
}

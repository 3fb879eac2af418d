/// Where a sent data message is in the meeting's log. An addition of Carillon.
///
/// The message is on disk, and reaches every attendee who is present once.
public struct DataMessageReceipt: Hashable, Sendable {
  /// Its place among the messages of the meeting, from 1.
  public let sequence: UInt64

  /// Its id as receivers see it.
  public let messageId: String

  /// When the server accepted it, in milliseconds since 1970.
  public let timestampMs: Int64

  public init(sequence: UInt64, messageId: String, timestampMs: Int64) {
    self.sequence = sequence
    self.messageId = messageId
    self.timestampMs = timestampMs
  }
}

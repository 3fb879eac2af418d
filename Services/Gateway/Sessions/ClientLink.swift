import Bus
import Wire

/// The way from a session to its client, independent of the transport.
protocol ClientLink: AnyObject {
  /// Whether no item waits for the next flush.
  var isEmpty: Bool { get }

  /// Bytes sent that the client has not acknowledged.
  var unacknowledged: Int { get }

  /// Whether the client reads so slowly that only items that must not be lost are worth sending.
  var isCongested: Bool { get }

  /// The silence after which the client counts as lost; `nil`: three keep-alives.
  var longestSilence: Duration? { get }

  /// Queues an item for the next flush.
  func queue(_ item: SharedItem)

  /// Sends the items that wait.
  func flush() -> FlushOutcome

  /// Records that the client has read this many bytes.
  func acknowledge(_ bytes: UInt64)

  /// Ends the stream.
  ///
  /// The client receives nothing after it.
  func end(_ status: V1.Status?)
}

extension ClientLink {
  var longestSilence: Duration? { nil }
}

/// The result of a flush.
enum FlushOutcome: Hashable {
  case sent
  /// The client is too slow for its budget.
  case overBudget
  /// The connection is gone.
  case unreachable
}

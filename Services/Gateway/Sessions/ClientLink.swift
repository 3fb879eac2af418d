import Bus
import Wire

/// How a session reaches its client, whatever the client is connected by.
protocol ClientLink: AnyObject {
  /// Nothing waits for the next flush.
  var isEmpty: Bool { get }

  /// Bytes sent that the client has not acknowledged.
  var unacknowledged: Int { get }

  /// The client reads so slowly that only what must not be lost is worth sending.
  var isCongested: Bool { get }

  /// How long the client may say nothing before it counts as lost; `nil`: three keep-alives.
  var longestSilence: Duration? { get }

  /// Queues an item for the next flush.
  func queue(_ item: SharedItem)

  /// Sends what waits.
  func flush() -> FlushOutcome

  /// The client has read this many bytes.
  func acknowledge(_ bytes: UInt64)

  /// Ends the stream; the client hears nothing after it.
  func end(_ status: V1.Status?)
}

extension ClientLink {
  var longestSilence: Duration? { nil }
}

/// What came of a flush.
enum FlushOutcome: Hashable {
  case sent
  /// The client is too slow for its budget.
  case overBudget
  /// The connection is gone.
  case unreachable
}

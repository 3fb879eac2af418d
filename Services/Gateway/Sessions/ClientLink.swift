import Bus
import Wire

/// The connection from a session to its client, independent of the transport.
protocol ClientLink: AnyObject {
  /// Whether the link has no item for the next flush.
  var isEmpty: Bool { get }

  /// The number of sent bytes that the client has not acknowledged.
  var unacknowledged: Int { get }

  /// Whether the client reads slowly. The gateway then sends only items that the client must not
  /// miss.
  var isCongested: Bool { get }

  /// How long a client may send nothing before the gateway treats the client as lost; `nil` if the
  /// limit is three keep-alive intervals.
  var longestSilence: Duration? { get }

  /// Queues an item for the next flush.
  func queue(_ item: PackedSessionEvents)

  /// Sends the queued items.
  func flush() -> FlushOutcome

  /// Records that the client has acknowledged this number of bytes.
  func acknowledge(_ bytes: UInt64)

  /// Ends the stream.
  ///
  /// After this call, the client receives nothing more.
  func end(_ status: V1.Status?)
}

extension ClientLink {
  var longestSilence: Duration? { nil }
}

/// The result of a flush.
enum FlushOutcome: Hashable {
  case sent
  /// The unacknowledged bytes exceed the client's budget.
  case overBudget
  /// The connection has closed.
  case unreachable
}

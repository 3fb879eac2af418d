import MeetingModel
import Storage

/// Those values of a message that the log needs for its decisions.
///
/// All times are in milliseconds since 1970-01-01T00:00:00Z.
struct StoredMessageSummary: Hashable, Sendable, Sequenced {
  let sequence: UInt64
  let acceptedAtMs: UInt64

  /// The lifetime in milliseconds; 0 for a live-only message.
  let lifetimeMs: UInt32

  /// The key that identifies repeats of the message; `nil` if the sender set none.
  let key: DeduplicationKey?

  /// - Parameter key: The key of the message, which the caller has already computed.
  init(_ message: StoredMessage, key: DeduplicationKey?) {
    (sequence, acceptedAtMs) = (message.sequence, message.acceptedAtMs)
    (lifetimeMs, self.key) = (message.lifetimeMs, key)
  }

  init(_ message: StoredMessage) {
    self.init(message, key: DeduplicationKey(message.sender, message.idempotencyKey))
  }

  /// The time at which the message expires. From this time on, late joiners no longer get the
  /// message.
  var expiresAtMs: UInt64 { acceptedAtMs + UInt64(lifetimeMs) }

  /// Returns whether the message has expired. A live-only message never expires.
  func hasExpired(at now: UInt64) -> Bool { lifetimeMs > 0 && expiresAtMs <= now }
}

/// The key that all attempts to send the same message have in common.
struct DeduplicationKey: Hashable, Sendable {
  let sender: ParticipantID?
  let key: String

  /// Creates a key from a message's idempotency key; returns `nil` if the idempotency key is empty.
  init?(_ sender: ParticipantIdentity?, _ key: String) {
    guard !key.isEmpty else { return nil }
    (self.sender, self.key) = (sender?.id, key)
  }
}

/// An element with a place in a log.
protocol Sequenced {
  var sequence: UInt64 { get }

  /// The time at which the service accepted the message, in milliseconds since
  /// 1970-01-01T00:00:00Z.
  var acceptedAtMs: UInt64 { get }
}

extension StoredMessage: Sequenced {}

/// Collections in ascending order of sequence, possibly with gaps.
extension RandomAccessCollection where Element: Sequenced, Index == Int {
  /// Returns the index of the first element after a sequence.
  func firstIndex(after sequence: UInt64) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].sequence > sequence { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the element with this sequence.
  func at(_ sequence: UInt64) -> Element? {
    let index = firstIndex(after: sequence) - 1
    return index >= startIndex && self[index].sequence == sequence ? self[index] : nil
  }
}

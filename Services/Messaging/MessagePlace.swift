import MeetingModel
import Storage

/// What decisions need to know of a message that has its place. Times are milliseconds since
/// 1970-01-01T00:00:00Z.
struct MessagePlace: Hashable, Sendable, Placed {
  let sequence: UInt64
  let acceptedAtMs: UInt64

  /// 0: live-only.
  let lifetimeMs: UInt32

  /// `nil`: its sender does not repeat it.
  let key: RepeatKey?

  /// - Parameter key: That of the message, made before.
  init(_ message: StoredMessage, key: RepeatKey?) {
    (sequence, acceptedAtMs) = (message.sequence, message.acceptedAtMs)
    (lifetimeMs, self.key) = (message.lifetimeMs, key)
  }

  init(_ message: StoredMessage) {
    self.init(message, key: RepeatKey(message.sender, message.idempotencyKey))
  }

  /// When late joiners get it no more.
  var expiresAtMs: UInt64 { acceptedAtMs + UInt64(lifetimeMs) }

  /// Whether its lifetime is over. A live-only message has none.
  func hasExpired(at now: UInt64) -> Bool { lifetimeMs > 0 && expiresAtMs <= now }
}

/// What makes two attempts the same message.
struct RepeatKey: Hashable, Sendable {
  let sender: ParticipantID?
  let key: String

  /// `nil` for a message without a key.
  init?(_ sender: ParticipantIdentity?, _ key: String) {
    guard !key.isEmpty else { return nil }
    (self.sender, self.key) = (sender?.id, key)
  }
}

/// What has a place in a log.
protocol Placed {
  var sequence: UInt64 { get }

  /// When it was accepted, in milliseconds since 1970-01-01T00:00:00Z.
  var acceptedAtMs: UInt64 { get }
}

extension StoredMessage: Placed {}

/// Ascending by sequence, perhaps with gaps.
extension RandomAccessCollection where Element: Placed, Index == Int {
  /// Where those behind a sequence begin.
  func firstIndex(after sequence: UInt64) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].sequence > sequence { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The one with this sequence.
  func at(_ sequence: UInt64) -> Element? {
    let index = firstIndex(after: sequence) - 1
    return index >= startIndex && self[index].sequence == sequence ? self[index] : nil
  }
}

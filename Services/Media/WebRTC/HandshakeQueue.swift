import DequeModule
import MeetingModel
import WebRTC

/// The work of handshakes that waits until the socket thread has time for this work.
///
/// A handshake takes much longer than a packet of sound, so a thousand handshakes at the same time
/// would delay the sound of all meetings. In each turn of the event loop, the owner works on
/// handshakes only for ``mostOfTurn``.
struct HandshakeQueue {
  /// A part of the work for one session.
  enum Work {
    /// Begin a handshake in this role.
    case begin(DTLSRole)

    /// Read a datagram of the browser from this address.
    case read([UInt8], from: PeerAddress)
  }

  /// How long the owner works on handshakes in one turn of the event loop. A step that has begun
  /// may exceed this time.
  static let mostOfTurn = Duration.milliseconds(2)

  /// The maximum number of waiting parts. A handshake has about six parts, so this number is enough
  /// for the first flights of a thousand handshakes.
  static let capacity = 4_096

  /// The time spent on handshakes in this turn.
  private var spent = Duration.zero

  private var waiting = Deque<(session: SessionID, work: Work)>()

  /// The number of waiting parts.
  var count: Int { waiting.count }

  /// Whether this turn has time for a handshake.
  var hasTime: Bool { spent < Self.mostOfTurn }

  /// Whether new work need not wait: nothing waits, and this turn has time.
  var isFree: Bool { waiting.isEmpty && hasTime }

  /// Starts another turn of the event loop.
  mutating func beginTurn() { spent = .zero }

  /// Records the time of a step.
  mutating func spend(_ time: Duration) { spent += time }

  /// Adds work behind all waiting work.
  ///
  /// - Returns: `false` if there is no room.
  mutating func append(_ work: Work, of session: SessionID) -> Bool {
    guard waiting.count < Self.capacity else { return false }
    waiting.append((session, work))
    return true
  }

  /// Returns and removes the oldest work; `nil` if nothing waits, or if this turn has no time.
  mutating func next() -> (session: SessionID, work: Work)? {
    hasTime ? waiting.popFirst() : nil
  }
}

import Foundation
import TestSupport

/// A link in one direction. Chunks of bytes wait in a queue. The queue sends the chunks at the
/// current rate, and delivers each chunk after a delay.
///
/// The caller passes in the time, in seconds. Several connections may share one link.
struct LinkQueue {
  private struct Piece {
    var connection: Int
    var bytes: [UInt8]
    var at: Double
  }

  /// The current rate; `nil` for no limit.
  var bytesPerSecond: Double?
  var delay = 0.0
  var jitter = 0.0

  /// The maximum length of the queue, as the time to send a full queue at the current rate, in
  /// seconds.
  var longestWait = 0.4

  private var waiting: [Piece] = []
  private var first = 0
  private var waitingBytes = 0
  private var flying: [Piece] = []
  private var firstFlying = 0
  private var credit = 0.0
  private var served: Double?
  private var lastArrival = 0.0
  private var numbers: SeededGenerator

  /// The waiting times of the chunks since the last call of ``takeWaits(at:)``, in seconds.
  private var waits: [Double] = []

  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  /// Whether the queue accepts more bytes.
  var hasRoom: Bool {
    guard let bytesPerSecond else { return waitingBytes < 1 << 20 }
    return Double(waitingBytes) < bytesPerSecond * longestWait
  }

  var isEmpty: Bool { first == waiting.count && firstFlying == flying.count }

  /// The number of bytes sent since the last call of ``takeCarried()``.
  private var carried = 0

  mutating func append(_ bytes: [UInt8], of connection: Int, at now: Double) {
    waiting.append(Piece(connection: connection, bytes: bytes, at: now))
    waitingBytes += bytes.count
  }

  /// Sends the chunks that the rate allows, and delivers the chunks that have arrived.
  mutating func advance(to now: Double, deliver: (Int, [UInt8]) -> Void) {
    let elapsed = now - (served ?? now)
    served = now
    credit += (bytesPerSecond ?? 0) * elapsed
    while first < waiting.count {
      let piece = waiting[first]
      if bytesPerSecond != nil {
        guard credit >= Double(piece.bytes.count) else { break }
        credit -= Double(piece.bytes.count)
      }
      first += 1
      waitingBytes -= piece.bytes.count
      carried += piece.bytes.count
      waits.append(now - piece.at)
      let late = delay + .random(in: 0...1, using: &numbers) * jitter
      lastArrival = max(lastArrival, now + late)
      flying.append(Piece(connection: piece.connection, bytes: piece.bytes, at: lastArrival))
    }
    // If the queue is empty, the link keeps unused capacity for the next step, but at most the
    // capacity of 2 ms.
    if first == waiting.count {
      credit = min(credit, (bytesPerSecond ?? 0) * 0.002)
      (waiting, first) = ([], 0)
    }
    while firstFlying < flying.count, flying[firstFlying].at <= now {
      deliver(flying[firstFlying].connection, flying[firstFlying].bytes)
      firstFlying += 1
    }
    if firstFlying == flying.count { (flying, firstFlying) = ([], 0) }
  }

  mutating func takeCarried() -> Int {
    defer { carried = 0 }
    return carried
  }

  /// Returns the waiting times of the chunks that the queue has sent since the last call of this
  /// method, and the time for which the next chunk has waited so far.
  mutating func takeWaits(at now: Double) -> [Double] {
    defer { waits = [] }
    return first < waiting.count ? waits + [now - waiting[first].at] : waits
  }
}

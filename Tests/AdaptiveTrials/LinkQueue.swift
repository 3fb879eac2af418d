import Foundation
import TestSupport

/// A link in one direction: what comes waits for its turn, is carried at the rate of the moment,
/// and arrives some time later.
///
/// A value: time comes from outside, in seconds. Several connections may share one.
struct LinkQueue {
  private struct Piece {
    var connection: Int
    var bytes: [UInt8]
    var at: Double
  }

  /// How it is from now on; `nil`: no limit.
  var bytesPerSecond: Double?
  var delay = 0.0
  var jitter = 0.0

  /// How long what comes may wait, in seconds.
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

  /// How long pieces waited, since this was taken last.
  private var waits: [Double] = []

  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  /// Whether it takes something now.
  var hasRoom: Bool {
    guard let bytesPerSecond else { return waitingBytes < 1 << 20 }
    return Double(waitingBytes) < bytesPerSecond * longestWait
  }

  var isEmpty: Bool { first == waiting.count && firstFlying == flying.count }

  /// Bytes that it has carried since this was taken last.
  private var carried = 0

  mutating func append(_ bytes: [UInt8], of connection: Int, at now: Double) {
    waiting.append(Piece(connection: connection, bytes: bytes, at: now))
    waitingBytes += bytes.count
  }

  /// Carries what its rate allows, and hands over what has arrived.
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
    // What is not used is lost, but for what the next step of time needs.
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

  /// How long pieces have waited since the last time, and how long the next one has by now.
  mutating func takeWaits(at now: Double) -> [Double] {
    defer { waits = [] }
    return first < waiting.count ? waits + [now - waiting[first].at] : waits
  }
}

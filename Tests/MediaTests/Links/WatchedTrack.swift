import RTP

@testable import Media

/// One track as a simulated client gets it.
struct WatchedTrack {
  /// What each packet is, by its unwrapped number; a label only where a frame begins.
  private(set) var packets: [Int64: FrameLabel?] = [:]
  private var unwrapper = SequenceUnwrapper()
  private var losses = LossTracker()

  mutating func receive(_ bytes: [UInt8], _ packet: RTPPacket, at now: MediaTime) {
    _ = losses.receive(packet.sequence, at: now)
    packets[unwrapper.unwrap(packet.sequence)] = .some(FrameLabel(packet: bytes))
  }

  /// The numbers to ask for again.
  mutating func takeMissing(at now: MediaTime) -> [SequenceNumber] {
    var numbers: [SequenceNumber] = []
    _ = losses.takeDue(at: now, roundTrip: 40_000, into: &numbers)
    return numbers
  }

  /// The frames that began, in order of their numbers.
  var frames: [FrameLabel] { packets.keys.sorted().compactMap { packets[$0] ?? nil } }

  /// The share of numbers between the first and the last that came.
  var completeness: Double {
    guard let first = packets.keys.min(), let last = packets.keys.max() else { return 0 }
    return Double(packets.count) / Double(last - first + 1)
  }
}

import RTP

@testable import Media

/// One track as a simulated client receives it.
struct WatchedTrack {
  /// The packets by their unwrapped numbers. Only the first packet of a frame has a label.
  private(set) var packets: [Int64: FrameLabel?] = [:]
  private var unwrapper = SequenceUnwrapper()
  private var losses = LossTracker()
  private var hasKeyFrame = false

  /// The time of the first packet, or of the last key frame request.
  private var waitsSince: MonotonicTime?

  mutating func receive(_ bytes: [UInt8], _ packet: RTPPacket, at now: MonotonicTime) {
    _ = losses.receive(packet.sequence, at: now)
    let label = FrameLabel(packet: bytes)
    packets[unwrapper.unwrap(packet.sequence)] = .some(label)
    hasKeyFrame = hasKeyFrame || label?.isKey == true
    waitsSince = waitsSince ?? now
  }

  /// Returns whether to request a key frame: the start of the first key frame has not arrived
  /// within 200 ms. Browsers wait as long.
  mutating func takeKeyFrameNeed(at now: MonotonicTime) -> Bool {
    guard !hasKeyFrame, let waitsSince, now - waitsSince >= .milliseconds(200) else {
      return false
    }
    self.waitsSince = now
    return true
  }

  /// Returns the sequence numbers of the packets to request again.
  mutating func takeMissing(at now: MonotonicTime) -> [SequenceNumber] {
    var numbers: [SequenceNumber] = []
    _ = losses.takeDue(at: now, roundTrip: 40_000, into: &numbers)
    return numbers
  }

  /// The frames whose first packet arrived, in order of their numbers.
  var frames: [FrameLabel] { packets.keys.sorted().compactMap { packets[$0] ?? nil } }

  /// The share of packets that arrived, from the first received packet to the last.
  var completeness: Double {
    guard let first = packets.keys.min(), let last = packets.keys.max() else { return 0 }
    return Double(packets.count) / Double(last - first + 1)
  }
}

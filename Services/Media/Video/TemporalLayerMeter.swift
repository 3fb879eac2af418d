import RTP

/// The measured number of temporal layers in the packets of one stream.
///
/// The number rises with the first packet of a higher temporal layer. The number falls after two
/// seconds without a packet of the highest temporal layer, because the publisher has stopped this
/// layer. It falls only to the highest temporal layer whose packets still arrive. An interruption
/// of the whole stream does not make the number fall: after the interruption, the two seconds begin
/// again.
struct TemporalLayerMeter: Sendable {
  /// The number of temporal layers, 1-8.
  private(set) var count = 1

  /// The time of the last packet of each temporal layer, from layer 0 on.
  private var lastPackets = InlineArray<8, MonotonicTime?>(repeating: nil)
  private var lastPacket: MonotonicTime?

  /// The time at which the stream began or continued after an interruption.
  private var flowsSince = MonotonicTime(microseconds: 0)

  /// The time without a packet of a temporal layer after which the layer no longer counts, in
  /// microseconds.
  private static let memory: Int64 = 2_000_000

  /// The shortest time without packets that is an interruption, in microseconds.
  private static let interruption: Int64 = 1_000_000

  /// Records a packet.
  ///
  /// - Parameter layer: The temporal layer of the packet, from 0. A layer above 7 counts as 7, the
  ///   highest number in the descriptors of VP8, VP9 and AV1.
  mutating func receive(_ layer: UInt8, at now: MonotonicTime) {
    if lastPacket.map({ now.microseconds(since: $0) >= Self.interruption }) ?? true {
      flowsSince = now
    }
    lastPacket = now
    let index = min(Int(layer), lastPackets.count - 1)
    lastPackets[index] = now
    count = max(count, index + 1)
    while count > index + 1, !isRecent(count - 1, at: now) { count -= 1 }
  }

  /// Returns whether a temporal layer still counts.
  private func isRecent(_ index: Int, at now: MonotonicTime) -> Bool {
    guard let last = lastPackets[index] else { return false }
    return now.microseconds(since: max(last, flowsSince)) <= Self.memory
  }
}

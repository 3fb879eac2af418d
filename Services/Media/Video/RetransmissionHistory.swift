import RTP

/// The record of the packets that the router recently sent to one receiver of one source.
///
/// The record does not contain the bytes of the sent packets. The router restores these bytes from
/// the record and the publisher's packets.
struct RetransmissionHistory: Sendable {
  struct Entry: Sendable {
    /// The unwrapped outgoing number.
    var outgoing: Int64 = .min

    /// The number of the publisher's packet.
    var number: Int64 = 0

    /// The layer of the publisher's packet; 0 for padding.
    var layer: UInt8 = 0

    /// Whether the entry is for the parameter sets before the packet.
    var isParameterSets = false

    fileprivate var resends: UInt8 = 0
    fileprivate var baseLayerIndex: UInt8 = 0
    fileprivate var pictureID: UInt16 = 0
    fileprivate var timestamp: UInt32 = 0

    /// The time of the last retransmission, in milliseconds. The value wraps.
    fileprivate var resentAt: UInt32 = 0

    func video(ssrc: UInt32) -> ForwardedPacketHeader {
      ForwardedPacketHeader(
        sequence: SequenceNumber(UInt16(truncatingIfNeeded: outgoing)), timestamp: timestamp,
        ssrc: ssrc, pictureID: pictureID, baseLayerIndex: baseLayerIndex)
    }
  }

  private static let capacity = 256
  private var entries: [Entry] = []

  /// - Parameters:
  ///   - packet: The packet of the publisher; `nil` for padding.
  ///   - isParameterSets: Whether the router sent only the parameter sets before the packet.
  mutating func note(
    _ video: ForwardedPacketHeader, as outgoing: Int64, of packet: VideoPacket?,
    isParameterSets: Bool = false
  ) {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Self.capacity) }
    var entry = Entry(outgoing: outgoing)
    entry.number = packet?.number ?? 0
    entry.layer = UInt8(truncatingIfNeeded: packet?.layer ?? 0)
    entry.isParameterSets = isParameterSets
    entry.baseLayerIndex = video.baseLayerIndex
    entry.pictureID = video.pictureID
    entry.timestamp = video.timestamp
    entries[index(of: outgoing)] = entry
  }

  /// Finds a packet that a receiver lacks, and counts the retransmission of this packet.
  ///
  /// - Parameters:
  ///   - highest: The highest sent number.
  ///   - interval: The minimum time between two retransmissions of a packet, in microseconds.
  ///   - limit: The maximum number of retransmissions of a packet.
  /// - Returns: The entry; `nil` if the record no longer contains the packet, or if the router
  ///   retransmitted the packet too often or too recently.
  mutating func resend(
    _ sequence: SequenceNumber, highest: Int64, at now: MonotonicTime, interval: Int64, limit: UInt8
  ) -> Entry? {
    guard !entries.isEmpty else { return nil }
    let last = SequenceNumber(UInt16(truncatingIfNeeded: highest))
    let outgoing = highest + Int64(last.distance(to: sequence))
    let index = index(of: outgoing)
    let milliseconds = UInt32(truncatingIfNeeded: now.microseconds / 1_000)
    guard entries[index].outgoing == outgoing, entries[index].resends < limit else { return nil }
    let rested = Int64(milliseconds &- entries[index].resentAt) * 1_000
    guard entries[index].resends == 0 || rested >= interval else { return nil }
    entries[index].resends += 1
    entries[index].resentAt = milliseconds
    return entries[index]
  }

  private func index(of outgoing: Int64) -> Int {
    Int(truncatingIfNeeded: outgoing) & (Self.capacity - 1)
  }
}

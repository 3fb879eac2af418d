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

  /// The answer to a request for a packet.
  enum Answer: Sendable {
    /// The router sends the packet of this entry again.
    case found(Entry)

    /// The router sent the packet again too recently, or has never sent the packet.
    case refused

    /// The router sent the packet, but can no longer send it again.
    case gone
  }

  private static let capacity = 256

  /// The time after which a retransmission counts as lost if the receiver still requests the
  /// packet, in microseconds. This time exceeds most round trips.
  private static let longestTrip: Int64 = 250_000

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
  /// A packet is gone if the record no longer contains the packet, or if the last of `limit`
  /// retransmissions has not arrived.
  ///
  /// - Parameters:
  ///   - highest: The highest sent number.
  ///   - interval: The minimum time between two retransmissions of a packet, in microseconds.
  ///   - limit: The maximum number of retransmissions of a packet.
  mutating func resend(
    _ sequence: SequenceNumber, highest: Int64, at now: MonotonicTime, interval: Int64, limit: UInt8
  ) -> Answer {
    let outgoing = Self.unwrap(sequence, highest: highest)
    guard !entries.isEmpty, outgoing <= highest else { return .refused }
    let index = index(of: outgoing)
    guard entries[index].outgoing == outgoing else {
      // A number without an entry belongs to a packet that the publisher's link has lost, unless
      // the number is too old.
      return outgoing <= highest - Int64(Self.capacity) ? .gone : .refused
    }
    let milliseconds = UInt32(truncatingIfNeeded: now.microseconds / 1_000)
    let rested = Int64(milliseconds &- entries[index].resentAt) * 1_000
    guard entries[index].resends < limit else {
      return rested >= max(interval, Self.longestTrip) ? .gone : .refused
    }
    guard entries[index].resends == 0 || rested >= interval else { return .refused }
    entries[index].resends += 1
    entries[index].resentAt = milliseconds
    return .found(entries[index])
  }

  /// Returns the unwrapped number of a packet.
  ///
  /// - Parameter highest: The highest sent number.
  static func unwrap(_ sequence: SequenceNumber, highest: Int64) -> Int64 {
    let last = SequenceNumber(UInt16(truncatingIfNeeded: highest))
    return highest + Int64(last.distance(to: sequence))
  }

  private func index(of outgoing: Int64) -> Int {
    Int(truncatingIfNeeded: outgoing) & (Self.capacity - 1)
  }
}

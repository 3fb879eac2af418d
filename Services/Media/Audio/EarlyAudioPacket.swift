import RTP

/// The newest packet of a participant whom others cannot hear yet.
///
/// A promotion often happens while the attendee is speaking. Without this packet, other attendees
/// would not hear the sound of this packet, and could miss the beginning of a word. The packet
/// arrived at most 40 ms before the promotion: 40 ms is the length of two packets.
struct EarlyAudioPacket {
  /// The maximum age of the packet: the duration of two packets.
  ///
  /// If no packet arrived for longer, the sender is silent.
  static let longestWaitUs: Int64 = 40_000

  let payload: [UInt8]
  let sequence: SequenceNumber
  let timestamp: UInt32
  let level: AudioLevel?
  let arrival: MonotonicTime

  init(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    arrival: MonotonicTime
  ) {
    self.payload = unsafe payload.withUnsafeBufferPointer { unsafe Array($0) }
    self.sequence = sequence
    self.timestamp = timestamp
    self.level = level
    self.arrival = arrival
  }
}

import RTP

/// The packet that came last of somebody who may not be heard yet.
///
/// Who is promoted is in the middle of speaking: without it the first word would wait for the next
/// packet. It is older than the promotion by a packet or two and no more.
struct EarlyPacket {
  /// Who sent nothing for so long is silent, and what it said before concerns nobody: two packets.
  static let longestWaitUs: Int64 = 40_000

  let payload: [UInt8]
  let sequence: SequenceNumber
  let timestamp: UInt32
  let level: AudioLevel?
  let arrival: MediaTime

  init(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, level: AudioLevel?,
    arrival: MediaTime
  ) {
    self.payload = unsafe payload.withUnsafeBufferPointer { unsafe Array($0) }
    self.sequence = sequence
    self.timestamp = timestamp
    self.level = level
    self.arrival = arrival
  }
}

import RTP

/// The last packets of the mix as they left, for a browser that misses one.
///
/// SRTP protects no number twice, so the same protected bytes leave again. Slots are used again, so
/// that nothing is allocated once each has held a packet.
struct SentSound {
  private struct Slot {
    var sequence: SequenceNumber?
    var repeats = 0
    var bytes: [UInt8] = []
  }

  /// Packets that are kept: 640 ms, the most that browsers wait for one.
  static let capacity = 32

  /// How often a packet leaves again at most, whatever a browser asks.
  static let mostRepeats = 2

  private var slots = [Slot](repeating: Slot(), count: capacity)

  /// Keeps a copy of a protected packet.
  mutating func store(_ datagram: Span<UInt8>, _ sequence: SequenceNumber) {
    let index = Self.index(of: sequence)
    (slots[index].sequence, slots[index].repeats) = (sequence, 0)
    slots[index].bytes.replaceAll(copying: datagram)
  }

  /// Returns a packet's bytes to send again; `nil`: it is not here, or has left often enough.
  mutating func take(_ sequence: SequenceNumber) -> [UInt8]? {
    let index = Self.index(of: sequence)
    guard slots[index].sequence == sequence, slots[index].repeats < Self.mostRepeats else {
      return nil
    }
    slots[index].repeats += 1
    return slots[index].bytes
  }

  private static func index(of sequence: SequenceNumber) -> Int {
    Int(sequence.rawValue) % capacity
  }
}

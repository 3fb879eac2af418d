import RTP

/// The last packets of the mix as they were sent, for retransmission to a browser.
///
/// SRTP never protects a number twice, so a retransmission has the same protected bytes. Slots are
/// reused, so nothing is allocated once each slot has held a packet.
struct SentSound {
  private struct Slot {
    var sequence: SequenceNumber?
    var repeats = 0
    var bytes: [UInt8] = []
  }

  /// The number of packets that are kept: 640 ms, the longest time that browsers wait for one.
  static let capacity = 32

  /// The maximum number of retransmissions of a packet, however often a browser requests it.
  static let mostRepeats = 2

  private var slots = [Slot](repeating: Slot(), count: capacity)

  /// Keeps a copy of a protected packet.
  mutating func store(_ datagram: Span<UInt8>, _ sequence: SequenceNumber) {
    let index = Self.index(of: sequence)
    (slots[index].sequence, slots[index].repeats) = (sequence, 0)
    slots[index].bytes.replaceAll(copying: datagram)
  }

  /// Returns a packet's bytes for retransmission; `nil` if the packet is not stored or was
  /// retransmitted often enough.
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

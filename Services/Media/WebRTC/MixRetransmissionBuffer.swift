import RTP

/// The last sent packets of the mix, for retransmission to a browser.
///
/// SRTP never protects two packets with the same sequence number, so a retransmission consists of
/// the bytes that were protected for the first transmission. The type reuses slots, so it allocates
/// no memory once every slot has stored a packet.
struct MixRetransmissionBuffer {
  private struct Slot {
    var sequence: SequenceNumber?
    var repeats = 0
    var bytes: [UInt8] = []
  }

  /// The number of stored packets. These packets contain 640 ms of sound, which is the longest time
  /// that browsers wait for a packet.
  static let capacity = 32

  /// The maximum number of retransmissions of a packet, even if a browser requests more.
  static let mostRepeats = 2

  private var slots = [Slot](repeating: Slot(), count: capacity)

  /// Stores a copy of a protected packet.
  mutating func store(_ datagram: Span<UInt8>, _ sequence: SequenceNumber) {
    let index = Self.index(of: sequence)
    (slots[index].sequence, slots[index].repeats) = (sequence, 0)
    slots[index].bytes.replaceAll(copying: datagram)
  }

  /// Returns a packet's bytes for retransmission; `nil` if this type does not store the packet, or
  /// if the packet has reached the maximum number of retransmissions.
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

/// The number of an RTP packet within its stream: 16 bits that wrap (RFC 3550, section 5.1).
public struct SequenceNumber: Hashable, Sendable {
  /// The 16 bits of the number on the wire.
  public var rawValue: UInt16

  /// Creates a sequence number from its 16 bits.
  public init(_ rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Returns the signed distance to `other` in the shorter direction: −32,768 to 32,767.
  public func distance(to other: SequenceNumber) -> Int {
    Int(Int16(bitPattern: other.rawValue &- rawValue))
  }

  /// Returns the number `count` steps ahead, modulo 65,536.
  public func advanced(by count: Int) -> SequenceNumber {
    SequenceNumber(rawValue &+ UInt16(truncatingIfNeeded: count))
  }

  /// Returns whether the number precedes `other` in the shorter direction.
  public func isBefore(_ other: SequenceNumber) -> Bool { distance(to: other) > 0 }
}

extension SequenceNumber: CustomStringConvertible {
  public var description: String { "\(rawValue)" }
}

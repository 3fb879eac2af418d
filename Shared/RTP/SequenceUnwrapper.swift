/// Unwraps sequence numbers of 16 bits to numbers that do not wrap.
///
/// The first number keeps its value. Each later number maps to the value nearest to the highest
/// value so far, so reordered packets get lower values. A packet that precedes the first packet
/// across a wrap gets a negative value.
public struct SequenceUnwrapper: Hashable, Sendable {
  /// The highest value so far; `nil` before the first number.
  public private(set) var highest: Int64?

  /// Creates an unwrapper without numbers.
  public init() {}

  /// Returns the unwrapped value without recording it.
  public func peek(_ number: SequenceNumber) -> Int64 {
    guard let highest else { return Int64(number.rawValue) }
    let last = SequenceNumber(UInt16(truncatingIfNeeded: highest))
    return highest &+ Int64(last.distance(to: number))
  }

  /// Records a number, and returns its unwrapped value.
  public mutating func unwrap(_ number: SequenceNumber) -> Int64 {
    let value = peek(number)
    highest = max(highest ?? value, value)
    return value
  }
}

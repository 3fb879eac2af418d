/// Unwraps sequence numbers.
///
/// The first number keeps its value. Each later one maps to the value nearest to the highest so
/// far, so that reordered packets get lower values. Negative values belong to packets from before
/// the first one, across a wrap.
public struct SequenceUnwrapper: Hashable, Sendable {
  /// The highest value so far; `nil` before the first.
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

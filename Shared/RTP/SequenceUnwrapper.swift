/// Turns wrapping sequence numbers into numbers that do not wrap.
///
/// The first number keeps its value; each following one is taken for the nearest to the highest
/// that was seen, so that reordered packets come out lower. Numbers below zero are those that came
/// before the first one, across a wrap.
public struct SequenceUnwrapper: Hashable, Sendable {
  /// The highest number so far; `nil` before the first.
  public private(set) var highest: Int64?

  /// Makes an unwrapper that has seen no number.
  public init() {}

  /// What the number stands for, without taking note of it.
  public func peek(_ number: SequenceNumber) -> Int64 {
    guard let highest else { return Int64(number.rawValue) }
    let last = SequenceNumber(UInt16(truncatingIfNeeded: highest))
    return highest &+ Int64(last.distance(to: number))
  }

  /// What the number stands for.
  public mutating func unwrap(_ number: SequenceNumber) -> Int64 {
    let value = peek(number)
    highest = max(highest ?? value, value)
    return value
  }
}

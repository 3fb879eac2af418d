/// Maps the numbers of a publisher to numbers for a receiver, while the forwarder omits and inserts
/// packets.
///
/// The map adds `offset` to each new number. It stores the last 32 changes of the offset, so that
/// it can also map late numbers. It does not map a number that is older than these changes.
struct Renumbering: Sendable {
  private static let capacity = 32

  private struct Change: Sendable {
    var boundary: Int64 = 0
    var correction: Int64 = 0
  }

  /// The outgoing number minus the incoming number, since the last change.
  private(set) var offset: Int64
  private var changes = InlineArray<32, Change>(repeating: Change())
  private var count = 0

  init(offset: Int64) {
    self.offset = offset
  }

  /// Returns the outgoing number; `nil` if the number is too old.
  func map(_ number: Int64) -> Int64? {
    var result = number + offset
    let kept = min(count, Self.capacity)
    for age in 0..<kept {
      let change = changes[(count - 1 - age) & (Self.capacity - 1)]
      guard number < change.boundary else { return result }
      result += change.correction
    }
    return count <= Self.capacity ? result : nil
  }

  /// Omits a number that is higher than all earlier numbers.
  mutating func leaveOut(_ number: Int64) {
    offset -= 1
    note(Change(boundary: number, correction: 1))
  }

  /// Inserts one outgoing number directly before `number`. The caller must pass a `number` that is
  /// higher than all numbers so far.
  mutating func putIn(before number: Int64) {
    offset += 1
    note(Change(boundary: number, correction: -1))
  }

  private mutating func note(_ change: Change) {
    changes[count & (Self.capacity - 1)] = change
    count += 1
  }
}

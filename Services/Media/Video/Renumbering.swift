/// How numbers of a publisher become those that a receiver gets, while packets are left out and put
/// in.
///
/// New numbers go by `offset`. For those that come late it remembers the last places where the
/// offset changed; what is older than these is not forwarded.
struct Renumbering: Sendable {
  private static let capacity = 32

  private struct Change: Sendable {
    var boundary: Int64 = 0
    var correction: Int64 = 0
  }

  /// Outgoing minus incoming, for numbers from the last change on.
  private(set) var offset: Int64
  private var changes = InlineArray<32, Change>(repeating: Change())
  private var count = 0

  init(offset: Int64) {
    self.offset = offset
  }

  /// What a number becomes. `nil`: too old to tell.
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

  /// Leaves a number out, which is higher than all before.
  mutating func leaveOut(_ number: Int64) {
    offset -= 1
    note(Change(boundary: number, correction: 1))
  }

  /// Puts one number in before `number`, which is higher than all before.
  mutating func putIn(before number: Int64) {
    offset += 1
    note(Change(boundary: number, correction: -1))
  }

  private mutating func note(_ change: Change) {
    changes[count & (Self.capacity - 1)] = change
    count += 1
  }
}

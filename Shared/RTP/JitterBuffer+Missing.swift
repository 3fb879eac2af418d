extension JitterBuffer {
  /// How long a packet may come after a later one without being asked for, in microseconds.
  static let reorderingUs: Int64 = 10_000

  /// Appends the packets that are missing and can still be played when they are sent again. Each is
  /// told once: a second request would come too late.
  ///
  /// - Parameters:
  ///   - roundTripUs: How long a packet takes to come once it is asked for.
  ///   - now: On the clock of the arrivals.
  public mutating func takeMissing(
    within roundTripUs: Int64, at now: MediaTime, into numbers: inout [SequenceNumber]
  ) {
    guard !slots.isEmpty, let highest = unwrapper.highest else { return }
    firstUnasked = max(firstUnasked, next)
    while firstUnasked < highest {
      guard isMissing(firstUnasked) else {
        firstUnasked += 1
        continue
      }
      guard isOverdue(firstUnasked, before: highest, at: now) else { return }
      if timeToTurn(of: firstUnasked) >= roundTripUs {
        numbers.append(SequenceNumber(UInt16(truncatingIfNeeded: firstUnasked)))
      }
      firstUnasked += 1
    }
  }

  private func isMissing(_ number: Int64) -> Bool { slots[slotIndex(number)].number != number }

  /// Whether the next packet after a missing one is there for so long that it did not overtake it.
  private func isOverdue(_ number: Int64, before highest: Int64, at now: MediaTime) -> Bool {
    var later = number + 1
    while later < highest, isMissing(later) { later += 1 }
    return now.microseconds(since: slots[slotIndex(later)].arrival) >= Self.reorderingUs
  }

  /// How long until a packet is to be played, in microseconds. One packet is played at once.
  private func timeToTurn(of number: Int64) -> Int64 {
    (number - next) * microseconds(lastSampleCount)
  }
}

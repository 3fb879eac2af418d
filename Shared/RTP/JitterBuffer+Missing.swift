extension JitterBuffer {
  /// How long the buffer waits for a reordered packet before it requests the packet, in
  /// microseconds after the arrival of a later packet.
  static let reorderingUs: Int64 = 10_000

  /// Appends the missing packets that the buffer can still play if the sender retransmits them.
  ///
  /// Lists each packet once, because a second request would be too late.
  ///
  /// - Parameters:
  ///   - roundTripUs: The time from a request to the arrival of the packet, in microseconds.
  ///   - now: The time on the clock of the arrivals.
  public mutating func takeMissing(
    within roundTripUs: Int64, at now: MonotonicTime, into numbers: inout [SequenceNumber]
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

  /// Returns whether the packet after a missing packet arrived so long ago that reordering cannot
  /// explain the gap.
  private func isOverdue(_ number: Int64, before highest: Int64, at now: MonotonicTime) -> Bool {
    var later = number + 1
    while later < highest, isMissing(later) { later += 1 }
    return now.microseconds(since: slots[slotIndex(later)].arrival) >= Self.reorderingUs
  }

  /// Returns the time until the buffer plays a packet, in microseconds, if each pull plays one
  /// packet.
  private func timeToTurn(of number: Int64) -> Int64 {
    (number - next) * microseconds(lastSampleCount)
  }
}

extension JitterBuffer {
  /// Returns the next playout.
  ///
  /// The caller pulls once for each packet's length of audio: less often if packets are long, and
  /// more often if packets are short.
  ///
  /// - Parameter now: The time on the clock of the arrivals.
  public mutating func pull(at now: MonotonicTime) -> PlayoutInstruction {
    if !isPlaying {
      guard hasGathered(at: now), let first = firstWaiting else { return .nothing }
      begin(with: first)
    }
    catchUp(at: now)
    if waitingCount > 0, isWaiting(next) { return takeNext(at: now) }
    if let first = firstWaiting { return bridge(to: first, at: now) }
    guard unexplained < maxConcealedSamples else {
      stop()
      return .nothing
    }
    unexplained += lastSampleCount
    return .concealment(sampleCount: lastSampleCount)
  }

  private var maxConcealedSamples: Int { clockRate * Self.maxConcealment_ms / 1_000 }

  /// Returns whether the first packets have waited long enough.
  ///
  /// A first packet that is late waits only for the rest of the allowed lateness. The first packet
  /// does not wait until the next packet arrives, because the next packet arrives while the buffer
  /// plays the first packet. So listeners hear a speaker after a pause, or a newly promoted
  /// speaker, without extra delay.
  private func hasGathered(at now: MonotonicTime) -> Bool {
    guard let first = firstWaiting else { return false }
    return transit(of: first, at: now) >= delay.wanted || depthUs >= targetUs
  }

  /// Begins to play, for the first time or after a pause.
  private mutating func begin(with first: Int64) {
    settle(before: first)
    skip(to: first)
    nextTimestamp = slots[slotIndex(first)].timestamp
    isPlaying = true
    pace.begin()
  }

  /// Decides whether losses or a pause caused the samples that the buffer played without packets.
  /// The buffer calls this method when the next packet has arrived.
  ///
  /// The buffer counts packets with missing numbers as lost, and also as concealed if their turn
  /// has passed. Without missing numbers, the timestamp shows either a pause or a late packet. A
  /// pause needed no concealment. The buffer also counts a late packet as lost, because the packet
  /// was missing at its turn.
  private mutating func settle(before first: Int64) {
    guard unexplained > 0 else { return }
    defer { unexplained = 0 }
    let missing = Int(min(first - next, Int64(unexplained / lastSampleCount)))
    counters.lost += missing
    counters.concealed += missing
    next += Int64(missing)
    nextTimestamp += Int64(missing * lastSampleCount)
    unexplained -= missing * lastSampleCount
    let pause = slots[slotIndex(first)].timestamp - nextTimestamp
    let late = Int(max(0, Int64(unexplained) - max(0, pause))) / lastSampleCount
    counters.lost += late
    counters.concealed += late
    if late > 0 { pace.begin() }
    if pause > 0 { nextTimestamp += min(pause, Int64(unexplained)) }
  }

  /// Skips packets that wait far longer than needed, for example after a stall.
  private mutating func catchUp(at now: MonotonicTime) {
    while waitingCount > 1, let first = firstWaiting,
      transit(of: first, at: now) &- delay.floor > targetUs + Self.maxExcessUs
    {
      settle(before: first)
      skip(to: first + 1)
      if let following = firstWaiting {
        skip(to: following)
        nextTimestamp = slots[slotIndex(following)].timestamp
      }
    }
  }

  /// Returns the time from a packet's timestamp to now, in microseconds, plus an unknown constant.
  private func transit(of number: Int64, at now: MonotonicTime) -> Int64 {
    now.microseconds &- slots[slotIndex(number)].timestamp * 1_000_000 / Int64(clockRate)
  }

  private mutating func takeNext(at now: MonotonicTime) -> PlayoutInstruction {
    settle(before: next)
    let slot = slots[slotIndex(next)]
    let pause = slot.timestamp - nextTimestamp
    // The buffer keeps a pause between waiting packets up to a limit. A longer pause means that the
    // timestamps jumped.
    if pause >= Int64(slot.sampleCount), concealedInARow * lastSampleCount < maxConcealedSamples {
      concealedInARow += 1
      nextTimestamp += Int64(slot.sampleCount)
      return .nothing
    }
    let step = step(with: slot, at: now)
    guard step != .later else { return insert() }
    let isShortened = step == .sooner && isWaiting(next + 1)
    let packet = PlayoutInstruction.Packet(slot: slotIndex(next), sampleCount: slot.sampleCount)
    slots[packet.slot].isWaiting = false
    waitingCount -= 1
    lastSampleCount = slot.sampleCount
    concealedInARow = 0
    hasBegun = true
    next += 1
    nextTimestamp = slot.timestamp + Int64(slot.sampleCount)
    guard isShortened else { return .packet(packet) }
    counters.discarded += 1
    return .shortened(packet)
  }

  /// Bridges the missing packets between the last played packet and the first waiting packet.
  private mutating func bridge(to first: Int64, at now: MonotonicTime) -> PlayoutInstruction {
    settle(before: first)
    guard next < first else { return takeNext(at: now) }
    guard concealedInARow * lastSampleCount < maxConcealedSamples else {
      skip(to: first)
      nextTimestamp = slots[slotIndex(first)].timestamp
      return takeNext(at: now)
    }
    counters.lost += 1
    next += 1
    nextTimestamp += Int64(lastSampleCount)
    concealedInARow += 1
    let slot = slots[slotIndex(first)]
    if next == first, slot.hasRedundancy {
      counters.recovered += 1
      return .redundancy(
        in: PlayoutInstruction.Packet(slot: slotIndex(first), sampleCount: slot.sampleCount),
        sampleCount: lastSampleCount)
    }
    counters.concealed += 1
    return .concealment(sampleCount: lastSampleCount)
  }

  /// Decides whether to delay or shorten the playout.
  ///
  /// With redundant packets, one more packet may wait. The copy of a lost packet is in the next
  /// packet, which must arrive before the lost packet's turn.
  private mutating func step(with slot: JitterBufferSlot, at now: MonotonicTime) -> PlayoutPace.Step
  {
    copyPulls = slot.hasRedundancy ? Self.maxCopyPulls : max(0, copyPulls - 1)
    let packetUs = microseconds(lastSampleCount)
    let spareUs = copyPulls > 0 ? 2 * packetUs : packetUs
    return pace.step(
      transitUs: transit(of: next, at: now), minUs: delay.least, maxUs: delay.wanted + spareUs,
      packetUs: packetUs)
  }

  /// Delays the playout of all remaining packets by the length of one packet.
  private mutating func insert() -> PlayoutInstruction {
    counters.concealed += 1
    return .concealment(sampleCount: lastSampleCount)
  }
}

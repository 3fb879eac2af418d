/// Turns audio packets that come early, late, twice, in disorder or never into an even stream.
///
/// One side puts packets in as they arrive, the other pulls what to play next at the pace of its
/// own clock. How long packets wait follows the jitter: as long as 99 in 100 of them need. It
/// follows within two seconds, in the middle of speech too: where packets wait too little, one more
/// is made up before the next, at most every fifth time. A pause in which the sender sends nothing
/// (its sequence numbers go on without a gap, its timestamps jump) is no loss. A packet that comes
/// just after its time is played nevertheless, as long as nothing else waits: the stream is
/// stretched by what was concealed. Where too much waits, because of that, since the jitter is over
/// or since the sender's clock is faster, two packets are played in the time of one, at most once a
/// second; and where far too much waits, the oldest are skipped.
///
/// It holds 64 packets, and keeps their memory for those that follow.
public struct JitterBuffer {
  /// What became of a packet.
  public enum Arrival: Hashable, Sendable {
    /// It waits for its time.
    case accepted
    /// It is here already.
    case duplicate
    /// Its time has passed.
    case late
    /// Too long, or its number is far from the others. Two such in a row start the stream anew.
    case refused
  }

  /// Longer packets are refused: no Ethernet frame carries more.
  public static let maxPayloadBytes = 1_500
  /// The most that the jitter lets packets wait, in microseconds: a lateness of 240 ms and a packet
  /// of 60 ms.
  public static let maxDelayUs: Int64 = 300_000
  /// Packets are skipped when they wait this much longer than they need, in microseconds.
  public static let maxExcessUs: Int64 = 200_000
  /// The most that is made up for in a row, in milliseconds: then silence is better.
  public static let maxConcealment_ms = 100
  /// A number this far ahead is of another stream (RFC 3550, appendix A.1).
  public static let maxDropout: Int64 = 3_000
  /// So is one this far behind.
  public static let maxMisorder: Int64 = 100

  static let capacity = 64

  /// Samples per second.
  public let clockRate: Int

  /// What went through the buffer since it was made.
  public internal(set) var counters = JitterBufferCounters()

  var slots: [JitterBufferSlot] = []
  var waitingCount = 0
  private(set) var unwrapper = SequenceUnwrapper()
  private var strayFollower: SequenceNumber?
  private var lastTimestamp: Int64 = 0
  private var lastTransit: Int64?
  private var scaledJitter: Int64 = 0
  var delay = PlayoutDelay()

  /// The number of the packet whose turn it is.
  var next: Int64 = 0
  /// When it was recorded, in samples.
  var nextTimestamp: Int64 = 0
  /// Whether packets were played, or thrown away, before `next`.
  var hasBegun = false
  /// Copies of packets before this number are refused: nobody was to hear them. The packet that
  /// comes next sets it.
  private var firstCopied = Int64.max

  /// Numbers below this one were asked for, or need not be.
  var firstUnasked = Int64.min
  var isPlaying = false
  /// When the first packet came that waits for others to be gathered.
  var gatheringSince: MediaTime?
  /// Samples played for want of a packet, not yet known as loss or as pause.
  var unexplained = 0
  /// Packets concealed in a row.
  var concealedInARow = 0
  var lastSampleCount = 960
  var pace = PlayoutPace()
  /// Pulls for which packets are taken to hold copies: a while after the last one that did.
  var copyPulls = 0

  /// - Parameter clockRate: Samples per second, and ticks of the timestamps.
  public init(clockRate: Int = 48_000) {
    precondition(clockRate >= 1_000, "A clock rate is at least 1 kHz.")
    self.clockRate = clockRate
  }

  /// Whether there is anything to play or to make up for.
  public var isActive: Bool { isPlaying || waitingCount > 0 }

  /// How unevenly packets come (RFC 3550, section 6.4.1), in microseconds.
  public var jitterUs: Int64 { scaledJitter >> 4 }

  /// How long packets wait at the most, in microseconds: as late as nearly all are, and a packet.
  public var targetUs: Int64 {
    min(delay.latenessUs + microseconds(lastSampleCount), Self.maxDelayUs)
  }

  /// The sound that waits, gaps included, in microseconds.
  public var depthUs: Int64 {
    guard waitingCount > 0, let first = firstWaiting, let highest = unwrapper.highest else {
      return 0
    }
    let last = slots[slotIndex(highest)]
    return microseconds(Int(last.timestamp - slots[slotIndex(first)].timestamp) + last.sampleCount)
  }

  /// Takes a packet.
  ///
  /// - Parameters:
  ///   - sampleCount: What it holds, per channel: at most 120 ms.
  ///   - note: Kept with it, for who pulls it.
  ///   - hasRedundancy: Whether it holds a copy of the packet before it.
  public mutating func put(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, sampleCount: Int,
    arrival: MediaTime, note: UInt8 = 0, hasRedundancy: Bool = false
  ) -> Arrival {
    counters.received += 1
    guard payload.count <= Self.maxPayloadBytes, sampleCount > 0,
      sampleCount <= clockRate * 120 / 1_000, belongs(sequence)
    else {
      counters.refused += 1
      return .refused
    }
    let number = unwrapper.peek(sequence)
    if !slots.isEmpty, slots[slotIndex(number)].number == number {
      counters.duplicate += 1
      return .duplicate
    }
    let recorded = unwrap(timestamp)
    time(recorded, arrival)
    guard isInTime(number) else {
      counters.late += 1
      return .late
    }
    _ = unwrapper.unwrap(sequence)
    firstCopied = min(firstCopied, number)
    begin(with: number, at: arrival)
    makeRoom(for: number)
    if slots.isEmpty { slots = Array(repeating: JitterBufferSlot(), count: Self.capacity) }
    slots[slotIndex(number)].fill(
      number, payload, timestamp: recorded, sampleCount: sampleCount, arrival: arrival, note: note,
      hasRedundancy: hasRedundancy)
    waitingCount += 1
    return .accepted
  }

  /// Takes a copy of a packet, which a later packet brought along (RFC 2198), if the packet itself
  /// has not come.
  ///
  /// A copy always comes later than its packet, so its arrival says nothing of the jitter.
  ///
  /// - Parameters:
  ///   - sequence: Of the packet that was copied. A later one is here already.
  ///   - sampleCount: What it holds, per channel: at most 120 ms.
  ///   - note: Kept with it, for who pulls it.
  public mutating func putCopy(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, sampleCount: Int,
    arrival: MediaTime, note: UInt8 = 0
  ) -> Arrival {
    let number = unwrapper.peek(sequence)
    guard payload.count <= Self.maxPayloadBytes, sampleCount > 0,
      sampleCount <= clockRate * 120 / 1_000, let highest = unwrapper.highest, number < highest,
      !slots.isEmpty
    else { return .refused }
    guard slots[slotIndex(number)].number != number else { return .duplicate }
    guard isInTime(number), number >= firstCopied else { return .late }
    let recorded = unwrap(timestamp)
    guard fits(number, recorded, sampleCount) else { return .refused }
    begin(with: number, at: arrival)
    slots[slotIndex(number)].fill(
      number, payload, timestamp: recorded, sampleCount: sampleCount, arrival: arrival, note: note,
      hasRedundancy: false)
    waitingCount += 1
    counters.recovered += 1
    return .accepted
  }

  /// Whether sound ends where the packet with the next number begins, as far as that is here. A
  /// pause lies between packets whose numbers follow one another.
  private func fits(_ number: Int64, _ recorded: Int64, _ sampleCount: Int) -> Bool {
    let following = slots[slotIndex(number + 1)]
    return following.number != number + 1
      || following.timestamp - recorded == Int64(sampleCount)
  }

  /// Notes when a packet came that is not to be played: so it is known how evenly they come before
  /// the first one is. Throws away what waits. The packet itself may still be put in afterwards.
  public mutating func follow(
    sequence: SequenceNumber, timestamp: UInt32, arrival: MediaTime
  ) {
    guard belongs(sequence) else { return }
    let number = unwrapper.peek(sequence)
    guard unwrapper.highest.map({ number > $0 }) ?? true else { return }
    if isActive { discardAll() }
    firstCopied = .max
    time(unwrap(timestamp), arrival)
    _ = unwrapper.unwrap(sequence)
    next = number
    hasBegun = true
  }

  /// Throws away what waits. What comes later with a number that was seen is late.
  public mutating func discardAll() {
    firstCopied = .max
    guard let highest = unwrapper.highest else { return }
    for index in slots.indices where slots[index].isWaiting { slots[index].isWaiting = false }
    waitingCount = 0
    next = highest + 1
    hasBegun = true
    stop()
    unexplained = 0
  }

  /// Lends the bytes of a packet that was pulled last.
  public func withPayload<R, E: Error>(
    of packet: Playout.Packet, _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let bytes = slots[packet.slot].bytes
    return try body(bytes.span.extracting(0..<slots[packet.slot].byteCount))
  }

  /// The note that a packet was put in with.
  public func note(of packet: Playout.Packet) -> UInt8 { slots[packet.slot].note }

  /// When a packet came.
  public func arrival(of packet: Playout.Packet) -> MediaTime { slots[packet.slot].arrival }

  func slotIndex(_ number: Int64) -> Int { Int(number & Int64(Self.capacity - 1)) }

  func isWaiting(_ number: Int64) -> Bool {
    let index = slotIndex(number)
    return slots[index].isWaiting && slots[index].number == number
  }

  /// The number of the first packet that waits.
  var firstWaiting: Int64? {
    guard waitingCount > 0 else { return nil }
    // All numbers that wait are within the capacity from the next one.
    for number in next..<next + Int64(Self.capacity) where isWaiting(number) { return number }
    return nil
  }

  func microseconds(_ samples: Int) -> Int64 { Int64(samples) * 1_000_000 / Int64(clockRate) }

  mutating func stop() {
    isPlaying = false
    gatheringSince = nil
    concealedInARow = 0
  }

  /// Whether a number is of this stream; two in a row of another one start it anew.
  private mutating func belongs(_ sequence: SequenceNumber) -> Bool {
    guard let highest = unwrapper.highest else { return true }
    let step = unwrapper.peek(sequence) - highest
    guard step > Self.maxDropout || step < -Self.maxMisorder else {
      strayFollower = nil
      return true
    }
    guard sequence == strayFollower else {
      strayFollower = sequence.advanced(by: 1)
      return false
    }
    let counters = counters
    let slots = slots
    self = JitterBuffer(clockRate: clockRate)
    self.counters = counters
    self.slots = slots
    for index in self.slots.indices { self.slots[index].forget() }
    return true
  }

  /// A timestamp without its wraps.
  private func unwrap(_ timestamp: UInt32) -> Int64 {
    let step = Int32(truncatingIfNeeded: Int64(timestamp) &- lastTimestamp)
    let recorded = lastTimestamp + Int64(step)
    // 265 days at 48 kHz: nobody gets there but by jumping.
    return abs(recorded) < 1 << 40 ? recorded : Int64(timestamp)
  }

  /// Whether its turn is still to come, and there is room for it beside the others.
  private func isInTime(_ number: Int64) -> Bool {
    if let highest = unwrapper.highest, number <= highest - Int64(Self.capacity) { return false }
    return number >= next || !hasBegun
  }

  /// Notes how even its arrival is.
  private mutating func time(_ recorded: Int64, _ arrival: MediaTime) {
    let transit = arrival.microseconds &- recorded * 1_000_000 / Int64(clockRate)
    if let lastTransit, abs(transit &- lastTransit) < PlayoutDelay.jumpUs {
      scaledJitter += abs(transit - lastTransit) - ((scaledJitter + 8) >> 4)
    }
    lastTransit = transit
    lastTimestamp = recorded
    delay.note(transit: transit, at: arrival)
  }

  private mutating func begin(with number: Int64, at arrival: MediaTime) {
    if !hasBegun { next = waitingCount == 0 ? number : min(next, number) }
    if !isPlaying, gatheringSince == nil { gatheringSince = arrival }
  }

  /// Skips the oldest packets where a number is too far ahead to wait beside them.
  private mutating func makeRoom(for number: Int64) {
    guard number - next >= Int64(Self.capacity) else { return }
    skip(to: number - Int64(Self.capacity) + 1)
  }

  /// Gives up the packets before a number: those that wait are discarded, the others lost.
  mutating func skip(to number: Int64) {
    let gap = number - next
    var discarded = 0
    // No more than the capacity can wait, however far ahead the number is.
    // Where code is not optimised, a loop over a range of `Int64` allocates; one of `Int` does not.
    for offset in 0..<max(0, Int(min(gap, Int64(Self.capacity)))) {
      let skipped = next + Int64(offset)
      guard isWaiting(skipped) else { continue }
      slots[slotIndex(skipped)].isWaiting = false
      discarded += 1
    }
    waitingCount -= discarded
    counters.discarded += discarded
    counters.lost += Int(gap) - discarded
    next = number
    nextTimestamp += gap * Int64(lastSampleCount)
    hasBegun = true
  }
}

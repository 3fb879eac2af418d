/// Turns audio packets into an even stream, although packets may be early, late, duplicate, out of
/// order or lost.
///
/// One caller puts packets in as they arrive. Another caller pulls the next playout at the pace of
/// its own clock. The buffer adapts the waiting time of packets to the jitter, so that 99 % arrive
/// in time. The buffer adapts within 2 s, also during speech. If packets wait too briefly, the
/// buffer inserts one concealed packet before the next packet, at most before every fifth packet.
/// If the wait is too short by more than a packet's length, the buffer inserts one concealed packet
/// before every second packet.
///
/// While a sender pauses, the sender's timestamps advance and the sequence numbers do not, so a
/// pause does not count as a loss. The buffer still plays a packet that arrives just after its turn
/// if no other packet waits. Playing such a late packet stretches the stream by the concealed part.
/// If too many packets wait, the buffer plays two packets in the time of one packet, at most once
/// per second. There are three causes of too many waiting packets: stretching, jitter, and a
/// sender's clock that is faster than the clock of the caller that pulls. If far too many packets
/// wait, the buffer skips the oldest packets.
///
/// The buffer contains at most 64 packets, and reuses their memory.
public struct JitterBuffer {
  /// The buffer's decision about a packet.
  public enum Arrival: Hashable, Sendable {
    /// The packet waits for its turn.
    case accepted
    /// The packet is a duplicate.
    case duplicate
    /// The packet's turn has passed.
    case late
    /// The packet is too long, or its sequence number is implausible.
    ///
    /// Two consecutive packets of this kind restart the stream.
    case refused
  }

  /// The size above which the buffer refuses packets. An Ethernet frame contains at most 1,500
  /// bytes.
  public static let maxPayloadBytes = 1_500
  /// The longest wait because of jitter, in microseconds: a lateness of 240 ms and a packet of
  /// 60 ms.
  public static let maxDelayUs: Int64 = 300_000
  /// The excess waiting time above which the buffer skips packets, in microseconds.
  public static let maxExcessUs: Int64 = 200_000
  /// The longest uninterrupted concealment, in milliseconds. Silence sounds better than a longer
  /// concealment.
  public static let maxConcealment_ms = 100
  /// The maximum distance of a packet's number ahead of the highest number so far. A number further
  /// ahead belongs to another stream (RFC 3550, appendix A.1).
  public static let maxDropout: Int64 = 3_000
  /// The maximum distance of a packet's number behind the highest number so far. A number further
  /// behind belongs to another stream.
  public static let maxMisorder: Int64 = 100

  static let capacity = 64
  /// The number of pulls, after a packet with a copy, for which the buffer assumes that packets
  /// contain copies: 5 s of 20 ms packets.
  static let maxCopyPulls = 250

  /// The samples per second.
  public let clockRate: Int

  /// The counters since the buffer's creation.
  public internal(set) var counters = JitterBufferCounters()

  var slots: [JitterBufferSlot] = []
  var waitingCount = 0
  private(set) var unwrapper = SequenceUnwrapper()
  private var strayFollower: SequenceNumber?
  private var lastTimestamp: Int64 = 0
  private var lastTransit: Int64?
  private var scaledJitter: Int64 = 0
  var delay = PlayoutDelayEstimator()

  /// The number of the next packet to play.
  var next: Int64 = 0
  /// The timestamp of the next packet, in samples.
  var nextTimestamp: Int64 = 0
  /// Whether the buffer has played or discarded packets before `next`.
  var hasBegun = false
  /// The buffer refuses copies of packets below this number. When the packets below this number
  /// arrived, the caller did not intend to play them.
  ///
  /// The next received packet sets this number.
  private var firstCopied = Int64.max

  /// A packet number. The buffer has already requested each missing packet below this number, or
  /// the packet needs no request.
  var firstUnasked = Int64.min
  var isPlaying = false
  /// The number of samples that the buffer has played without a packet, and has not yet attributed
  /// to a loss or a pause.
  var unexplained = 0
  /// The number of packets concealed in a row.
  var concealedInARow = 0
  var lastSampleCount = 960
  var pace = PlayoutPace()
  /// The number of further pulls for which the buffer assumes that packets contain copies.
  var copyPulls = 0

  /// - Parameter clockRate: The samples per second, which are also the timestamp ticks.
  public init(clockRate: Int = 48_000) {
    precondition(clockRate >= 1_000, "A clock rate is at least 1 kHz.")
    self.clockRate = clockRate
  }

  /// Whether the buffer has anything to play or to conceal.
  public var isActive: Bool { isPlaying || waitingCount > 0 }

  /// The interarrival jitter (RFC 3550, section 6.4.1), in microseconds.
  public var jitterUs: Int64 { scaledJitter >> 4 }

  /// The longest waiting time of packets in microseconds: a lateness such that at most 1 % of
  /// packets are later, plus the length of a packet.
  public var targetUs: Int64 {
    min(delay.latenessUs + microseconds(lastSampleCount), Self.maxDelayUs)
  }

  /// The length of the waiting audio including gaps, in microseconds.
  public var depthUs: Int64 {
    guard waitingCount > 0, let first = firstWaiting, let highest = unwrapper.highest else {
      return 0
    }
    let last = slots[slotIndex(highest)]
    return microseconds(Int(last.timestamp - slots[slotIndex(first)].timestamp) + last.sampleCount)
  }

  /// Adds a packet.
  ///
  /// - Parameters:
  ///   - sampleCount: The samples per channel: at most 120 ms.
  ///   - note: A value stored with the packet for the caller of `pull`.
  ///   - hasRedundancy: Whether the packet contains a copy of the previous packet.
  public mutating func put(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, sampleCount: Int,
    arrival: MonotonicTime, note: UInt8 = 0, hasRedundancy: Bool = false
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
    begin(with: number)
    makeRoom(for: number)
    if slots.isEmpty { slots = Array(repeating: JitterBufferSlot(), count: Self.capacity) }
    slots[slotIndex(number)].fill(
      number, payload, timestamp: recorded, sampleCount: sampleCount, arrival: arrival, note: note,
      hasRedundancy: hasRedundancy)
    waitingCount += 1
    return .accepted
  }

  /// Adds a copy of a packet, taken from a later packet (RFC 2198), if the packet itself is
  /// missing.
  ///
  /// A copy always arrives later than the original packet would arrive, so the copy's arrival time
  /// does not affect the jitter.
  ///
  /// - Parameters:
  ///   - sequence: The number of the copied packet. A later packet has already arrived.
  ///   - sampleCount: The samples per channel: at most 120 ms.
  ///   - note: A value stored with the packet for the caller of `pull`.
  public mutating func putCopy(
    _ payload: Span<UInt8>, sequence: SequenceNumber, timestamp: UInt32, sampleCount: Int,
    arrival: MonotonicTime, note: UInt8 = 0
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
    begin(with: number)
    slots[slotIndex(number)].fill(
      number, payload, timestamp: recorded, sampleCount: sampleCount, arrival: arrival, note: note,
      hasRedundancy: false)
    waitingCount += 1
    counters.recovered += 1
    return .accepted
  }

  /// Returns whether the audio of a packet ends where the next packet begins; true if the next
  /// packet has not arrived.
  ///
  /// The sender may pause between two packets with consecutive numbers.
  private func fits(_ number: Int64, _ recorded: Int64, _ sampleCount: Int) -> Bool {
    let following = slots[slotIndex(number + 1)]
    return following.number != number + 1
      || following.timestamp - recorded == Int64(sampleCount)
  }

  /// Records the arrival of a packet that the buffer will not play, so that the buffer knows the
  /// jitter before playout begins.
  ///
  /// Discards all waiting packets. The caller may still add this packet with `put` afterwards.
  public mutating func follow(
    sequence: SequenceNumber, timestamp: UInt32, arrival: MonotonicTime
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

  /// Discards all waiting packets. Afterwards, the buffer counts packets up to the highest received
  /// number as late.
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

  /// Passes the bytes of the last pulled packet to `body`.
  public func withPayload<R, E: Error>(
    of packet: PlayoutInstruction.Packet, _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let bytes = slots[packet.slot].bytes
    return try body(bytes.span.extracting(0..<slots[packet.slot].byteCount))
  }

  /// Returns the note stored with a packet.
  public func note(of packet: PlayoutInstruction.Packet) -> UInt8 { slots[packet.slot].note }

  /// Returns the arrival time of a packet.
  public func arrival(of packet: PlayoutInstruction.Packet) -> MonotonicTime {
    slots[packet.slot].arrival
  }

  func slotIndex(_ number: Int64) -> Int { Int(number & Int64(Self.capacity - 1)) }

  func isWaiting(_ number: Int64) -> Bool {
    let index = slotIndex(number)
    return slots[index].isWaiting && slots[index].number == number
  }

  /// The number of the first waiting packet.
  var firstWaiting: Int64? {
    guard waitingCount > 0 else { return nil }
    // All waiting packets have numbers from `next` up to `next` plus the capacity.
    for number in next..<next + Int64(Self.capacity) where isWaiting(number) { return number }
    return nil
  }

  func microseconds(_ samples: Int) -> Int64 { Int64(samples) * 1_000_000 / Int64(clockRate) }

  mutating func stop() {
    isPlaying = false
    concealedInARow = 0
  }

  /// Returns whether a number belongs to this stream. After two consecutive numbers of another
  /// stream, the buffer restarts with that stream.
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

  /// Returns the unwrapped timestamp.
  private func unwrap(_ timestamp: UInt32) -> Int64 {
    let step = Int32(truncatingIfNeeded: Int64(timestamp) &- lastTimestamp)
    let recorded = lastTimestamp + Int64(step)
    // The limit is 265 days at 48 kHz. Only a jump of the timestamps can exceed this limit.
    return abs(recorded) < 1 << 40 ? recorded : Int64(timestamp)
  }

  /// Returns whether a packet's turn has not passed and the buffer has room for the packet.
  private func isInTime(_ number: Int64) -> Bool {
    if let highest = unwrapper.highest, number <= highest - Int64(Self.capacity) { return false }
    return number >= next || !hasBegun
  }

  /// Updates the jitter and the delay with the arrival of a packet.
  private mutating func time(_ recorded: Int64, _ arrival: MonotonicTime) {
    let transit = arrival.microseconds &- recorded * 1_000_000 / Int64(clockRate)
    if let lastTransit, abs(transit &- lastTransit) < PlayoutDelayEstimator.jumpUs {
      scaledJitter += abs(transit - lastTransit) - ((scaledJitter + 8) >> 4)
    }
    lastTransit = transit
    lastTimestamp = recorded
    delay.note(transit: transit, at: arrival)
  }

  private mutating func begin(with number: Int64) {
    if !hasBegun { next = waitingCount == 0 ? number : min(next, number) }
  }

  /// Skips the oldest packets if a number is so far ahead that the buffer has no room for the
  /// packet with this number.
  private mutating func makeRoom(for number: Int64) {
    guard number - next >= Int64(Self.capacity) else { return }
    skip(to: number - Int64(Self.capacity) + 1)
  }

  /// Skips the packets before a number. The buffer counts a skipped packet as discarded if the
  /// packet was waiting, and as lost if the packet was missing.
  mutating func skip(to number: Int64) {
    let gap = number - next
    var discarded = 0
    // At most `capacity` packets can wait, however far `number` is ahead of `next`. The loop counts
    // with `Int`, because without optimisation a loop over a range of `Int64` allocates.
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

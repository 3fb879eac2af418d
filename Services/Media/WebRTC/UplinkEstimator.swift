import RTP

/// The estimate of the link from a browser whose packets have no transport-wide numbers.
///
/// `media` sends this estimate to the browser (REMB), because the browser itself does not measure
/// the queue of this link. The estimate is ``unlimited`` until the link is congested for the first
/// time. In a congestion, the estimate falls below the bitrate at which packets arrive. Afterwards,
/// the estimate rises by 8 % per second, as in draft-ietf-rmcat-gcc-02, section 5.5.
///
/// Two signals show a congestion:
///
/// - *Delay.* The delay of a packet is the time from its sending to its arrival. The link is
///   congested if the least delay within ``interval`` exceeds the least delay of the last 30 s by
///   more than ``longestQueue``. This difference is the queuing delay. The time of sending is in
///   the header extension `abs-send-time`. Without this extension, the estimator uses the RTP
///   timestamp of a frame's first packet.
/// - *Loss.* More than a tenth of the packets are lost within ``lossPeriod`` (section 6 of the
///   draft).
struct UplinkEstimator: Sendable {
  /// An estimate that is so high that it limits no browser, in bit/s.
  static let unlimited = PublisherBandwidthEstimateRelay.unlimited

  /// The lowest estimate, in bit/s.
  static let floor = 100_000

  /// The estimate, in bit/s.
  private(set) var bitsPerSecond = unlimited

  private var rate = RateMeter()

  /// The streams of the browser, by SSRC.
  private var streams: [UInt32: Stream] = [:]

  /// The transit times of the packets of all streams that have `abs-send-time`.
  private var connection = TransitTimes()

  /// The least queuing delay in the present interval, in microseconds; `nil` before the interval's
  /// first packet with a time of sending.
  private var leastQueue: Int64?
  private var expected = 0
  private var arrived = 0
  private var intervalStart: MonotonicTime?
  private var lossStart: MonotonicTime?
  private var lastDecrease: MonotonicTime?

  /// The period over which the estimator takes the least queuing delay, in microseconds.
  private static let interval: Int64 = 200_000

  /// The period over which the estimator counts losses, in microseconds.
  private static let lossPeriod: Int64 = 1_000_000

  /// The queuing delay above which the link is congested, and the queuing delay below which the
  /// estimate rises, in microseconds.
  private static let longestQueue: Int64 = 80_000
  private static let shortQueue: Int64 = 40_000

  /// The time after a decrease within which the estimate does not change, in microseconds. The
  /// link's queue becomes shorter within this time.
  private static let pause: Int64 = 1_000_000

  private static let growthPerSecond = 0.08

  /// The maximum number of streams. A browser has at most seven: three layers, their
  /// retransmissions, and sound.
  private static let mostStreams = 8

  private struct Stream: Sendable {
    var numbers = SequenceUnwrapper()
    var transits = TransitTimes()
  }

  /// The transit times of packets. The values of the sender's clock wrap around.
  private struct TransitTimes: Sendable {
    private var base = BaseDelayFilter()
    private var last: (raw: UInt32, sentAt: Int64)?

    /// Records a packet, and returns its queuing delay.
    ///
    /// - Parameters:
    ///   - elapsed: Returns the time from one value of the clock to another, in microseconds.
    ///   - newerOnly: Whether to ignore a packet that is not newer than the last packet.
    /// - Returns: The difference between the packet's transit time and the least transit time, in
    ///   microseconds; `nil` for an ignored packet.
    mutating func queue(
      of raw: UInt32, at now: MonotonicTime, newerOnly: Bool, elapsed: (UInt32, UInt32) -> Int64
    ) -> Int64? {
      var sentAt = now.microseconds
      if let last {
        let step = elapsed(last.raw, raw)
        guard step > 0 || !newerOnly else { return nil }
        // After a jump of the sender's clock, earlier times have no meaning.
        let isJump = abs(step) > Self.longestStep
        if isJump { base = BaseDelayFilter() } else { sentAt = last.sentAt + step }
      }
      last = (raw, sentAt)
      let transit = now.microseconds - sentAt
      base.take(transit, at: now)
      return transit - (base.least ?? transit)
    }

    /// The maximum step of a clock without a jump, in microseconds.
    private static let longestStep: Int64 = 10_000_000
  }

  /// Records the arrival of a packet of video or of sound, or of a retransmission.
  ///
  /// - Parameters:
  ///   - bytes: The size of the packet.
  ///   - absoluteSendTime: The value of the header extension `abs-send-time`: 24 bits, in units of
  ///     2^-18 s; `nil` if the packet lacks this extension.
  ///   - videoTimestamp: The RTP timestamp of a packet of video, in units of 1/90,000 s; `nil` for
  ///     other packets.
  mutating func receive(
    ssrc: UInt32, _ sequence: SequenceNumber, bytes: Int, absoluteSendTime: UInt32?,
    videoTimestamp: UInt32?, at now: MonotonicTime
  ) {
    rate.add(bytes, at: now)
    // The measured bitrate is incomplete in the first second, so the estimate does not change
    // within this second.
    lastDecrease = lastDecrease ?? now
    if streams[ssrc] == nil, streams.count < Self.mostStreams { streams[ssrc] = Stream() }
    count(sequence, of: ssrc)
    let queue: Int64?
    if let absoluteSendTime {
      queue = connection.queue(
        of: absoluteSendTime, at: now, newerOnly: false, elapsed: Self.absoluteStep)
    } else if let videoTimestamp {
      queue = streams[ssrc]?.transits.queue(
        of: videoTimestamp, at: now, newerOnly: true, elapsed: Self.videoStep)
    } else {
      queue = nil
    }
    if let queue { leastQueue = min(leastQueue ?? queue, queue) }
    advance(to: now)
  }

  private static func absoluteStep(from former: UInt32, to next: UInt32) -> Int64 {
    let ticks = Int32(bitPattern: (next &- former) << 8) >> 8
    return Int64(ticks) * 1_000_000 / (1 << 18)
  }

  private static func videoStep(from former: UInt32, to next: UInt32) -> Int64 {
    Int64(Int32(bitPattern: next &- former)) * 1_000 / 90
  }

  /// Counts a packet as expected and arrived. A packet that arrives late counts only as arrived.
  private mutating func count(_ sequence: SequenceNumber, of ssrc: UInt32) {
    guard var stream = streams[ssrc] else { return }
    let former = stream.numbers.highest
    let number = stream.numbers.unwrap(sequence)
    streams[ssrc] = stream
    arrived += 1
    guard let former else { return expected += 1 }
    // A sender that restarts has lost nothing.
    let step = number - former
    if step > 0 { expected += step > Self.longestGap ? 1 : Int(step) }
  }

  /// The longest gap in the sequence numbers that counts as a loss. After a longer gap, the sender
  /// has restarted.
  private static let longestGap: Int64 = 1_000

  // MARK: The estimate

  private mutating func advance(to now: MonotonicTime) {
    let lossStart = lossStart ?? now
    self.lossStart = lossStart
    if now.microseconds(since: lossStart) >= Self.lossPeriod { takeLosses(at: now) }
    let start = intervalStart ?? now
    intervalStart = start
    let passed = now.microseconds(since: start)
    guard passed >= Self.interval, let queue = leastQueue else { return }
    (intervalStart, leastQueue) = (now, nil)
    guard !isPausing(at: now) else { return }
    if queue > Self.longestQueue {
      decrease(to: rate.perSecond(at: now) * 8 / 100 * 85, at: now)
    } else if queue < Self.shortQueue {
      let growth = Double(min(passed, Self.lossPeriod)) / 1_000_000 * Self.growthPerSecond
      bitsPerSecond = min(Self.unlimited, Int(Double(bitsPerSecond) * (1 + growth)))
    }
  }

  private mutating func takeLosses(at now: MonotonicTime) {
    let lost = Double(max(0, expected - arrived)) / Double(max(expected, 1))
    (expected, arrived, lossStart) = (0, 0, now)
    guard lost > 0.1, !isPausing(at: now) else { return }
    let present = min(bitsPerSecond, rate.perSecond(at: now) * 8)
    decrease(to: Int(Double(present) * (1 - lost / 2)), at: now)
  }

  private func isPausing(at now: MonotonicTime) -> Bool {
    lastDecrease.map { now.microseconds(since: $0) < Self.pause } ?? false
  }

  private mutating func decrease(to bits: Int, at now: MonotonicTime) {
    bitsPerSecond = max(Self.floor, min(bitsPerSecond, bits))
    lastDecrease = now
  }
}

/// The reception quality of a stream: loss and jitter (RFC 3550, appendices A.1, A.3 and A.8).
public struct ReceptionStatistics: Sendable {
  /// The timestamp ticks per second.
  public let clockRate: UInt32

  /// The number of received packets, duplicates included.
  public private(set) var received: Int64 = 0

  private var first: Int64 = 0
  private var unwrapper = SequenceUnwrapper()

  /// The number after an implausible number. If the next packet has this number, the stream has
  /// restarted.
  private var suspect: SequenceNumber?

  /// 16 times the jitter, in ticks.
  private var scaledJitter: Int64 = 0
  private var lastTransit: Int64?

  private var reported = (expected: Int64(0), received: Int64(0))
  private var senderReport: (middle: UInt32, at: MonotonicTime)?

  /// The maximum distance ahead of the highest number. A number further ahead is implausible.
  static let maximumDropout = 3_000

  /// The maximum distance behind the highest number. A number further behind is implausible. The
  /// distance leaves room for retransmissions.
  static let maximumMisorder = 512

  /// Creates statistics of a stream without packets.
  ///
  /// - Parameter clockRate: The timestamp ticks per second.
  public init(clockRate: UInt32) {
    self.clockRate = max(clockRate, 1)
  }

  /// The number of packets that the sender has sent, according to the sequence numbers.
  public var expected: Int64 { unwrapper.highest.map { $0 - first + 1 } ?? 0 }

  /// The number of lost packets; negative if duplicates outnumber losses.
  public var lost: Int64 { expected - received }

  /// Interarrival jitter in ticks.
  public var jitter: UInt32 { UInt32(clamping: scaledJitter >> 4) }

  /// Interarrival jitter in microseconds.
  public var jitterUs: Int64 { Int64(jitter) * 1_000_000 / Int64(clockRate) }

  /// The highest sequence number in the low 16 bits, and the number of wraps in the high 16 bits.
  public var highestSequence: UInt32 { UInt32(truncatingIfNeeded: unwrapper.highest ?? 0) }

  /// The result of recording a packet.
  public enum Arrival: Hashable, Sendable {
    /// The statistics include the packet.
    case counted

    /// The packet's number is implausible, and the statistics do not include the packet.
    case implausible

    /// The packet's number directly follows the implausible number of the previous packet. The
    /// stream has restarted, and the statistics restart with this packet (RFC 3550, appendix A.1).
    case restarted
  }

  /// Records the arrival of a packet.
  @discardableResult
  public mutating func receive(
    _ sequence: SequenceNumber, timestamp: UInt32, at now: MonotonicTime
  ) -> Arrival {
    var arrival = Arrival.counted
    if let highest = unwrapper.highest {
      let distance = unwrapper.peek(sequence) - highest
      let isNear = distance >= -Int64(Self.maximumMisorder) && distance <= Self.maximumDropout
      guard isNear || sequence == suspect else {
        suspect = sequence.advanced(by: 1)
        return .implausible
      }
      if !isNear {
        restart(at: sequence)
        arrival = .restarted
      }
    } else {
      first = Int64(sequence.rawValue)
    }
    suspect = nil
    _ = unwrapper.unwrap(sequence)
    received += 1
    measureJitter(timestamp, at: now)
    return arrival
  }

  /// Records the arrival of a sender report of the stream.
  public mutating func receive(_ report: SenderReport, at now: MonotonicTime) {
    senderReport = (report.time.middle, now)
  }

  /// Returns a report for the sender, and starts the period of the next report.
  public mutating func takeReport(ssrc: UInt32, at now: MonotonicTime) -> ReportBlock {
    let expectedNow = expected - reported.expected
    let lostNow = expectedNow - (received - reported.received)
    reported = (expected, received)
    let fraction = expectedNow > 0 && lostNow > 0 ? min(lostNow * 256 / expectedNow, 255) : 0
    return ReportBlock(
      ssrc: ssrc, fractionLost: UInt8(fraction), cumulativeLost: Int32(clamping: lost),
      highestSequence: highestSequence, jitter: jitter,
      lastSenderReport: senderReport?.middle ?? 0,
      delaySinceLastSenderReport: senderReport.map {
        NTPTime.units(microseconds: now.microseconds(since: $0.at))
      } ?? 0)
  }

  private mutating func restart(at sequence: SequenceNumber) {
    let rate = clockRate
    self = ReceptionStatistics(clockRate: rate)
    first = Int64(sequence.rawValue)
  }

  private mutating func measureJitter(_ timestamp: UInt32, at now: MonotonicTime) {
    let (seconds, rest) = now.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let rate = Int64(clockRate)
    let arrival = UInt32(truncatingIfNeeded: seconds &* rate &+ rest * rate / 1_000_000)
    let transit = Int64(arrival &- timestamp)
    defer { lastTransit = transit }
    guard let lastTransit else { return }
    let difference = abs(Int64(Int32(truncatingIfNeeded: transit &- lastTransit)))
    // A jump of the clock is not jitter.
    guard difference < 10 * rate else { return }
    scaledJitter += difference - ((scaledJitter + 8) >> 4)
  }
}

/// Which packets of a stream are missing, and when to ask for them again (RFC 4585).
///
/// A number is missing when a later one came. It is asked for once ``Rules/reordering`` has passed,
/// and again every ``Rules/interval``, until it comes, or it was asked for ``Rules/attempts``
/// times, or ``Rules/patience`` has passed. Then it is given up: the stream needs a key frame. The
/// same when more than ``Rules/capacity`` are missing at a time. Allocates nothing once it has run
/// for a while.
public struct LossTracker: Sendable {
  /// The limits of asking.
  public struct Rules: Hashable, Sendable {
    /// How long a packet may be late before it is asked for.
    public var reordering: Duration = .milliseconds(10)

    /// The least time between two requests for the same packet. A round trip, where that is longer.
    public var interval: Duration = .milliseconds(40)

    /// How often a packet is asked for.
    public var attempts = 6

    /// How long a packet is waited for.
    public var timeout: Duration = .milliseconds(600)

    /// How many may be missing at a time.
    public var capacity = 200

    /// The defaults.
    public init() {}
  }

  /// What a packet is to those before it.
  public enum Arrival: Hashable, Sendable {
    /// Higher than all before; `missing` lie between.
    case next(missing: Int)

    /// It was missing.
    case recovered

    /// It came before, or was given up.
    case repeated

    /// Too far off: it began the stream anew.
    case restarted
  }

  private struct Missing: Sendable {
    let number: Int64
    let since: MediaTime
    var asked: MediaTime?
    var attempts = 0
  }

  /// The limits of asking.
  public let rules: Rules
  private var unwrapper = SequenceUnwrapper()
  private var missing: [Missing] = []

  /// Packets that were given up since the beginning.
  public private(set) var givenUp = 0

  /// Makes a tracker that has seen no packet.
  public init(_ rules: Rules = Rules()) {
    self.rules = rules
    missing.reserveCapacity(rules.capacity)
  }

  /// How many are missing now.
  public var count: Int { missing.count }

  /// A packet came.
  public mutating func receive(_ sequence: SequenceNumber, at now: MediaTime) -> Arrival {
    guard let highest = unwrapper.highest else {
      _ = unwrapper.unwrap(sequence)
      return .next(missing: 0)
    }
    let number = unwrapper.peek(sequence)
    guard abs(number - highest) <= ReceptionStatistics.maximumDropout else {
      missing.removeAll(keepingCapacity: true)
      unwrapper = SequenceUnwrapper()
      _ = unwrapper.unwrap(sequence)
      return .restarted
    }
    guard number > highest else { return recover(number) }
    _ = unwrapper.unwrap(sequence)
    let gap = Int(number - highest - 1)
    guard missing.count + gap <= rules.capacity else {
      givenUp += missing.count + gap
      missing.removeAll(keepingCapacity: true)
      return .next(missing: gap)
    }
    // Counted by an `Int`: see ``JitterBuffer/skip(to:)``.
    for offset in 0..<gap {
      missing.append(Missing(number: highest + 1 + Int64(offset), since: now))
    }
    return .next(missing: gap)
  }

  private mutating func recover(_ number: Int64) -> Arrival {
    guard let index = missing.firstIndex(where: { $0.number == number }) else { return .repeated }
    missing.remove(at: index)
    return .recovered
  }

  /// Collects what to ask for now, in order.
  ///
  /// - Parameters:
  ///   - roundTrip: In microseconds; 0 if it is not known.
  ///   - numbers: Is emptied first.
  /// - Returns: How many were given up.
  public mutating func takeDue(
    at now: MediaTime, roundTrip: Int64, into numbers: inout [SequenceNumber]
  ) -> Int {
    numbers.removeAll(keepingCapacity: true)
    guard !missing.isEmpty else { return 0 }
    let interval = max(rules.interval.wholeUs, roundTrip)
    let timeout = rules.timeout.wholeUs
    let reordering = rules.reordering.wholeUs
    var kept = 0
    for index in missing.indices {
      var entry = missing[index]
      let waited = now.microseconds(since: entry.since)
      let rested = entry.asked.map { now.microseconds(since: $0) >= interval } ?? true
      let isExhausted = rested && entry.attempts >= rules.attempts
      guard waited < timeout, !isExhausted else { continue }
      if rested, waited >= reordering {
        entry.asked = now
        entry.attempts += 1
        numbers.append(SequenceNumber(UInt16(truncatingIfNeeded: entry.number)))
      }
      missing[kept] = entry
      kept += 1
    }
    let lost = missing.count - kept
    missing.removeLast(lost)
    givenUp += lost
    return lost
  }

  /// Forgets what is missing: after a key frame was asked for or has come, nobody needs it.
  public mutating func forgetMissing() {
    missing.removeAll(keepingCapacity: true)
  }
}

import MeetingModel
import Storage

/// When what is told to whom: of each receiver and meeting one event at a time, in order, and so
/// many meetings of a receiver at once.
///
/// A value: what the store owes, what became of attempts and the time go in; what to send comes
/// out.
struct DeliverySchedule {
  /// The events of one meeting for one receiver, which come one behind the other.
  struct Lane: Hashable {
    let webhook: String
    let meeting: MeetingID

    init(_ delivery: WebhookDelivery) {
      (webhook, meeting) = (delivery.webhook, delivery.event.meeting)
    }
  }

  /// The numbers that it decides by.
  struct Rules {
    /// Lanes of one receiver that are served at once.
    var mostAtOnce = 8

    /// After the first failure; each further one doubles it.
    var firstPause = Duration.seconds(1)

    /// However often it failed.
    var longestPause = Duration.seconds(60)
  }

  let rules: Rules
  private var underWay: [Lane: Int] = [:]
  private var waiting: [Lane: (failures: Int, until: ContinuousClock.Instant)] = [:]

  init(_ rules: Rules) { self.rules = rules }

  /// Whether nothing is being sent.
  var isIdle: Bool { underWay.isEmpty }

  /// The lanes of which something is being sent.
  var lanesUnderWay: Set<Lane> { Set(underWay.keys) }

  /// What to send now, of what is owed next in each lane.
  ///
  /// - Parameters:
  ///   - owed: Everything that is owed next, the oldest first.
  ///   - busy: The lanes that were under way when the store was asked for that. What it said of
  ///     them may have been taken since.
  mutating func start(
    _ owed: [WebhookDelivery], unlessIn busy: Set<Lane> = [], at now: ContinuousClock.Instant
  ) -> [WebhookDelivery] {
    // A lane that nothing is owed to any more is not remembered.
    let lanes = Set(owed.map(Lane.init))
    waiting = waiting.filter { lanes.contains($0.key) }
    var load = underWay.keys.reduce(into: [:]) { $0[$1.webhook, default: 0] += 1 }
    var started: [WebhookDelivery] = []
    for delivery in owed {
      let lane = Lane(delivery)
      guard underWay[lane] == nil, !busy.contains(lane),
        load[lane.webhook, default: 0] < rules.mostAtOnce
      else { continue }
      let pause = waiting[lane]
      guard pause.map({ $0.until <= now }) ?? true else { continue }
      waiting[lane] = nil
      underWay[lane] = pause?.failures ?? 0
      load[lane.webhook, default: 0] += 1
      started.append(delivery)
    }
    return started
  }

  /// The receiver has taken everything that was sent; there may be more.
  mutating func succeeded(_ lane: Lane) { underWay[lane] = nil }

  /// The receiver has not taken an event: it is sent again after a pause.
  ///
  /// - Parameter jitter: From 0 to 1, at random: receivers that failed together are not asked
  ///   together. The pause is three quarters of its length, and so much of the last quarter.
  mutating func failed(_ lane: Lane, at now: ContinuousClock.Instant, jitter: Double) {
    let failures = (underWay.removeValue(forKey: lane) ?? 0) + 1
    // Beyond that it is longer than the longest one in any case.
    let doubled = rules.firstPause * (1 << min(failures - 1, 20))
    let pause = min(doubled, rules.longestPause) * (0.75 + 0.25 * jitter)
    waiting[lane] = (failures, now + pause)
  }

  /// An event of the lane was taken: what failed before counts no more.
  mutating func progressed(_ lane: Lane) {
    if underWay[lane] != nil { underWay[lane] = 0 }
  }
}

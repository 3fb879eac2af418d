import MeetingModel
import Storage

/// The schedule of event deliveries to webhook receivers.
///
/// Each receiver gets one event at a time per meeting, in order, and a bounded number of meetings
/// in parallel. A value: owed events, outcomes of attempts and the time go in; deliveries to start
/// come out.
struct DeliverySchedule {
  /// The ordered events of one meeting for one receiver.
  struct Lane: Hashable {
    let webhook: String
    let meeting: MeetingID

    init(_ delivery: WebhookDelivery) {
      (webhook, meeting) = (delivery.webhook, delivery.event.meeting)
    }
  }

  /// The limits of the schedule.
  struct Rules {
    /// The maximum number of lanes of one receiver that are served at once.
    var mostAtOnce = 8

    /// The pause after the first failure; each further failure doubles it.
    var firstPause = Duration.seconds(1)

    /// The longest pause, however many failures there were.
    var longestPause = Duration.seconds(60)
  }

  let rules: Rules
  private var underWay: [Lane: Int] = [:]
  private var waiting: [Lane: (failures: Int, until: ContinuousClock.Instant)] = [:]

  init(_ rules: Rules) { self.rules = rules }

  /// Whether no delivery is in progress.
  var isIdle: Bool { underWay.isEmpty }

  /// The lanes with a delivery in progress.
  var lanesUnderWay: Set<Lane> { Set(underWay.keys) }

  /// Returns the deliveries to start now.
  ///
  /// - Parameters:
  ///   - owed: The next delivery of each lane, oldest first.
  ///   - busy: The lanes that were in progress when `owed` was read from the store. Their events
  ///     may have been delivered since.
  mutating func start(
    _ owed: [WebhookDelivery], unlessIn busy: Set<Lane> = [], at now: ContinuousClock.Instant
  ) -> [WebhookDelivery] {
    // Pauses of lanes that are owed nothing are dropped.
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

  /// Records that the receiver has accepted everything sent; the lane may have more.
  mutating func succeeded(_ lane: Lane) { underWay[lane] = nil }

  /// Records a failed delivery, which is retried after a pause.
  ///
  /// - Parameter jitter: A random number from 0 to 1, so that receivers that failed together are
  ///   not retried together. The pause is three quarters of its length plus this fraction of the
  ///   last quarter.
  mutating func failed(_ lane: Lane, at now: ContinuousClock.Instant, jitter: Double) {
    let failures = (underWay.removeValue(forKey: lane) ?? 0) + 1
    // A larger shift would exceed the longest pause anyway.
    let doubled = rules.firstPause * (1 << min(failures - 1, 20))
    let pause = min(doubled, rules.longestPause) * (0.75 + 0.25 * jitter)
    waiting[lane] = (failures, now + pause)
  }

  /// Records that an event of the lane was accepted, which resets its failures.
  mutating func progressed(_ lane: Lane) {
    if underWay[lane] != nil { underWay[lane] = 0 }
  }
}

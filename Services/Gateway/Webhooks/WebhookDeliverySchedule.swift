import MeetingModel
import Storage

/// The schedule of event deliveries to webhook receivers.
///
/// For each meeting, a receiver gets one event at a time, in order. A receiver gets events of a
/// bounded number of meetings at the same time. The schedule is a value. Its inputs are the pending
/// events, the outcomes of attempts and the time. Its outputs are the deliveries to start.
struct WebhookDeliverySchedule {
  /// The ordered events of one meeting for one receiver.
  struct Lane: Hashable {
    let webhook: String
    let meeting: MeetingID

    init(_ delivery: WebhookDelivery) {
      (webhook, meeting) = (delivery.webhook, delivery.event.meeting)
    }
  }

  /// The limits of the schedule.
  struct RetryLimits {
    /// For one receiver, the maximum number of lanes that have a delivery in progress at the same
    /// time.
    var mostAtOnce = 8

    /// The pause after the first failure. Each further failure doubles the pause.
    var firstPause = Duration.seconds(1)

    /// The longest pause, whatever the number of failures.
    var longestPause = Duration.seconds(60)
  }

  let rules: RetryLimits
  private var underWay: [Lane: Int] = [:]
  private var waiting: [Lane: (failures: Int, until: ContinuousClock.Instant)] = [:]

  init(_ rules: RetryLimits) { self.rules = rules }

  /// Whether no delivery is in progress.
  var isIdle: Bool { underWay.isEmpty }

  /// The lanes with a delivery in progress.
  var lanesUnderWay: Set<Lane> { Set(underWay.keys) }

  /// Returns the deliveries to start now.
  ///
  /// - Parameters:
  ///   - owed: The next delivery of each lane, oldest first.
  ///   - busy: The lanes with deliveries in progress when the caller read `owed` from the store.
  ///     The receivers of these lanes may have accepted the events after the caller read `owed`.
  mutating func start(
    _ owed: [WebhookDelivery], unlessIn busy: Set<Lane> = [], at now: ContinuousClock.Instant
  ) -> [WebhookDelivery] {
    // The schedule forgets the pauses of lanes without pending events.
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

  /// Records that the receiver has accepted all sent events. The lane may have more events.
  mutating func succeeded(_ lane: Lane) { underWay[lane] = nil }

  /// Records a failed delivery. The next attempt follows after a pause.
  ///
  /// - Parameter jitter: A random number from 0 to 1. The pause is at least three quarters of its
  ///   nominal length. This number determines how much of the last quarter the method adds. So
  ///   lanes that failed together retry at different times.
  mutating func failed(_ lane: Lane, at now: ContinuousClock.Instant, jitter: Double) {
    let failures = (underWay.removeValue(forKey: lane) ?? 0) + 1
    // After 20 doublings, the pause already exceeds the longest pause, so more doublings would
    // change nothing.
    let doubled = rules.firstPause * (1 << min(failures - 1, 20))
    let pause = min(doubled, rules.longestPause) * (0.75 + 0.25 * jitter)
    waiting[lane] = (failures, now + pause)
  }

  /// Records that the receiver accepted an event of the lane. Also resets the lane's count of
  /// failures.
  mutating func progressed(_ lane: Lane) {
    if underWay[lane] != nil { underWay[lane] = 0 }
  }
}

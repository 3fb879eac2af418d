import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Storage

/// The delivery of meeting events to webhook receivers.
///
/// Every gateway runs this service. A lease in the store selects one gateway. The selected gateway
/// sends the pending events. The store removes an event only after the receiver has accepted the
/// event. If the gateway stalls and loses the lease, the next holder may send an event again. Both
/// copies have the same id.
actor WebhookService: Service {
  private let control: ControlPlane
  private let timeout: Duration
  private let metrics: WebhookMetrics

  /// The name of this service as a holder of the lease. Each run of a gateway has a different name.
  private let holder: String
  private var schedule: WebhookDeliverySchedule

  /// The HTTP client; `nil` unless the service runs.
  ///
  /// The service creates the client at its start, because the service must close the client after
  /// use.
  private var sender: WebhookSender?
  private var lastTaken: ContinuousClock.Instant?
  private var lastLook: ContinuousClock.Instant?
  private var lastDropped: Int64?

  private var store: MeetingStore { control.store }

  /// - Parameters:
  ///   - instance: The gateway's name.
  ///   - timeout: The maximum time for a receiver's answer.
  init(
    of control: ControlPlane, at instance: String, rules: WebhookDeliverySchedule.RetryLimits,
    metrics: WebhookMetrics, timeout: Duration
  ) {
    (self.control, self.metrics, self.timeout) = (control, metrics, timeout)
    holder = "\(instance) \(GUID.random().text)"
    schedule = WebhookDeliverySchedule(rules)
  }

  private static let interval = Duration.milliseconds(200)
  private static let lease = Duration.seconds(10)
  private static let renewal = Duration.seconds(2)
  private static let lookInterval = Duration.seconds(5)

  /// For each receiver, the maximum number of meetings that the service reads in one turn.
  private static let mostLanes = 1_000

  /// The maximum number of events that a lane sends in one turn. After this number of events, the
  /// service serves other lanes.
  private static let mostOfLane = 50

  func run() async throws {
    let sender = WebhookSender(timeout: timeout)
    self.sender = sender
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { tasks in
        while !Task.isCancelled {
          for delivery in await self.takeTurn() {
            tasks.addTask { await self.serveLane(from: delivery) }
          }
          do { try await Task.sleep(for: Self.interval) } catch { return }
        }
      }
    }
    self.sender = nil
    await sender.close()
  }

  /// Returns the deliveries to start now.
  private func takeTurn() async -> [WebhookDelivery] {
    do {
      let busy = schedule.lanesUnderWay
      let owed = try await store.nextDeliveries(limit: Self.mostLanes)
      try await look()
      guard !owed.isEmpty, try await hasDuty() else { return [] }
      return schedule.start(owed, unlessIn: busy, at: .now)
    } catch {
      // The control plane logs the error. The next turn tries again.
      _ = control.report(error)
      return []
    }
  }

  private func hasDuty() async throws(StorageError) -> Bool {
    if let lastTaken, ContinuousClock.now - lastTaken < Self.renewal { return true }
    let start = ContinuousClock.now
    let has = try await store.take(
      .webhooks, as: holder, for: Self.lease, at: control.settings.now())
    lastTaken = has ? start : nil
    return has
  }

  /// Updates the metrics of pending and dropped events, and logs new drops.
  private func look() async throws(StorageError) {
    if let lastLook, ContinuousClock.now - lastLook < Self.lookInterval { return }
    lastLook = .now
    let webhooks = try await store.webhooks()
    let dropped = webhooks.reduce(0) { $0 + $1.dropped }
    metrics.pending.set(Int(clamping: webhooks.reduce(0) { $0 + $1.pending }))
    if let lastDropped, dropped > lastDropped {
      metrics.dropped.increment(by: UInt64(clamping: dropped - lastDropped))
      control.logger.warning(
        "Deleted events that no receiver had accepted; carillon webhooks list shows why",
        metadata: ["dropped": "\(dropped - lastDropped)"])
    }
    lastDropped = dropped
  }

  /// Sends a lane's events in order until the receiver does not accept an event.
  private func serveLane(from first: WebhookDelivery) async {
    let lane = WebhookDeliverySchedule.Lane(first)
    var next: WebhookDelivery? = first
    var count = 0
    do {
      while let delivery = next, count < Self.mostOfLane, !Task.isCancelled {
        if let problem = try await problem(of: delivery) {
          metrics.refused.increment()
          schedule.failed(lane, at: .now, jitter: .random(in: 0...1))
          try await store.notDelivered(
            to: lane.webhook, because: problem, at: control.settings.now())
          return
        }
        metrics.taken.increment()
        count += 1
        schedule.progressed(lane)
        next = try await store.delivered(delivery, by: holder)
      }
      schedule.succeeded(lane)
    } catch {
      _ = control.report(error)
      schedule.failed(lane, at: .now, jitter: .random(in: 0...1))
    }
  }

  /// Sends an event.
  ///
  /// - Returns: The reason why the receiver did not accept the event; `nil` if it accepted the
  ///   event.
  private func problem(of delivery: WebhookDelivery) async throws(StorageError) -> String? {
    guard let sender else {
      return "The gateway stopped during the delivery; it tries again after its next start."
    }
    guard let secret = try await store.webhookSecret(of: delivery.webhook) else {
      return "The webhook was deleted during the delivery."
    }
    let post = WebhookPost(
      delivery, epoch: try await store.eventEpoch(), secret: secret, at: control.settings.now())
    do {
      let status = try await sender.send(post)
      return (200...299).contains(status)
        ? nil : "The receiver answered with HTTP status \(status) instead of 200-299."
    } catch {
      return "The gateway cannot reach the receiver: \(WebhookSender.reason(for: error))."
    }
  }
}

import Logging
import MeetingModel
import Ownership
import ServiceHost

// Stops forwarding after a stall of the process.
extension MediaService {
  /// Creates the detector of stalls that have at least the configured length. The service must
  /// check the detector before each mix.
  static func watch(_ rules: MediaRules) -> ProcessStallDetector {
    ProcessStallDetector(
      interval: MediaRules.audioPacket, tolerance: rules.standstill - MediaRules.audioPacket,
      at: .now)
  }

  /// Raises the fence if the thread stalled since the last check.
  ///
  /// The service calls this method before each packet and each mix, because the process may stall
  /// at any time. The check only reads the clock.
  func lookForStandstill() {
    let now = ContinuousClock.now
    let standstill = standstills.look(at: now)
    if standstill > .zero { raiseFence(after: standstill, at: now) }
  }

  private func raiseFence(after standstill: Duration, at now: ContinuousClock.Instant) {
    change { $0.raise(awaiting: gateways.names, at: now) }
    guard fence.isUp else { return }
    for meeting in meetings.values {
      meeting.audio.interrupt()
      meeting.dropEarlyVideo(for: .fence)
    }
    metrics.fences.increment()
    owner.logger.info(
      """
      The process did not run for a while; not forwarding until the gateways have reported their \
      pending changes
      """,
      metadata: [
        LogMetadataKey.duration: "\(standstill)", LogMetadataKey.count: "\(fence.awaited.count)",
      ])
  }

  /// Stops waiting for the gateways that did not return the fence's number in time. Then the
  /// service forwards again.
  func giveUpFence() {
    var late: [GatewayName] = []
    change { late = $0.giveUp(at: .now) }
    for gateway in late {
      owner.logger.warning(
        "Forwarding again, although a gateway has not reported its pending changes",
        metadata: [LogMetadataKey.instance: "\(gateway)"])
    }
  }

  /// Changes the fence, and publishes the fence's number to the gateways.
  func change(_ body: (inout ForwardingStallFence) -> Void) {
    body(&fence)
    owner.streams.show(fence: fence.number)
  }
}

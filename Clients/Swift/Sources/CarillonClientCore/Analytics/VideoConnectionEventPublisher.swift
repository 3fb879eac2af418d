internal import Synchronization

/// The publisher of events about the connection of a session's video, or about the connection of
/// the session's content share.
final class VideoConnectionEventPublisher: Sendable {
  private let opened: EventName
  private let dropped: EventName
  private let pathOpened: EventName
  private let eventAnalytics: DefaultEventAnalyticsController
  private let uptimeMs: @Sendable () -> Int64

  /// The time at which signaling began to open.
  private let openingSinceMs = Mutex<Int64?>(nil)

  private init(
    opened: EventName, dropped: EventName, pathOpened: EventName,
    _ eventAnalytics: DefaultEventAnalyticsController, uptimeMs: @escaping @Sendable () -> Int64
  ) {
    self.opened = opened
    self.dropped = dropped
    self.pathOpened = pathOpened
    self.eventAnalytics = eventAnalytics
    self.uptimeMs = uptimeMs
  }

  static func ofVideo(
    _ eventAnalytics: DefaultEventAnalyticsController, uptimeMs: @escaping @Sendable () -> Int64
  ) -> VideoConnectionEventPublisher {
    VideoConnectionEventPublisher(
      opened: .videoClientSignalingOpened, dropped: .videoClientSignalingDropped,
      pathOpened: .videoClientIceGatheringCompleted, eventAnalytics, uptimeMs: uptimeMs)
  }

  static func ofContentShare(
    _ eventAnalytics: DefaultEventAnalyticsController, uptimeMs: @escaping @Sendable () -> Int64
  ) -> VideoConnectionEventPublisher {
    VideoConnectionEventPublisher(
      opened: .contentShareSignalingOpened, dropped: .contentShareSignalingDropped,
      pathOpened: .contentShareIceGatheringCompleted, eventAnalytics, uptimeMs: uptimeMs)
  }

  func signalingDidChange(_ change: SignalingConnectionChange) {
    switch change {
    case .opening:
      let now = uptimeMs()
      openingSinceMs.withLock { $0 = now }
    case .opened:
      guard let since = openingSinceMs.withLock({ $0.take() }) else { return }
      eventAnalytics.publishEvent(
        name: opened,
        attributes: [EventAttributeName.signalingOpenDurationMs: max(uptimeMs() - since, 0)])
    case .dropped(let error):
      eventAnalytics.publishEvent(
        name: dropped, attributes: [EventAttributeName.signalingDroppedError: error])
    }
  }

  func pathDidOpen(afterMs durationMs: Int64) {
    eventAnalytics.publishEvent(
      name: pathOpened, attributes: [EventAttributeName.iceGatheringDurationMs: durationMs])
  }
}

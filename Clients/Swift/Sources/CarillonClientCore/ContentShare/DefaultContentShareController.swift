import Dispatch
import Synchronization

/// The controller that shares content through a second session, whose attendee id is `<attendee
/// id>#content`.
///
/// The second session does not depend on the first session. A promoted attendee shares content in
/// the primary meeting. The share ends with the promotion.
final class DefaultContentShareController: ContentShareController {
  private let configuration: MeetingSessionConfiguration
  private let identity: LocalAttendeeIdentity
  private let connection: any SessionConnection
  private let eventAnalytics: DefaultEventAnalyticsController
  private let observers = ObserverRegistry<any ContentShareObserver>()
  private let metrics: MetricsCollector
  private let video: LocalVideo
  private let log: SessionLogger
  private let uptimeMs: @Sendable () -> Int64
  private let hasMedia: Bool

  /// The share that started last; `nil` after the end of this share.
  private let current = Mutex<ContentShareRun?>(nil)

  init(
    configuration: MeetingSessionConfiguration, identity: LocalAttendeeIdentity,
    connection: any SessionConnection, media: (any MediaEngine)?, hasMedia: Bool,
    eventAnalytics: DefaultEventAnalyticsController, metrics: MetricsCollector,
    uptimeMs: @escaping @Sendable () -> Int64, log: SessionLogger
  ) {
    self.configuration = configuration
    self.identity = identity
    self.connection = connection
    self.eventAnalytics = eventAnalytics
    self.log = log
    self.uptimeMs = uptimeMs
    self.hasMedia = hasMedia
    self.metrics = metrics
    video = LocalVideo(frames: nil, media: media)
  }

  func startContentShare(source: ContentShareSource) {
    startContentShare(source: source, config: LocalVideoConfiguration())
  }

  func startContentShare(source: ContentShareSource, config: LocalVideoConfiguration) {
    guard let videoSource = source.videoSource else { return }
    let features = configuration.meetingFeatures
    guard features.contentMaxResolution !== VideoResolution.videoDisabled else {
      log.info("startContentShare: the meeting allows no content.")
      return
    }
    eventAnalytics.publishEvent(name: .contentShareStartRequested)
    guard hasMedia else { return failWithoutMedia() }
    let number = video.use(videoSource)
    current.withLock { current in
      if current?.isOpen != true {
        current?.end()
        if current != nil { connection.stop() }
        current = open()
      }
      connection.want(
        .publish(
          .content(number, hint: videoSource.videoContentHint, config: config, features: features)))
    }
  }

  private func makeRun(
    didEnd: @escaping @Sendable (ContentShareRun) -> Void
  ) -> ContentShareRun {
    ContentShareRun(
      observers: observers, eventAnalytics: eventAnalytics, metrics: metrics,
      connectionEvents: .ofContentShare(eventAnalytics, uptimeMs: uptimeMs), didEnd: didEnd)
  }

  private func failWithoutMedia() {
    log.noMedia("startContentShare")
    makeRun { _ in }.connectionDidChange(.failedToConnect, status: .audioServiceUnavailable)
  }

  private func open() -> ContentShareRun {
    let run = makeRun { [weak self] run in
      // The connection may call this closure during one of its own methods, so `runDidEnd` runs
      // later.
      DispatchQueue.main.async { self?.runDidEnd(run) }
    }
    let request = SessionStartParameters(
      contentOf: configuration, promotedAs: identity.promoted,
      reconnectTimeoutMs: AudioVideoConfiguration.defaultReconnectTimeoutMs)
    do {
      try connection.start(request, delegate: run)
    } catch {
      log.error("No content can be shared: \(error)")
      run.connectionDidChange(.failedToConnect, status: .audioServiceUnavailable)
    }
    return run
  }

  func stopContentShare() {
    video.end()
    current.withLock { current in
      guard let run = current else { return }
      if run.stop() {
        connection.want(.unpublish)
      } else {
        current = nil
        connection.stop()
      }
    }
  }

  /// Stops the session of a share that has ended.
  private func runDidEnd(_ run: ContentShareRun) {
    let wasCurrent = current.withLock { current in
      guard current === run else { return false }
      current = nil
      connection.stop()
      return true
    }
    if wasCurrent { video.end() }
  }

  func addContentShareObserver(observer: any ContentShareObserver) {
    observers.add(observer)
  }

  func removeContentShareObserver(observer: any ContentShareObserver) {
    observers.remove(observer)
  }
}

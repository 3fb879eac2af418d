import Synchronization

/// One content share from its start to its end. The run turns reports of the connection into
/// callbacks to the observers.
final class ContentShareRun: Sendable {
  private enum Phase {
    /// The share is not in the meeting: the session is still opening the share, or the share has
    /// lost its connection.
    case connecting
    case sharing
    /// The application called `stopContentShare()`, and the server has not answered yet.
    case stopping
    case over
  }

  private let observers: ObserverRegistry<any ContentShareObserver>
  private let eventAnalytics: DefaultEventAnalyticsController
  private let metrics: MetricsCollector
  private let connectionEvents: VideoConnectionEventPublisher
  private let didEnd: @Sendable (ContentShareRun) -> Void
  private let phase = Mutex(Phase.connecting)

  /// - Parameter didEnd: Called when the share has ended without a call of `stop()`, or after the
  ///   answer to `stop()`.
  init(
    observers: ObserverRegistry<any ContentShareObserver>,
    eventAnalytics: DefaultEventAnalyticsController, metrics: MetricsCollector,
    connectionEvents: VideoConnectionEventPublisher,
    didEnd: @escaping @Sendable (ContentShareRun) -> Void
  ) {
    self.observers = observers
    self.eventAnalytics = eventAnalytics
    self.metrics = metrics
    self.connectionEvents = connectionEvents
    self.didEnd = didEnd
  }

  /// Whether the share is open. A share is open from its start until the application stops the
  /// share or the share ends.
  var isOpen: Bool {
    phase.withLock { phase in
      switch phase {
      case .connecting, .sharing: true
      case .stopping, .over: false
      }
    }
  }

  /// Stops the share on request of the application.
  ///
  /// - Returns: Whether the caller must notify the server. The server then answers. If `false`, the
  ///   share has already ended.
  func stop() -> Bool {
    phase.withLock { phase in
      switch phase {
      case .sharing:
        phase = .stopping
        return true
      case .stopping:
        return true
      case .connecting:
        tellStop(&phase, .contentShareStopped, .ok)
        return false
      case .over:
        return false
      }
    }
  }

  /// Ends the share without waiting for the server.
  func end() { finish(.contentShareStopped, .ok) }

  private func finish(_ event: EventName, _ status: ContentShareStatusCode) {
    phase.withLock { tellStop(&$0, event, status) }
  }

  private func tellStop(_ phase: inout Phase, _ event: EventName, _ status: ContentShareStatusCode)
  {
    if case .over = phase { return }
    phase = .over
    metrics.forget(.content)
    switch status {
    case .ok: eventAnalytics.publishEvent(name: event)
    case .videoServiceFailed:
      eventAnalytics.publishEvent(
        name: event,
        attributes: [EventAttributeName.contentShareError: VideoClientFailedError.other])
    }
    observers.post { $0.contentShareDidStop(status: ContentShareStatus(statusCode: status)) }
  }

  private func fail() {
    finish(.contentShareFailed, .videoServiceFailed)
    didEnd(self)
  }

  private func tellStart() {
    phase.withLock { phase in
      guard case .connecting = phase else { return }
      phase = .sharing
      eventAnalytics.publishEvent(name: .contentShareStarted)
      observers.post { $0.contentShareDidStart() }
    }
  }

  /// Handles a lost connection. A share that is stopping ends immediately, without a wait for a new
  /// connection.
  private func lose() {
    let isStopping = phase.withLock { phase in
      switch phase {
      case .sharing:
        phase = .connecting
        return false
      case .stopping:
        tellStop(&phase, .contentShareStopped, .ok)
        return true
      case .connecting, .over:
        return false
      }
    }
    if isStopping { didEnd(self) }
  }
}

extension ContentShareRun: SessionConnectionDelegate {
  func connectionDidChange(_ state: ConnectionState, status: MeetingSessionStatusCode) {
    switch state {
    case .reconnecting: lose()
    case .failedToConnect, .serverHungUp, .disconnectedAbnormally: fail()
    case .disconnectedNormally where status == .audioJoinedFromAnotherDevice: fail()
    case .connecting, .connected, .disconnecting, .disconnectedNormally: break
    }
  }

  func connectionDidStop() { end() }

  func videoDidTell(_ news: VideoUpdate) {
    switch news {
    case .published: tellStart()
    case .unpublished:
      guard !isOpen else { return }
      end()
      didEnd(self)
    case .publishingFailed: fail()
    case .cameraAvailability, .sources, .tiles: break
    }
  }

  func mediaWasMeasured(_ figures: [ObservableMetric: Double]) {
    phase.withLock { phase in
      // A share that has ended reports no metrics.
      if case .over = phase { return }
      metrics.take(figures, from: .content)
    }
  }

  func signalingDidChange(_ change: SignalingConnectionChange) {
    if isOpen { connectionEvents.signalingDidChange(change) }
  }

  func mediaPathDidOpen(afterMs durationMs: Int64) {
    if isOpen { connectionEvents.pathDidOpen(afterMs: durationMs) }
  }

  // The following methods do nothing, because the attendee's own session reports these events.

  func presenceDidChange(_ reports: [AttendeePresenceReport]) {}
  func volumesDidChange(_ volumes: [VolumeReport]) {}
  func signalsDidChange(_ signals: [SignalReport]) {}
  func someVolumesDidChange(_ volumes: [VolumeReport]) {}
  func someSignalsDidChange(_ signals: [SignalReport]) {}
  func dataMessageDidArrive(_ message: DataMessage) {}
  func dataMessagesDidResume(isRecovered: Bool) {}
  func dataMessagesDidGetLost() {}
  func videoDidChange(_ state: VideoConnectionState, status: MeetingSessionStatusCode) {}
}

import Synchronization

/// Mute, presence and the subscriptions to what the meeting says.
final class DefaultRealtimeController: RealtimeControllerFacade {
  private let lifecycle: SessionLifecycle
  private let realtimeObservers: ObserverRegistry<any RealtimeObserver>
  private let transcriptObservers = ObserverRegistry<any TranscriptEventObserver>()
  private let messageObservers = Mutex<[String: ObserverRegistry<any DataMessageObserver>]>([:])
  private let eventAnalytics: DefaultEventAnalyticsController
  private let log: SessionLog

  init(
    lifecycle: SessionLifecycle, realtimeObservers: ObserverRegistry<any RealtimeObserver>,
    eventAnalytics: DefaultEventAnalyticsController, log: SessionLog
  ) {
    self.lifecycle = lifecycle
    self.realtimeObservers = realtimeObservers
    self.eventAnalytics = eventAnalytics
    self.log = log
  }

  func realtimeLocalMute() -> Bool { lifecycle.setMuted(true) }

  func realtimeLocalUnmute() -> Bool { lifecycle.setMuted(false) }

  func addRealtimeObserver(observer: any RealtimeObserver) {
    realtimeObservers.add(observer)
  }

  func removeRealtimeObserver(observer: any RealtimeObserver) {
    realtimeObservers.remove(observer)
  }

  func addRealtimeDataMessageObserver(topic: String, observer: any DataMessageObserver) {
    let registry = messageObservers.withLock { registries in
      let registry = registries[topic] ?? ObserverRegistry<any DataMessageObserver>()
      registries[topic] = registry
      return registry
    }
    registry.add(observer)
  }

  func removeRealtimeDataMessageObserverFromTopic(topic: String) {
    _ = messageObservers.withLock { $0.removeValue(forKey: topic) }
  }

  func realtimeSendDataMessage(topic: String, data: Any, lifetimeMs: Int32) throws {
    guard lifecycle.isOpen else {
      log.error("A data message was dropped: the session is not started.")
      return
    }
    throw CarillonClientError.notAvailableYet("realtimeSendDataMessage")
  }

  func realtimeSetVoiceFocusEnabled(enabled: Bool) -> Bool {
    let isLive = lifecycle.isLive
    if isLive { log.notAvailableYet("realtimeSetVoiceFocusEnabled") }
    let error: VoiceFocusError = isLive ? .notInitialized : .audioClientNotStarted
    eventAnalytics.publishEvent(
      name: enabled ? .voiceFocusEnableFailed : .voiceFocusDisableFailed,
      attributes: [EventAttributeName.voiceFocusError: error], notifyObservers: false)
    return false
  }

  func realtimeIsVoiceFocusEnabled() -> Bool {
    if lifecycle.isLive { log.notAvailableYet("realtimeIsVoiceFocusEnabled") }
    return false
  }

  func addRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver) {
    transcriptObservers.add(observer)
  }

  func removeRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver) {
    transcriptObservers.remove(observer)
  }
}

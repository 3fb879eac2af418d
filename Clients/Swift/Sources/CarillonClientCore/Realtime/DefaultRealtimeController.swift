/// The controller of mute, noise suppression, data messages and the realtime observers.
final class DefaultRealtimeController: RealtimeControllerFacade {
  private let lifecycle: SessionLifecycle
  private let realtimeObservers: ObserverRegistry<any RealtimeObserver>
  private let transcriptObservers: ObserverRegistry<any TranscriptEventObserver>
  private let messageObservers: DataMessageObservers
  let dataMessageLogObservers: ObserverRegistry<any DataMessageLogObserver>
  private let eventAnalytics: DefaultEventAnalyticsController
  private let log: SessionLogger

  init(
    lifecycle: SessionLifecycle, voices: SessionObservers, log: SessionLogger
  ) {
    self.lifecycle = lifecycle
    realtimeObservers = voices.realtimeObservers
    messageObservers = voices.dataMessageObservers
    dataMessageLogObservers = voices.dataMessageLogObservers
    transcriptObservers = voices.transcriptObservers
    eventAnalytics = voices.eventAnalytics
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
    messageObservers.add(observer, to: topic)
  }

  func removeRealtimeDataMessageObserverFromTopic(topic: String) {
    messageObservers.removeAll(from: topic)
  }

  func realtimeSendDataMessage(topic: String, data: Any, lifetimeMs: Int32) throws {
    try submit(topic: topic, data: data, lifetimeMs: lifetimeMs)
  }

  /// Passes a message to the connection.
  ///
  /// While the session is not started, this method drops the message without a check.
  ///
  /// - Parameter then: Receives the outcome once, unless the call throws.
  func submit(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String] = [],
    then: (@Sendable (OutgoingMessage.Outcome) -> Void)? = nil
  ) throws {
    guard lifecycle.isOpen else {
      log.error("A data message was dropped: the session is not started.")
      then?(.failure(.notStarted))
      return
    }
    lifecycle.send(
      try OutgoingMessage(
        topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: recipients, then: then))
  }

  func realtimeSetVoiceFocusEnabled(enabled: Bool) -> Bool {
    if let error = lifecycle.setVoiceFocus(enabled) {
      eventAnalytics.publishEvent(
        name: enabled ? .voiceFocusEnableFailed : .voiceFocusDisableFailed,
        attributes: [EventAttributeName.voiceFocusError: error], notifyObservers: false)
      return false
    }
    eventAnalytics.publishEvent(
      name: enabled ? .voiceFocusEnabled : .voiceFocusDisabled, attributes: [:],
      notifyObservers: false)
    return true
  }

  func realtimeIsVoiceFocusEnabled() -> Bool { lifecycle.isVoiceFocusEnabled }

  func addRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver) {
    transcriptObservers.add(observer)
  }

  func removeRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver) {
    transcriptObservers.remove(observer)
  }
}

extension DefaultRealtimeController: TranscriptLanguageFacade {
  func setTranscriptLanguages(view: String?, spoken: String?) throws {
    try lifecycle.setTranscriptLanguages(view: view, spoken: spoken)
  }
}

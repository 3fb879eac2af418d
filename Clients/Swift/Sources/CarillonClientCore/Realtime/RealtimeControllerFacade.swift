/// The calls for mute, presence, data messages, transcripts and noise suppression.
public protocol RealtimeControllerFacade: AnyObject, Sendable {
  /// Mutes the local attendee. Every start begins unmuted.
  ///
  /// - Returns: Whether the session accepted the change; false unless the session is started.
  func realtimeLocalMute() -> Bool

  /// Unmutes the local attendee.
  ///
  /// - Returns: Whether the session accepted the change. The result is false if the session is not
  ///   started, or while an operator mutes the attendee.
  func realtimeLocalUnmute() -> Bool

  /// Adds an observer, in any state. The observer receives all later changes, even after `stop()`.
  func addRealtimeObserver(observer: any RealtimeObserver)

  /// Removes an observer. The observer receives no further events, not even pending events.
  ///
  /// The call has no effect if the application has not added the observer.
  func removeRealtimeObserver(observer: any RealtimeObserver)

  /// Adds an observer for exactly the given topic. A topic can have several observers.
  func addRealtimeDataMessageObserver(topic: String, observer: any DataMessageObserver)

  /// Removes all observers of the topic.
  func removeRealtimeDataMessageObserverFromTopic(topic: String)

  /// Sends a message to all other attendees. Has no effect unless the session is started.
  ///
  /// While the session connects or reconnects, it queues messages, up to 1024 messages or 1 MiB.
  /// When the session is connected, the session sends each queued message once, in order. The
  /// session does not send messages beyond these limits. The observers of the topic receive each
  /// message that the session did not send or that the server throttled. The observers receive this
  /// message after the answers to all earlier messages.
  ///
  /// - Parameters:
  ///   - topic: 1 to 36 letters, digits, `_` or `-`.
  ///   - data: `String`, `[UInt8]`, `Data`, or an array or dictionary that JSON can represent; at
  ///     most 2048 bytes.
  ///   - lifetimeMs: How long the server keeps the message for late joiners, in milliseconds up to
  ///     300000; 0 keeps nothing.
  /// - Throws: `SendDataMessageError`, or an error of `JSONSerialization`.
  func realtimeSendDataMessage(topic: String, data: Any, lifetimeMs: Int32) throws

  /// Turns noise suppression of this attendee's audio on or off. Noise suppression is off after
  /// each start.
  ///
  /// - Returns: Whether the session accepted the change; `false` unless the session is started and
  ///   has media.
  func realtimeSetVoiceFocusEnabled(enabled: Bool) -> Bool

  /// Returns whether noise suppression is on; `false` unless the session is started.
  func realtimeIsVoiceFocusEnabled() -> Bool

  /// Adds an observer of the meeting's transcription.
  func addRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver)
}

/// The reasons why the session could not change noise suppression.
public enum VoiceFocusError: Int, Error, CaseNamed {
  /// The session is not started.
  case audioClientNotStarted
  /// Audio failed.
  case audioClientError
  /// The media engine rejected the setting.
  case setParamFailed
  /// The session has no media that could suppress noise.
  case notInitialized
  /// Any other cause.
  case other
}

/// Mute, presence, data messages and noise suppression.
public protocol RealtimeControllerFacade: AnyObject, Sendable {
  /// Mutes the local attendee. Every start begins unmuted.
  ///
  /// - Returns: Whether the change was accepted; false unless the session is started.
  func realtimeLocalMute() -> Bool

  /// Unmutes the local attendee.
  ///
  /// - Returns: Whether the change was accepted; false unless the session is started, and while an
  ///   operator's mute holds.
  func realtimeLocalUnmute() -> Bool

  /// Adds an observer in any state; it hears what changes from now on and survives `stop()`.
  func addRealtimeObserver(observer: any RealtimeObserver)

  /// Removes an observer, also for events that are on their way. Nothing happens if it was not
  /// added.
  func removeRealtimeObserver(observer: any RealtimeObserver)

  /// Adds an observer for exactly this topic. Several observers may share one.
  func addRealtimeDataMessageObserver(topic: String, observer: any DataMessageObserver)

  /// Removes all observers of the topic.
  func removeRealtimeDataMessageObserverFromTopic(topic: String)

  /// Sends a message to all other attendees. Without effect unless the session is started.
  ///
  /// While the connection is being made or is lost, messages wait, up to 1024 of them or 1 MiB, and
  /// go out once, in their order; what is beyond is not sent. A message that was not sent,
  /// or that the server refuses because there are too many, comes back to the observers of its
  /// topic, behind the answers to all before it.
  ///
  /// - Parameters:
  ///   - topic: 1 to 36 letters, digits, `_` or `-`.
  ///   - data: `String`, `[UInt8]`, `Data`, or an array or dictionary that JSON can hold; at most
  ///     2048 bytes.
  ///   - lifetimeMs: How long the server keeps the message for late joiners, in milliseconds up to
  ///     300000; 0 keeps nothing.
  /// - Throws: `SendDataMessageError`, or what `JSONSerialization` throws.
  func realtimeSendDataMessage(topic: String, data: Any, lifetimeMs: Int32) throws

  /// Switches the suppression of noise in what this attendee says; it is off after each start.
  ///
  /// - Returns: Whether it was switched: false unless started, and in a session without media.
  func realtimeSetVoiceFocusEnabled(enabled: Bool) -> Bool

  /// Whether noise suppression is on; false unless started.
  func realtimeIsVoiceFocusEnabled() -> Bool

  /// Adds an observer of the meeting's transcription.
  func addRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver)
}

/// Why noise suppression could not be switched.
public enum VoiceFocusError: Int, Error, CaseNamed {
  /// The session is not started.
  case audioClientNotStarted
  /// The audio part failed.
  case audioClientError
  /// The setting was refused.
  case setParamFailed
  /// The session has no media half that could suppress noise.
  case notInitialized
  /// The cause has no case of its own.
  case other
}

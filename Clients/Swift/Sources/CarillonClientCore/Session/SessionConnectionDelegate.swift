/// What the link to the server tells the facade. Called on any thread, one call after the other, in
/// the order things happened. Each start brings its own delegate.
protocol SessionConnectionDelegate: AnyObject, Sendable {
  /// The link changed its state, or its health (`ok`, `networkBecomePoor`) while connected.
  func connectionDidChange(_ state: ConnectionState, status: MeetingSessionStatusCode)

  /// Answers `SessionConnection.stop()`, once.
  func connectionDidStop()

  /// Attendees came or went. Repeating one who is known to be there does no harm.
  func presenceDidChange(_ reports: [PresenceReport])

  /// The volumes of all attendees that have one, not only of those that changed.
  func volumesDidChange(_ volumes: [VolumeReport])

  /// The signal strengths of all attendees that have one, not only of those that changed.
  func signalsDidChange(_ signals: [SignalReport])

  /// The volumes of some attendees; those of the others stay as they were.
  func someVolumesDidChange(_ volumes: [VolumeReport])

  /// The signal strengths of some attendees; those of the others stay as they were.
  func someSignalsDidChange(_ signals: [SignalReport])

  /// A data message came from somebody else, or an own one came back throttled. Each comes once.
  func dataMessageDidArrive(_ message: DataMessage)

  /// A lost connection is back, and the data messages that were missed are about to arrive: all of
  /// them, if it is recovered.
  func dataMessagesDidResume(isRecovered: Bool)

  /// Data messages are lost for good, at this place among those that arrive.
  func dataMessagesDidGetLost()

  /// Something was said, or the transcription itself changed. Each comes once.
  func transcriptDidArrive(_ news: TranscriptUpdate)

  /// The video part of the session changed. With `started`, `videoAtCapacityViewOnly` says that no
  /// camera may be sent.
  func videoDidChange(_ state: VideoConnectionState, status: MeetingSessionStatusCode)

  /// Something happened to the videos of the meeting, or to what this session sends.
  func videoDidTell(_ news: VideoUpdate)

  /// A remote video has a new picture. Called on main.
  func videoDidArrive(_ frame: VideoFrame, of tileId: Int)

  /// The link is being opened, is open, or was lost.
  func signalingDidChange(_ change: SignalingChange)

  /// What was measured of the session's media over the last second.
  func mediaWasMeasured(_ figures: [ObservableMetric: Double])

  /// Media has let the session in, that long after it was told where media is.
  func mediaPathDidOpen(afterMs durationMs: Int64)

  /// Nothing was recorded or played for a while that has just ended.
  func audioWasInterrupted()

  /// The server has answered the promotion of that number.
  func promotionWasAnswered(_ number: Int, _ answer: Result<PromotedAttendee, PromotionRefusal>)

  /// The server has ended the promotion as that attendee. A lost connection ends it without a word.
  func promotionDidEnd(as attendeeId: String, status: MeetingSessionStatusCode)
}

extension SessionConnectionDelegate {
  func transcriptDidArrive(_ news: TranscriptUpdate) {}
  func videoDidArrive(_ frame: VideoFrame, of tileId: Int) {}
  func signalingDidChange(_ change: SignalingChange) {}
  func mediaWasMeasured(_ figures: [ObservableMetric: Double]) {}
  func mediaPathDidOpen(afterMs durationMs: Int64) {}
  func audioWasInterrupted() {}
  func promotionWasAnswered(_ number: Int, _ answer: Result<PromotedAttendee, PromotionRefusal>) {}
  func promotionDidEnd(as attendeeId: String, status: MeetingSessionStatusCode) {}
}

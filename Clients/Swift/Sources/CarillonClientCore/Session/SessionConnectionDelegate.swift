/// The receiver of the reports of a session's connection.
///
/// Calls arrive on any thread, one after another, in the order of the events. Each start has its
/// own delegate.
protocol SessionConnectionDelegate: AnyObject, Sendable {
  /// The connection changed its state, or its health (`ok`, `networkBecomePoor`) while connected.
  func connectionDidChange(_ state: ConnectionState, status: MeetingSessionStatusCode)

  /// The session has ended after `SessionConnection.stop()`. Called once.
  func connectionDidStop()

  /// Attendees joined, left or dropped. A repeated join has no effect.
  func presenceDidChange(_ reports: [AttendeePresenceReport])

  /// A volume changed. The delegate receives all known volumes of attendees.
  func volumesDidChange(_ volumes: [VolumeReport])

  /// A signal strength changed. The delegate receives all known signal strengths of attendees.
  func signalsDidChange(_ signals: [SignalReport])

  /// The volumes of some attendees changed. The volumes of all other attendees are unchanged.
  func someVolumesDidChange(_ volumes: [VolumeReport])

  /// The signal strengths of some attendees changed. The signal strengths of all other attendees
  /// are unchanged.
  func someSignalsDidChange(_ signals: [SignalReport])

  /// A data message arrived, or the server throttled a message of this session. The connection
  /// reports each message once.
  func dataMessageDidArrive(_ message: DataMessage)

  /// The session has restored a lost connection, and missed data messages follow. If `isRecovered`
  /// is true, all missed messages follow.
  func dataMessagesDidResume(isRecovered: Bool)

  /// Data messages are permanently lost. In the meeting's order, the lost messages are between the
  /// last message that arrived and the next message that arrives.
  func dataMessagesDidGetLost()

  /// A transcript arrived, or the transcription changed its status. The connection reports each
  /// event once.
  func transcriptDidArrive(_ news: TranscriptUpdate)

  /// The video session changed its state.
  ///
  /// With `started`, `videoAtCapacityViewOnly` means that the session may not send camera video.
  func videoDidChange(_ state: VideoConnectionState, status: MeetingSessionStatusCode)

  /// The remote videos, or the video that this session sends, changed.
  func videoDidTell(_ news: VideoUpdate)

  /// A frame of a remote video arrived. Called on the main thread.
  func videoDidArrive(_ frame: VideoFrame, of tileId: Int)

  /// A frame of a remote video arrived, but the client does not decode its codec. Called on the
  /// main thread.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, before rotation.
  ///   - height: The height in pixels, before rotation.
  func encodedVideoDidArrive(width: Int, height: Int, of tileId: Int)

  /// The signaling connection is opening or open, or the session has lost this connection.
  func signalingDidChange(_ change: SignalingConnectionChange)

  /// The media engine measured the session's media over the last second.
  func mediaWasMeasured(_ figures: [ObservableMetric: Double])

  /// `media` has admitted the session. `durationMs` counts from the arrival of the address of
  /// `media`, or from the loss of the previous connection to `media`.
  func mediaPathDidOpen(afterMs durationMs: Int64)

  /// An interruption of recording or playback has just ended.
  func audioWasInterrupted()

  /// The server has answered request `number` for a promotion.
  func promotionWasAnswered(
    _ number: Int, _ answer: Result<PrimaryMeetingAttendee, PromotionRefusal>)

  /// The server has ended the promotion in which the session acted as this attendee.
  ///
  /// A lost connection ends a promotion without this call.
  func promotionDidEnd(as attendeeId: String, status: MeetingSessionStatusCode)
}

extension SessionConnectionDelegate {
  func transcriptDidArrive(_ news: TranscriptUpdate) {}
  func videoDidArrive(_ frame: VideoFrame, of tileId: Int) {}
  func encodedVideoDidArrive(width: Int, height: Int, of tileId: Int) {}
  func signalingDidChange(_ change: SignalingConnectionChange) {}
  func mediaWasMeasured(_ figures: [ObservableMetric: Double]) {}
  func mediaPathDidOpen(afterMs durationMs: Int64) {}
  func audioWasInterrupted() {}
  func promotionWasAnswered(
    _ number: Int, _ answer: Result<PrimaryMeetingAttendee, PromotionRefusal>
  ) {}
  func promotionDidEnd(as attendeeId: String, status: MeetingSessionStatusCode) {}
}

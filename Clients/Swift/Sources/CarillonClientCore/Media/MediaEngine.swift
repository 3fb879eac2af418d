/// The media half of one session: carries what it says and shows, and what it hears and sees.
///
/// `CarillonClientMedia` has the one that does; a `MeetingSessionWithoutMedia` takes part in
/// everything but media, and links no codec. All calls return at once and may come from any thread;
/// those of one session come one after the other. The engine is used for one start after the other.
package protocol MediaEngine: AnyObject, Sendable {
  /// The session begins. Frames and figures go to the delegate from now on.
  func begin(telling delegate: any MediaEngineDelegate, _ settings: MediaSettings)

  /// Media goes there from now on.
  func move(to place: MediaPlace)

  /// Nothing is said while muted: it holds with the next packet.
  func setMuted(_ isMuted: Bool)

  /// The videos that may come.
  func setReceived(_ tracks: [MediaTrack])

  /// The video that is sent; `nil` for none.
  func setPublished(_ publication: MediaPublication?)

  /// A frame of the local video, on its source's queue.
  ///
  /// - Parameter number: Of the publication it belongs to.
  func send(_ frame: VideoFrame, number: UInt64)

  /// What only the server can measure.
  func take(_ figures: ServerFigures)

  /// The session ends.
  func end()
}

/// The media half of a session, `nil` for one without any, or why it could not be made.
typealias MediaResult = Result<(any MediaEngine)?, any Error>

/// Hears from the media half of a session. Called on any thread.
package protocol MediaEngineDelegate: AnyObject, Sendable {
  /// A remote track has a new picture. Called on main.
  func mediaDidReceive(_ frame: VideoFrame, of tileId: Int)

  /// What was measured over the last second.
  func mediaDidMeasure(_ figures: [ObservableMetric: Double])

  /// So much audio is lost that people notice, or not any more.
  func mediaQualityDidChange(isPoor: Bool)

  /// Nothing has passed for a while, or it does again.
  func mediaConnectionDidChange(isLost: Bool)

  /// Media has let the session in, that long after it was told where media is, or has lost it.
  func mediaPathDidOpen(afterMs durationMs: Int64)

  /// Nothing was recorded or played for a while that has just ended.
  func audioWasInterrupted()
}

/// How the session wants its media.
package struct MediaSettings: Hashable, Sendable {
  /// Whether it takes part in audio; a content share does not.
  package var hasAudio = true
  /// Whether it is a content share: its figures have other names.
  package var isContent = false
  /// Whether the microphone is used.
  package var sendsAudio = true
  package var audioMode = AudioMode.stereo48K

  package init() {}
}

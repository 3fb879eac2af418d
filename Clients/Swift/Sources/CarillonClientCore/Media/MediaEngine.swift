/// The engine that sends and receives the audio and video of one session.
///
/// `CarillonClientMedia` implements it. A `MeetingSessionWithoutMedia` has no engine, and links no
/// codec. All calls return at once. Any thread may call the engine; the calls of one session do not
/// overlap. An engine serves one start after the other.
package protocol MediaEngine: AnyObject, Sendable {
  /// Begins a session. The delegate receives frames and metrics from now on.
  func begin(telling delegate: any MediaEngineDelegate, _ settings: MediaSettings)

  /// Connects to media at this place.
  func move(to place: MediaPlace)

  /// Mutes or unmutes the sent audio, from the next packet on.
  func setMuted(_ isMuted: Bool)

  /// Sets the remote videos that may arrive.
  func setReceived(_ tracks: [MediaTrack])

  /// Sets the video to send; `nil` for none.
  func setPublished(_ publication: MediaPublication?)

  /// Sends a frame of the local video. Called on its source's queue.
  ///
  /// - Parameter number: The number of the publication that the frame belongs to.
  func send(_ frame: VideoFrame, number: UInt64)

  /// Stores the metrics that only the server can measure.
  func take(_ figures: ServerFigures)

  /// Ends the session.
  func end()
}

/// The media engine of a session, `nil` for none, or the error that prevented its creation.
typealias MediaResult = Result<(any MediaEngine)?, any Error>

/// The receiver of the reports of a media engine. Called on any thread.
package protocol MediaEngineDelegate: AnyObject, Sendable {
  /// A frame of a remote track arrived. Called on main.
  func mediaDidReceive(_ frame: VideoFrame, of tileId: Int)

  /// The engine measured the last second.
  func mediaDidMeasure(_ figures: [ObservableMetric: Double])

  /// The loss of audio became audible, or is no longer.
  func mediaQualityDidChange(isPoor: Bool)

  /// The media connection was lost, because no packets pass, or was restored.
  func mediaConnectionDidChange(isLost: Bool)

  /// Media has admitted the session. `durationMs` counts from the time when the session learned the
  /// place of media, or lost media.
  func mediaPathDidOpen(afterMs durationMs: Int64)

  /// An interruption of recording or playback has just ended.
  func audioWasInterrupted()
}

/// The media settings of a session.
package struct MediaSettings: Hashable, Sendable {
  /// Whether the session has audio; a content share has none.
  package var hasAudio = true
  /// Whether the session is a content share: its metrics have other names.
  package var isContent = false
  /// Whether the session sends the microphone's audio.
  package var sendsAudio = true
  package var audioMode = AudioMode.stereo48K

  package init() {}
}

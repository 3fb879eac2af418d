/// The engine that sends and receives the audio and video of one session.
///
/// `CarillonClientMedia` implements the engine. A `MeetingSessionWithoutMedia` has no engine, and
/// links no codec. All calls return immediately. Any thread may call the engine, but the calls of
/// one session do not overlap. A session uses one engine for all its starts, one after the other.
package protocol MediaEngine: AnyObject, Sendable {
  /// Begins a session. After this call, the delegate receives frames and metrics. The engine keeps
  /// the sinks that were added since the last ``end()``.
  func begin(telling delegate: any MediaEngineDelegate, _ settings: SessionMediaSettings)

  /// Connects to `media` at the given address.
  func move(to place: MediaEndpoint)

  /// Mutes or unmutes the sent audio, from the next packet on.
  func setMuted(_ isMuted: Bool)

  /// Sets the remote videos that the session receives.
  func setReceived(_ tracks: [RemoteVideoTrack])

  /// Passes the encoded frames of a tile to a sink, from the next key frame on. Requests a key
  /// frame.
  ///
  /// The engine keeps the sink until ``removeEncodedVideoSink(_:of:)`` or ``end()``.
  func addEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int)

  /// Removes a sink from a tile. Has no effect if the tile does not have the sink.
  func removeEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int)

  /// Sets the video to send; `nil` sends no video.
  func setPublished(_ publication: VideoPublication?)

  /// Sends a frame of the local video. The frame's source calls this method on its own queue.
  ///
  /// - Parameter number: The number of the publication that the frame belongs to.
  func send(_ frame: VideoFrame, number: UInt64)

  /// Stores the metrics that only the server can measure.
  func take(_ figures: ServerMeasuredMetrics)

  /// Ends the session.
  func end()
}

/// The media engine of a session, `nil` for a session without media, or the error that prevented
/// the creation of the engine.
typealias MediaResult = Result<(any MediaEngine)?, any Error>

/// The receiver of a media engine's reports. The engine calls the receiver on any thread.
package protocol MediaEngineDelegate: AnyObject, Sendable {
  /// A frame of a remote track arrived. Called on the main thread.
  func mediaDidReceive(_ frame: VideoFrame, of tileId: Int)

  /// A frame of a remote track arrived, but the engine does not decode its codec. Called on the
  /// main thread.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, before rotation.
  ///   - height: The height in pixels, before rotation.
  func mediaDidReceiveEncoded(width: Int, height: Int, of tileId: Int)

  /// The engine has measured the session's media over the last second.
  func mediaDidMeasure(_ figures: [ObservableMetric: Double])

  /// The loss of audio packets has become audible, or is no longer audible.
  func mediaQualityDidChange(isPoor: Bool)

  /// The session has lost the media connection, because no packets arrive, or has restored the
  /// connection.
  func mediaConnectionDidChange(isLost: Bool)

  /// `media` has admitted the session.
  ///
  /// - Parameter durationMs: The time since the session received the address of `media`, or since
  ///   the session lost its connection to `media`.
  func mediaPathDidOpen(afterMs durationMs: Int64)

  /// An interruption of recording or playback has just ended.
  func audioWasInterrupted()
}

/// The media settings of a session.
package struct SessionMediaSettings: Hashable, Sendable {
  /// Whether the session has audio; a content share has none.
  package var hasAudio = true
  /// Whether the session is a content share. The metrics of a content share have other names.
  package var isContent = false
  /// Whether the session sends the microphone's audio.
  package var sendsAudio = true
  package var audioMode = AudioMode.stereo48K
  /// Whether the session sends audio with redundancy against packet loss.
  package var hasAudioRedundancy = true

  package init() {}
}

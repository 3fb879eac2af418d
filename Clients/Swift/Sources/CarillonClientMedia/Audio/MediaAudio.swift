/// The microphone and the loudspeaker of a session.
public struct MediaAudio: Sendable {
  /// The source of the audio that the session sends while the session is not muted.
  public var source: any AudioSource

  /// The sink of the audio that the session receives.
  public var sink: any AudioSink

  /// Creates a pair of source and sink. By default, the session sends silence and plays nothing.
  public init(source: any AudioSource = SilenceSource(), sink: any AudioSink = NullAudioSink()) {
    self.source = source
    self.sink = sink
  }
}

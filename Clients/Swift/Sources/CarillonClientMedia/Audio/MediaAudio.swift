/// What a session says, and where it hears.
public struct MediaAudio: Sendable {
  /// The microphone: what the session says while it is not muted.
  public var source: any AudioSource

  /// The loudspeaker: where the session hears the others.
  public var sink: any AudioSink

  /// Chooses both ends; without a choice the session is silent and hears nothing.
  public init(source: any AudioSource = SilenceSource(), sink: any AudioSink = NullAudioSink()) {
    self.source = source
    self.sink = sink
  }
}

/// What a session says, and where it hears.
public struct MediaAudio: Sendable {
  public var source: any AudioSource
  public var sink: any AudioSink

  public init(source: any AudioSource = SilenceSource(), sink: any AudioSink = NullAudioSink()) {
    self.source = source
    self.sink = sink
  }
}

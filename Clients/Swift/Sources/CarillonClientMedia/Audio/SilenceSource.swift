/// A source of silence.
public final class SilenceSource: AudioSource {
  /// Creates a source of silence.
  public init() {}

  public func read(into samples: inout MutableSpan<Int16>) -> Bool { false }
}

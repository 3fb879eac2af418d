/// A microphone at which nobody speaks.
public final class SilenceSource: AudioSource {
  /// Makes a source that has nothing to say.
  public init() {}

  public func read(into samples: inout MutableSpan<Int16>) -> Bool { false }
}

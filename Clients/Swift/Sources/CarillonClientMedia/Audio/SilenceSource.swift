/// A microphone at which nobody speaks.
public final class SilenceSource: AudioSource {
  public init() {}

  public func read(into samples: inout MutableSpan<Int16>) -> Bool { false }
}

/// A sink that passes received audio to a callback, in pieces of 20 ms.
public final class CallbackAudioSink: AudioSink {
  private let callback: @Sendable (_ samples: [Int16], _ channels: Int) -> Void

  /// Creates a sink.
  ///
  /// - Parameter callback: Receives the samples on the media thread. The callback must not block.
  public init(_ callback: @escaping @Sendable (_ samples: [Int16], _ channels: Int) -> Void) {
    self.callback = callback
  }

  public func write(_ samples: Span<Int16>, channels: Int) {
    callback([Int16](copying: samples), channels)
  }
}

extension [Int16] {
  /// Creates a copy of the samples of a span.
  init(copying samples: Span<Int16>) {
    self = []
    reserveCapacity(samples.count)
    for index in samples.indices { append(samples[index]) }
  }
}

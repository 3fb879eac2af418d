/// Hands on what is heard, in pieces of 20 ms.
public final class CallbackAudioSink: AudioSink {
  private let callback: @Sendable (_ samples: [Int16], _ channels: Int) -> Void

  /// - Parameter callback: Runs on the media thread and must not hold it up.
  public init(_ callback: @escaping @Sendable (_ samples: [Int16], _ channels: Int) -> Void) {
    self.callback = callback
  }

  public func write(_ samples: Span<Int16>, channels: Int) {
    callback([Int16](copying: samples), channels)
  }
}

extension [Int16] {
  /// A copy of lent samples.
  init(copying samples: Span<Int16>) {
    self = []
    reserveCapacity(samples.count)
    for index in samples.indices { append(samples[index]) }
  }
}

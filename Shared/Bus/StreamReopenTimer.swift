public import ZeroMQ

/// The timer that opens a stream again after the stream has ended or has lost an item.
///
/// The pause doubles with each attempt, until a stream works. The pause has a random part, so that
/// the streams of many meetings do not open at the same time. All methods run on its
/// ``SocketThread``.
public final class StreamReopenTimer {
  private let timer: ThreadTimer
  private var schedule = StreamReopenTimer.schedule

  private static let schedule = Retry(
    until: nil, pause: .milliseconds(100), longestPause: .seconds(1))

  public init(on thread: SocketThread) { timer = ThreadTimer(on: thread) }

  /// Calls `open` after a pause of at most 1.25 s, unless a call is already due.
  public func open(_ open: @escaping () -> Void) {
    if !timer.isSet { timer.set(after: schedule.nextPause(), open) }
  }

  /// Makes the next pause short again. Call this method after an item that only a working stream
  /// delivers.
  public func succeeded() { schedule = Self.schedule }

  /// Cancels the pending call of `open`.
  public func cancel() { timer.cancel() }
}

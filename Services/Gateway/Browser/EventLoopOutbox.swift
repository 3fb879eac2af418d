import NIOCore
import Synchronization

/// The queue of output from the gateway's socket thread to the connections of one event loop.
///
/// The event loop takes all queued output in one call. The event loop flushes each connection once.
final class EventLoopOutbox: Sendable {
  private let loop: any EventLoop
  private let outputs = Mutex<[QueuedBrowserOutput]>([])

  init(_ loop: any EventLoop) { self.loop = loop }

  func post(_ more: [QueuedBrowserOutput]) {
    let wasEmpty = outputs.withLock { outputs in
      defer { outputs += more }
      return outputs.isEmpty
    }
    guard wasEmpty, !more.isEmpty else { return }
    loop.execute { self.handOver() }
  }

  private func handOver() {
    let outputs = outputs.withLock { outputs in
      defer { outputs = [] }
      return outputs
    }
    for output in outputs { output.rim.value.take(output) }
    for output in outputs { output.rim.value.flush() }
  }
}

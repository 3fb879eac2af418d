import Foundation

/// The sinks of a source, each at most once.
///
/// `@unchecked Sendable` because the lock guards the list. The list calls sinks outside the lock,
/// on the source's queue.
package final class SinkList: @unchecked Sendable {
  private let lock = NSLock()
  private var sinks: [any VideoSink] = []

  package init() {}

  package func add(_ sink: any VideoSink) {
    lock.withLock {
      guard !sinks.contains(where: { $0 === sink }) else { return }
      sinks.append(sink)
    }
  }

  package func remove(_ sink: any VideoSink) {
    lock.withLock { sinks.removeAll { $0 === sink } }
  }

  package func deliver(_ frame: VideoFrame) {
    for sink in lock.withLock({ sinks }) { sink.onVideoFrameReceived(frame: frame) }
  }
}

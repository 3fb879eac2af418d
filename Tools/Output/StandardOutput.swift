internal import Foundation
internal import Synchronization

/// Who reads what this process prints.
package enum StandardOutput {
  /// Lets this process outlive whoever reads its output: from now on a write to a closed pipe is an
  /// error of that write. Children begin with the usual disposition.
  package static func outliveReaders() { signal(SIGPIPE, SIG_IGN) }

  /// Whether nobody reads a pipe or socket any more.
  package static func isUnread(_ descriptor: Int32 = STDOUT_FILENO) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLNVAL) == 0
  }

  /// Returns when nobody reads a pipe or socket any more, or when the task is cancelled.
  ///
  /// A file is always read, and so is a terminal until it hangs up.
  ///
  /// - Parameter descriptor: Stays open meanwhile; by default standard output.
  package static func waitUntilUnread(_ descriptor: Int32 = STDOUT_FILENO) async {
    let watch = Watch()
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    end.onTermination = { _ in watch.isOver.withLock { $0 = true } }
    // poll(2) blocks, and tells of a reader's end without being asked for any event.
    Thread.detachNewThread {
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      while !watch.isOver.withLock({ $0 }) {
        guard unsafe poll(&entry, 1, 500) > 0 else { continue }
        // A descriptor that is closed was never read.
        if entry.revents & Int16(POLLNVAL) == 0 { end.finish() }
        return
      }
    }
    for await _ in ends {}
  }

  private final class Watch: Sendable {
    let isOver = Mutex(false)
  }
}

internal import Foundation
internal import Synchronization

/// Detects whether this process's output still has a reader.
package enum OutputReaderMonitor {
  /// Lets this process continue after the end of the program that reads this process's output.
  ///
  /// After this call, a write to a closed pipe returns an error. Child processes start with the
  /// default disposition of SIGPIPE.
  package static func outliveReaders() { signal(SIGPIPE, SIG_IGN) }

  /// Returns whether a pipe or socket no longer has a reader.
  package static func isUnread(_ descriptor: Int32 = STDOUT_FILENO) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLNVAL) == 0
  }

  /// Waits until a pipe or socket no longer has a reader, or until the task's cancellation.
  ///
  /// This type assumes that somebody always reads a file. This type assumes that somebody reads a
  /// terminal until the terminal hangs up.
  ///
  /// - Parameter descriptor: An open descriptor; by default standard output.
  package static func waitUntilUnread(_ descriptor: Int32 = STDOUT_FILENO) async {
    let watch = Watch()
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    end.onTermination = { _ in watch.isOver.withLock { $0 = true } }
    // poll(2) blocks, so this code needs its own thread. poll(2) reports that the reader has
    // exited, even if the caller requests no event.
    Thread.detachNewThread {
      var entry = pollfd(fd: descriptor, events: 0, revents: 0)
      while !watch.isOver.withLock({ $0 }) {
        guard unsafe poll(&entry, 1, 500) > 0 else { continue }
        // A closed descriptor has no reader that could exit.
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

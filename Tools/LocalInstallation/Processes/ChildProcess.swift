internal import Foundation
package import Output
internal import Synchronization

/// A child process that leads its own process group and dies with this process.
///
/// ``ProcessSpawner`` creates this object. The object has two threads. One thread forwards the
/// lines that the process writes. The other thread waits until the process ends, and reaps the
/// process.
package final class ChildProcess: Sendable {
  private enum State {
    /// Nobody has reaped the process, so the kernel cannot reuse its id.
    case running
    /// The process has been reaped, and the reader of its output still forwards the last lines.
    case reaped(ChildExit)
    case ended(ChildExit)
  }

  private struct Life {
    var state = State.running
    var waiters: [CheckedContinuation<ChildExit, Never>] = []
  }

  /// The process id, for messages; use ``signal(_:)`` to send a signal.
  package let processID: Int32
  private let life = Mutex(Life())
  /// The write end of the process's standard input.
  private let input: Mutex<Int32?>

  /// Starts a program from the calling thread; the child dies with that thread.
  ///
  /// - Parameters:
  ///   - onLine: Called with each line, on a separate thread, and never after ``exit`` has
  ///     returned. While the closure runs, a child whose pipe is full waits.
  ///   - onEnd: Called once after the last line.
  package init(
    starting command: ChildCommand, takesInput: Bool,
    onLine: @escaping @Sendable (ChildLine) -> Void,
    onEnd: @escaping @Sendable (ChildExit) -> Void = { _ in }
  ) throws(CommandFailure) {
    var pipes: [Pipe] = []
    let output: Pipe
    let error: Pipe
    let end: Pipe
    let input: Pipe?
    do throws(CommandFailure) {
      output = try Pipe.make(addingTo: &pipes)
      error = try Pipe.make(addingTo: &pipes)
      end = try Pipe.make(addingTo: &pipes)
      input = takesInput ? try Pipe.make(addingTo: &pipes) : nil
      processID = try PosixSpawn.start(
        command,
        PosixSpawn.Streams(
          input: input?.readEnd, output: output.writeEnd, error: error.writeEnd))
    } catch let failure {
      for pipe in pipes { pipe.close() }
      throw failure
    }
    for descriptor in [output.writeEnd, error.writeEnd, input?.readEnd] {
      if let descriptor { close(descriptor) }
    }
    self.input = Mutex(input?.writeEnd)
    let reader = ChildOutputReader(
      output: output.readEnd, error: error.readEnd, end: end.readEnd, onLine: onLine)
    Thread.detachNewThread {
      reader.run()
      onEnd(self.finish())
    }
    Thread.detachNewThread {
      self.reap()
      close(end.writeEnd)
    }
  }

  /// The exit of the process. The getter waits until the process has ended and the reader has
  /// forwarded all lines of the process.
  package var exit: ChildExit {
    get async {
      await withCheckedContinuation { continuation in
        let ended = life.withLock { life -> ChildExit? in
          if case .ended(let exit) = life.state { return exit }
          life.waiters.append(continuation)
          return nil
        }
        if let ended { continuation.resume(returning: ended) }
      }
    }
  }

  /// Whether the child process still runs, or has ended but has not been reaped.
  package var isRunning: Bool {
    life.withLock { if case .running = $0.state { true } else { false } }
  }

  /// Sends a signal to the process group. Does nothing after the process has ended.
  package func signal(_ number: Int32) {
    life.withLock { life in
      // The lock prevents reaping, so the id cannot belong to another process.
      guard case .running = life.state else { return }
      _ = kill(-processID, number)
    }
  }

  /// Writes a line to the process's standard input. Does nothing after the end of the standard
  /// input.
  package func write(line: String) {
    let bytes = Array("\(line)\n".utf8)
    input.withLock { input in
      guard let input else { return }
      _ = unsafe Foundation.write(input, bytes, bytes.count)
    }
  }

  /// Blocks until the process has ended, and reaps the process.
  private func reap() {
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0,
      errno == EINTR
    {}
    life.withLock { life in
      var status: Int32 = 0
      unsafe _ = waitpid(processID, &status, 0)
      life.state = .reaped(ChildExit(waitStatus: status))
    }
    if let descriptor = input.withLock({ $0.take() }) { close(descriptor) }
  }

  private func finish() -> ChildExit {
    let (exit, waiters) = life.withLock { life in
      guard case .reaped(let exit) = life.state else {
        preconditionFailure("The reader ends after the process is reaped.")
      }
      life.state = .ended(exit)
      defer { life.waiters = [] }
      return (exit, life.waiters)
    }
    for waiter in waiters { waiter.resume(returning: exit) }
    return exit
  }
}

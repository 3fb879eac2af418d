internal import Foundation
package import Output
internal import Synchronization

/// A child process: it leads a process group of its own and dies with us.
///
/// Made by ``ProcessSpawner``. Two threads belong to it: one hands on the lines it writes, one
/// waits for its end and reaps it.
package final class ChildProcess: Sendable {
  private enum State {
    /// Not reaped: its process id is its own.
    case running
    /// Its last lines are being handed on.
    case reaped(ChildExit)
    case ended(ChildExit)
  }

  private struct Life {
    var state = State.running
    var waiters: [CheckedContinuation<ChildExit, Never>] = []
  }

  /// Its process id, for messages. To signal it, use ``signal(_:)``.
  package let processID: Int32
  private let life = Mutex(Life())
  /// The writing end of its standard input.
  private let input: Mutex<Int32?>

  /// Starts a program on the calling thread, whose death the child would not survive.
  ///
  /// - Parameters:
  ///   - onLine: Called with each line it writes, on a thread of its own; never after ``exit`` has
  ///     returned. While it runs the child waits, once its pipe is full.
  ///   - onEnd: Called once, behind the last line.
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

  /// How it ends; returns when it has, and all it wrote was handed on.
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

  /// Whether it has not ended yet.
  package var isRunning: Bool {
    life.withLock { if case .running = $0.state { true } else { false } }
  }

  /// Sends a signal to its process group; without effect once it has ended.
  package func signal(_ number: Int32) {
    life.withLock { life in
      // Under the lock it is not reaped meanwhile, so that its id cannot be somebody else's.
      guard case .running = life.state else { return }
      _ = kill(-processID, number)
    }
  }

  /// Writes a line to its standard input; without effect once that is closed.
  package func write(line: String) {
    let bytes = Array("\(line)\n".utf8)
    input.withLock { input in
      guard let input else { return }
      _ = unsafe Foundation.write(input, bytes, bytes.count)
    }
  }

  /// Blocks until the process has ended, and reaps it.
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

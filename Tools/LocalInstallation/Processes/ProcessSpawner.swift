package import Output
internal import ZeroMQ

/// Starts child processes, always from one thread that lives as long as this process.
///
/// A child is to die with us, and the kernel takes the death of the thread that started it for the
/// death of its parent (prctl(2), `PR_SET_PDEATHSIG`). A thread of a pool may end at any time; the
/// thread of this actor never does.
package actor ProcessSpawner {
  private let thread = SocketThread(name: "children")

  package init() {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - takesInput: Whether ``ChildProcess/write(line:)`` is going to be used.
  ///   - onLine: Called with each line the child writes, on a thread of the child's.
  ///   - onEnd: Called there when it has ended, behind its last line.
  /// - Throws: ``CommandFailure`` when it cannot be started.
  package func start(
    _ command: ChildCommand, takesInput: Bool = false,
    onLine: @escaping @Sendable (ChildLine) -> Void,
    onEnd: @escaping @Sendable (ChildExit) -> Void = { _ in }
  ) throws(CommandFailure) -> ChildProcess {
    try ChildProcess(starting: command, takesInput: takesInput, onLine: onLine, onEnd: onEnd)
  }
}

extension ProcessSpawner {
  /// Runs a program to its end.
  ///
  /// - Returns: The lines it printed.
  /// - Throws: ``CommandFailure`` unless it ended well.
  package nonisolated func output(of command: ChildCommand) async throws -> [String] {
    let (lines, arrivals) = AsyncStream.makeStream(of: String.self)
    let (ends, end) = AsyncStream.makeStream(of: ChildExit.self)
    _ = try await start(
      command, onLine: { line in if line.stream == .output { arrivals.yield(line.text) } }
    ) { exit in
      arrivals.finish()
      end.yield(exit)
      end.finish()
    }
    var printed: [String] = []
    for await line in lines { printed.append(line) }
    for await exit in ends where exit != .status(0) {
      throw CommandFailure(
        code: "UNAVAILABLE", message: "\(command.executable) ended with \(exit).")
    }
    return printed
  }
}

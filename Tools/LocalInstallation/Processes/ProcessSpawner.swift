package import Output
internal import ZeroMQ

/// Starts child processes from one thread that lives as long as this process.
///
/// Children must end with this process. The kernel signals a child when the thread that started the
/// child ends (prctl(2), `PR_SET_PDEATHSIG`). A thread of a pool may end at any time, but the
/// thread of this actor never ends.
package actor ProcessSpawner {
  private let thread = SocketThread(name: "children")

  package init() {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - takesInput: Whether the caller will call ``ChildProcess/write(line:)``.
  ///   - onLine: Called with each line of the child, on one of the child's threads.
  ///   - onEnd: Called on the same thread after the child's last line.
  /// - Throws: ``CommandFailure`` when this process cannot start the program.
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
  /// - Returns: The lines that the program printed.
  /// - Throws: ``CommandFailure`` unless the program exited successfully.
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

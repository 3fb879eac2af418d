internal import LocalInstallation
internal import Output

/// What the demo plays with, whatever services it plays on.
struct DemoStage: Sendable {
  let folder: DemoFolder
  let spawner: ProcessSpawner
  /// The environment of the processes it starts.
  let environment: [String: String]
  /// The Python interpreter that has the client.
  let python: String
}

extension DemoStage {
  /// Runs a program to its end.
  ///
  /// - Returns: The lines it printed.
  /// - Throws: ``CommandFailure`` unless it ended well.
  func output(of program: String, _ arguments: [String]) async throws -> [String] {
    let (lines, arrivals) = AsyncStream.makeStream(of: String.self)
    let (ends, end) = AsyncStream.makeStream(of: ChildExit.self)
    _ = try await spawner.start(
      ChildCommand(program, arguments, environment: environment),
      onLine: { line in if line.stream == .output { arrivals.yield(line.text) } }
    ) { exit in
      arrivals.finish()
      end.yield(exit)
      end.finish()
    }
    var printed: [String] = []
    for await line in lines { printed.append(line) }
    for await exit in ends where exit != .status(0) {
      throw CommandFailure(code: "UNAVAILABLE", message: "\(program) ended with \(exit).")
    }
    return printed
  }
}

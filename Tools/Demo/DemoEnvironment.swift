internal import LocalInstallation
internal import Speaking

/// What the demo plays with, whatever services it plays on.
struct DemoEnvironment: Sendable {
  let folder: DemoFolder
  let spawner: ProcessSpawner
  /// The environment of the processes it starts.
  let environment: [String: String]
  /// The Python interpreter that has the client.
  let python: String
}

extension DemoEnvironment {
  /// Runs a program to its end.
  ///
  /// - Returns: The lines it printed.
  /// - Throws: ``CommandFailure`` unless it ended well.
  func output(of program: String, _ arguments: [String]) async throws -> [String] {
    try await spawner.output(of: ChildCommand(program, arguments, environment: environment))
  }

  /// What says sentences.
  var speech: Speech { Speech(in: folder.path, by: spawner, environment: environment) }
}

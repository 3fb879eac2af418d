internal import LocalInstallation
internal import Speaking

/// Those tools of the demo that do not depend on the services under test.
struct DemoToolkit: Sendable {
  let folder: DemoFolder
  let spawner: ProcessSpawner
  /// The environment of the processes that the demo starts.
  let environment: [String: String]
  /// The path of a Python interpreter that has the Python client.
  let python: String
}

extension DemoToolkit {
  /// Runs a program to its end.
  ///
  /// - Returns: The lines that the program printed.
  /// - Throws: ``CommandFailure`` unless the program exited successfully.
  func output(of program: String, _ arguments: [String]) async throws -> [String] {
    try await spawner.output(of: ChildCommand(program, arguments, environment: environment))
  }

  /// A synthesizer of spoken sentences.
  var speech: SpeechSynthesizer {
    SpeechSynthesizer(in: folder.path, by: spawner, environment: environment)
  }
}

import TestSupport
import Trials

@testable import LocalInstallation

/// What came of a run of the program `carillon`.
struct CommandRun: Sendable {
  /// The lines of standard output.
  let output: [String]

  /// The lines of standard error.
  let errors: [String]
  let exit: ChildExit

  init(_ lines: [ChildLine], _ exit: ChildExit) {
    output = lines.filter { $0.stream == .output }.map(\.text)
    errors = lines.filter { $0.stream == .error }.map(\.text)
    self.exit = exit
  }
}

/// The program `carillon` while it runs, as the shell of an operator would start it.
struct RunningCommand: Sendable {
  /// One for all: of two that start children at once, one could inherit the other's pipes.
  private static let spawner = ProcessSpawner()

  let child: ChildProcess
  let lines: Journal<ChildLine>

  /// Starts the program in an environment of its own, in which the installation's directory is
  /// known.
  ///
  /// - Parameter reader: A shell's command that reads its standard output, instead of the test.
  static func start(
    _ words: [String], in directory: String, environment: [String: String] = [:],
    takesInput: Bool = false, readBy reader: String? = nil
  ) async throws -> RunningCommand {
    let lines = Journal<ChildLine>()
    let usual = [
      "PATH": "/usr/bin:/bin", "HOME": directory, "TERM": "dumb",
      "CARILLON_RUNTIME_DIR": "\(directory)/run",
    ]
    let program = try TestSupport.Installation.binaries() + "/carillon"
    let piped = reader.map { ["-c", #""$0" "$@" | \#($0); exit "${PIPESTATUS[0]}""#, program] }
    let command = ChildCommand(
      piped == nil ? program : "/bin/bash", (piped ?? []) + words,
      environment: usual.merging(environment) { $1 })
    let child = try await spawner.start(command, takesInput: takesInput) {
      lines.append($0)
    }
    return RunningCommand(child: child, lines: lines)
  }

  /// Waits until a line of standard output has this in it.
  func says(_ text: String) async throws {
    try await lines.wait(for: text, within: .seconds(40)) { lines in
      lines.contains { $0.stream == .output && $0.text.contains(text) }
    }
  }

  /// Waits until a line of standard error has this in it.
  func complains(_ text: String) async throws {
    try await lines.wait(for: text, within: .seconds(40)) { lines in
      lines.contains { $0.stream == .error && $0.text.contains(text) }
    }
  }

  /// Waits for its end.
  func end() async -> CommandRun {
    let exit = await child.exit
    return CommandRun(lines.entries, exit)
  }
}

/// Runs the program `carillon` to its end.
func carillon(
  _ words: [String], in directory: String, environment: [String: String] = [:]
) async throws -> CommandRun {
  try await RunningCommand.start(words, in: directory, environment: environment).end()
}

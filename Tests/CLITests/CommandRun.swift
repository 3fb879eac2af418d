import TestSupport
import Trials

@testable import LocalInstallation

/// The result of a run of the program `carillon`.
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

/// The running program `carillon`, started as an operator's shell would start it.
struct RunningCommand: Sendable {
  /// The spawner of all tests. If two spawners started children at the same time, each child could
  /// inherit the pipes of the other child.
  private static let spawner = ProcessSpawner()

  let child: ChildProcess
  let lines: AwaitableEntryList<ChildLine>

  /// Starts the program in a separate environment. This environment names the installation's
  /// directory.
  ///
  /// - Parameter reader: A shell command that reads the standard output in place of the test.
  static func start(
    _ words: [String], in directory: String, environment: [String: String] = [:],
    takesInput: Bool = false, readBy reader: String? = nil
  ) async throws -> RunningCommand {
    let lines = AwaitableEntryList<ChildLine>()
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

  /// Waits until a line of standard output contains this text.
  func says(_ text: String) async throws {
    try await lines.wait(for: text, within: .seconds(40)) { lines in
      lines.contains { $0.stream == .output && $0.text.contains(text) }
    }
  }

  /// Waits until a line of standard error contains this text.
  func complains(_ text: String) async throws {
    try await lines.wait(for: text, within: .seconds(40)) { lines in
      lines.contains { $0.stream == .error && $0.text.contains(text) }
    }
  }

  /// Waits until the program ends.
  func end() async -> CommandRun {
    let exit = await child.exit
    return CommandRun(lines.entries, exit)
  }
}

/// Runs the program `carillon` until it ends.
func carillon(
  _ words: [String], in directory: String, environment: [String: String] = [:]
) async throws -> CommandRun {
  try await RunningCommand.start(words, in: directory, environment: environment).end()
}

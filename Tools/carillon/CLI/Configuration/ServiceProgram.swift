internal import LocalInstallation
internal import Output
internal import Synchronization

/// The executable of a service. `carillon` runs the executable only to query the settings of the
/// service.
struct ServiceProgram: Sendable {
  /// The output of the program, and its exit.
  struct RunResult: Sendable {
    let exit: ChildExit
    let output: String
    let errors: String
  }

  let service: String
  let executable: String
  let spawner: ProcessSpawner

  init(_ service: LaunchedService, in executables: String, spawner: ProcessSpawner) {
    self.service = service.name
    executable = service.executable(in: executables)
    self.spawner = spawner
  }

  /// Returns the program's flags.
  ///
  /// - Throws: ``CommandFailure`` if the program does not print its flags.
  func flags(environment: [String: String]) async throws -> [ServiceFlag] {
    let answer = try await ask(["--experimental-dump-help"], environment)
    guard answer.exit == .status(0), let flags = try? ServiceFlag.flags(inHelp: answer.output)
    else {
      throw CommandFailure.precondition(
        "\(executable) does not list its settings (\(answer.exit)); build or install it there.")
    }
    return flags
  }

  /// Returns the service's objection to an environment and to arguments; `nil` if the service would
  /// start with them.
  func objection(
    to environment: [String: String], arguments: [String] = []
  ) async throws -> String? {
    let answer = try await ask(["--check-configuration"] + arguments, environment)
    guard answer.exit != .status(0) else { return nil }
    // The usage after the message describes the command line, but the fault is in the environment.
    let message = answer.errors.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { !$0.hasPrefix("Usage:") && !$0.hasPrefix("Help:") }
      .joined(separator: " ").trimmingPrefix("Error: ")
    return message.isEmpty ? "It ended with \(answer.exit)." : String(message)
  }

  private func ask(_ flags: [String], _ environment: [String: String]) async throws -> RunResult {
    let heard = CapturedLines()
    let child = try await spawner.start(
      ChildCommand(executable, flags, environment: environment)
    ) { heard.add($0) }
    let exit = await child.exit
    return RunResult(exit: exit, output: heard.text(of: .output), errors: heard.text(of: .error))
  }
}

private final class CapturedLines: Sendable {
  private let lines = Mutex<[ChildLine]>([])

  func add(_ line: ChildLine) { lines.withLock { $0.append(line) } }

  func text(of stream: ChildLine.Stream) -> String {
    lines.withLock { $0 }.filter { $0.stream == stream }.map(\.text).joined(separator: "\n")
  }
}

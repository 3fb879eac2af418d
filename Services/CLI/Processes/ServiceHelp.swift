internal import Synchronization

/// Asks a service's executable which flags it has.
enum ServiceHelp {
  /// - Returns: Its long flags, without dashes.
  /// - Throws: ``CommandFailure`` when it does not say.
  static func flags(
    of service: ServiceDescription, _ settings: InstallationSettings, _ spawner: ProcessSpawner
  ) async throws -> Set<String> {
    let executable = service.executable(in: settings)
    let help = HelpText()
    let child = try await spawner.start(
      ChildCommand(executable, ["--experimental-dump-help"], environment: settings.environment)
    ) { line in
      if line.stream == .output { help.add(line.text) }
    }
    let exit = await child.exit
    guard exit == .status(0), let flags = try? ServiceEnvironment.flags(inHelp: help.text) else {
      throw CommandFailure.precondition(
        "\(executable) does not say which settings it has (\(exit)); build or install it there.")
    }
    return flags
  }
}

private final class HelpText: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

internal import ArgumentParser
internal import Foundation
internal import Logging

extension ServiceCommand {
  /// Runs the service with the process's own command line and environment, and ends the process.
  @concurrent public static func main() async {
    await main(nil)
  }

  /// Runs the service with this command line and the process's environment, and ends the process.
  ///
  /// - Parameter arguments: The arguments without the executable's name; `nil` for the process's
  ///   own arguments.
  @concurrent public static func main(_ arguments: [String]?) async {
    // Without this call, a closed standard output would end the process and hide the exit status.
    signal(SIGPIPE, SIG_IGN)
    let process = ProcessInfo.processInfo
    let status = await start(
      arguments ?? Array(process.arguments.dropFirst()), environment: process.environment)
    Foundation.exit(status)
  }

  /// - Returns: The exit status.
  private static func start(
    _ arguments: [String], environment: [String: String]
  ) async -> Int32 {
    switch parse(arguments, environment: environment) {
    case .answer(let text, .success):
      print(text)
      return ProcessExitStatus.success.rawValue
    case .answer(let text, let status):
      StandardError.write(line: text)
      return status.rawValue
    case .command(let command) where command.host.checkConfiguration:
      do { try command.checkRequestedDirectory() } catch {
        StandardError.write(line: "Error: \(error)")
        return ProcessExitStatus(for: error).rawValue
      }
      print("\(serviceName): flags and environment are right")
      return ProcessExitStatus.success.rawValue
    case .command(var command):
      do {
        try await command.run()
        return ProcessExitStatus.success.rawValue
      } catch {
        let status = ProcessExitStatus(for: error)
        LogOutput(command.host, service: serviceName, environment: environment)
          .logger(label: serviceName)
          .error(
            status == .internalFailure ? "Stopped because of a failure" : "Cannot start",
            metadata: [LogMetadataKey.error: "\(error)"])
        return status.rawValue
      }
    }
  }

  /// Parses a command line and an environment.
  static func parse(
    _ arguments: [String], environment: [String: String]
  ) -> ParsedCommand<Self> {
    let parsedAlone = parse(arguments)
    // The command shows help whatever the environment contains.
    if case .answer(_, .success) = parsedAlone { return parsedAlone }
    // If the environment sets no flags, the second parsing gives the same result. In a debug build,
    // the listing of the flags and the second parsing take half of the start time.
    guard EnvironmentFlags.canSetFlags(environment) else { return parsedAlone }
    let fromEnvironment: [String]
    do {
      fromEnvironment = try EnvironmentFlags.arguments(
        from: environment, for: try EnvironmentSettableFlag.all(of: Self.self), given: arguments,
        service: serviceName)
    } catch {
      return .answer("Error: \(error)", status: ProcessExitStatus(for: error))
    }
    let parsed = parse(fromEnvironment + arguments)
    guard case .answer(let text, _) = parsed, case .command = parsedAlone else { return parsed }
    // The arguments alone are valid, so the error is in the environment.
    return .answer(
      "\(text)\nSet in the environment: \(fromEnvironment.joined(separator: " "))",
      status: .configuration)
  }

  private static func parse(_ arguments: [String]) -> ParsedCommand<Self> {
    do {
      return .command(try Self.parse(arguments))
    } catch {
      return .answer(
        fullMessage(for: error), status: exitCode(for: error).isSuccess ? .success : .usage)
    }
  }
}

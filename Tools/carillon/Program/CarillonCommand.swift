public import ArgumentParser
internal import CLI
internal import CarillonClientCore
internal import Demo
internal import Output

/// The command `carillon`, which contains the operator's commands and the demo.
public struct CarillonCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Runs and operates a Carillon installation.",
    discussion: """
      Exit statuses: 0 success, 1 failure, 64 a wrong command line, 69 the installation cannot be \
      reached, 75 another process uses a port or a service's name, 78 a service cannot start until \
      its configuration is corrected, 128 plus the signal's number after a second signal.
      """,
    version: Versioning.sdkVersion(),
    subcommands: [OperatorCommands.up, DemoCommand.self] + OperatorCommands.all
      + [CompletionCommand.self])

  public init() {}
}

extension CarillonCommand {
  /// Runs the process's command line, and ends the process.
  ///
  /// This method does not block the main thread, because sessions need the main thread for
  /// callbacks.
  @concurrent public static func main() async {
    // If the reader of the log or of the output exits, the command and its meetings continue.
    OutputReaderMonitor.outliveReaders()
    await main(nil)
  }
}

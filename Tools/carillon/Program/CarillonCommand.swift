public import ArgumentParser
internal import CLI
internal import CarillonClientCore
internal import Demo
internal import Output

/// `carillon`: the commands of whoever runs an installation, and the demo, under one name.
public struct CarillonCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Runs and operates a Carillon installation.",
    discussion: """
      Exit statuses: 0 done, 1 failed, 64 a wrong command line, 69 the installation cannot be \
      reached, 78 a service cannot start until something is put right; 128 plus the signal's \
      number after a second signal.
      """,
    version: Versioning.sdkVersion(),
    subcommands: [OperatorCommands.up, DemoCommand.self] + OperatorCommands.all
      + [CompletionCommand.self])

  public init() {}
}

extension CarillonCommand {
  /// Runs the command of the process's command line, and ends the process.
  ///
  /// Main must be free meanwhile: the callbacks of sessions come there.
  @concurrent public static func main() async {
    // Whoever reads its log or its output may go away: the meetings that it runs, or is in, go on.
    StandardOutput.outliveReaders()
    await main(nil)
  }
}

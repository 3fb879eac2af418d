internal import ArgumentParser
internal import Bus
internal import LocalInstallation
internal import Output

/// The command `carillon drain`.
struct DrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain", abstract: "Moves the meetings of an instance to the other instances.",
    discussion: """
      A gateway moves its clients to the other gateways. The instance keeps running, but gets no \
      new meetings. The command ends when the instance has no meetings; you can then stop the \
      instance without an effect on clients. The command needs no gateway. `carillon undrain` and \
      a restart of the instance undo it.
      """)

  @Argument(help: "Name of the instance, such as presence-a.")
  var instance: String
  @Option(help: "Seconds to wait until the instance has no meetings, 0-3600.")
  var timeoutSeconds = 30
  @OptionGroup var shared: StoreOptions
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (0...3600).contains(timeoutSeconds) else {
      throw ValidationError("--timeout-seconds must be 0-3600; got \(timeoutSeconds).")
    }
  }

  func run() async throws {
    try await output.reportingFailure {
      let found = try DrainedInstance.find(instance, in: runtime.places, sharing: shared)
      guard try found.hasSuccessor() else {
        throw CommandFailure.precondition(
          """
          No other instance of \(found.service) can take over from \(instance). Start one, or run \
          carillon undrain on a drained one.
          """)
      }
      try found.set(isDraining: true)
      try await output.print([found.awaitEmpty(within: .seconds(timeoutSeconds)).record])
    }
  }
}

/// The command `carillon undrain`.
struct UndrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undrain", abstract: "Lets a drained instance take meetings again.")

  @Argument(help: "Name of the instance, such as presence-a.")
  var instance: String
  @OptionGroup var shared: StoreOptions
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let found = try DrainedInstance.find(instance, in: runtime.places, sharing: shared)
      try found.set(isDraining: false)
      output.print([try found.look().record])
    }
  }
}

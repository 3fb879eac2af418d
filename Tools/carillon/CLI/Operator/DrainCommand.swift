internal import ArgumentParser
internal import Bus
internal import LocalInstallation
internal import Output

/// `carillon drain`.
struct DrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain", abstract: "Has an instance hand its meetings over to the others.",
    discussion: """
      A gateway sends its clients to the other gateways. The instance goes on running, gets \
      nothing new, and can be stopped without anybody noticing once it has no meetings. Ends when \
      it has none. It needs no gateway. `carillon undrain` takes it back, and so does a restart.
      """)

  @Argument(help: "The instance, such as presence-a.")
  var instance: String
  @Option(help: "Seconds to wait until it has no meetings, 0-3600.")
  var timeoutSeconds = 30
  @OptionGroup var shared: StoreOptions
  @OptionGroup var runtime: RuntimeOptions
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
          "No other \(found.service) lives to take over from \(instance); start one first.")
      }
      try found.set(isDraining: true)
      try await output.print([found.awaitEmpty(within: .seconds(timeoutSeconds)).record])
    }
  }
}

/// `carillon undrain`.
struct UndrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undrain", abstract: "Has an instance take its share of the meetings again.")

  @Argument(help: "The instance, such as presence-a.")
  var instance: String
  @OptionGroup var shared: StoreOptions
  @OptionGroup var runtime: RuntimeOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let found = try DrainedInstance.find(instance, in: runtime.places, sharing: shared)
      try found.set(isDraining: false)
      output.print([try found.look().record])
    }
  }
}

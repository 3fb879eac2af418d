internal import ArgumentParser
internal import Bus
internal import LocalInstallation
internal import Output
internal import Wire

/// `carillon limits`.
struct LimitsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits", abstract: "Shows the limits in force, merged from all services.")

  @OptionGroup var runtime: RuntimeOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let limits = try await runtime.withOperator {
        try await $0.call(V1.OperatorMethods.getLimits, V1.GetLimitsRequest())
      }
      output.print(Record(limits))
    }
  }
}

internal import ArgumentParser
internal import Output
internal import Wire

/// The command `carillon limits`.
struct LimitsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits", abstract: "Shows the limits of the installation, from all its services.")

  @OptionGroup var gateway: OperatorOptions

  func run() async throws {
    try await gateway.show(V1.OperatorMethods.getLimits, V1.GetLimitsRequest()) { OutputRecord($0) }
  }
}

internal import ArgumentParser
internal import Bus
internal import LocalInstallation
internal import Output
internal import Wire

/// `carillon services`.
struct ServicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "services", abstract: "Lists the running services and how they are.")

  @OptionGroup var runtime: RuntimeOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let services = try await runtime.withOperator {
        try await $0.call(V1.OperatorMethods.getServices, V1.GetServicesRequest())
      }
      output.print(services.instances.map { Record($0) })
    }
  }
}

internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// `carillon services`.
struct ServicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "services", abstract: "Lists the running services and how they are.",
    discussion: """
      process_id is an id on the host, or in the container, that the instance runs in: elsewhere \
      it means another process.
      """)

  @OptionGroup var gateway: OperatorOptions

  func run() async throws {
    try await gateway.list {
      try await $0.call(V1.OperatorMethods.getServices, V1.GetServicesRequest()).instances.map {
        Record($0)
      }
    }
  }
}

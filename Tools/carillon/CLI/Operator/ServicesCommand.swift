internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// The command `carillon services`.
struct ServicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "services", abstract: "Lists the running services and their state.",
    discussion: """
      process_id is valid only on the host, or in the container, in which the instance runs. For a \
      gateway, meetings is the number of meetings with a session at this gateway. For the other \
      services, meetings is the number of meetings for which the instance keeps data in memory, \
      including meetings without attendees.
      """)

  @OptionGroup var gateway: OperatorOptions

  func run() async throws {
    try await gateway.list {
      try await $0.call(V1.OperatorMethods.getServices, V1.GetServicesRequest()).instances.map {
        OutputRecord($0)
      }
    }
  }
}

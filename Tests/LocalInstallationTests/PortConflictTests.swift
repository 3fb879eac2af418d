import Testing

@testable import LocalInstallation
@testable import Output

@Suite struct PortConflictTests {
  private var settings = InstallationSettings(
    runtimeDirectory: "/run/c", restPort: 8080, allowsUnsigned: false, drainSeconds: 1,
    executables: "/bin", environment: [:])

  /// Returns the conflicts if the services read these variables.
  private func conflicts(
    _ variables: [String: String], of readers: Set<String>
  ) -> [PortConflict] {
    let environments = Dictionary(uniqueKeysWithValues: readers.map { ($0, variables) })
    return PortConflict.all(LaunchedService.all, in: settings, environments: environments)
  }

  private static let tcp: Set = ["gateway", "media"]

  @Test func `one tcp port for the gateway and media is a conflict`() throws {
    let conflicts = conflicts(["CARILLON_LISTEN_TCP": "127.0.0.1:7400"], of: Self.tcp)
    let conflict = try #require(conflicts.first)
    #expect(conflicts.count == 1)
    #expect(
      conflict.fault
        == "media (CARILLON_LISTEN_TCP), gateway (CARILLON_LISTEN_TCP) would listen on the same "
        + "port, 127.0.0.1:7400")
    #expect(conflict.remedy.contains("CARILLON_PORT_ATTEMPTS"))
    #expect(conflict.variables == ["CARILLON_LISTEN_TCP"])
  }

  @Test(arguments: [
    ["CARILLON_LISTEN_TCP": "127.0.0.1:7400", "CARILLON_PORT_ATTEMPTS": "2"], [:],
    ["CARILLON_LISTEN_TCP": ""], ["CARILLON_CLUSTER_LISTEN": "10.0.0.1"],
    ["CARILLON_CLUSTER_LISTEN": "10.0.0.1:7500-7520"], ["CARILLON_CLUSTER_LISTEN": "[::1]"],
    ["CARILLON_HEALTH_PORT": "0"],
  ])
  func `services that choose their own ports have no conflict`(variables: [String: String]) {
    #expect(conflicts(variables, of: Self.tcp) == [])
  }

  @Test(arguments: [
    (["CARILLON_HEALTH_PORT": "9100"], "127.0.0.1:9100"),
    (["CARILLON_CLUSTER_LISTEN": "10.0.0.1:7500"], "10.0.0.1:7500"),
    (["CARILLON_CLUSTER_LISTEN": "[::1]:7500"], "[::1]:7500"),
  ])
  func `one health port or cluster port for several services is a conflict`(
    variables: [String: String], place: String
  ) {
    let conflicts = conflicts(variables, of: ["presence", "messaging", "media"])
    #expect(conflicts.map(\.variables) == [variables.keys.sorted()])
    #expect(conflicts.allSatisfy { $0.fault.hasSuffix(place) })
    #expect(self.conflicts(variables, of: ["presence"]) == [])
  }

  @Test mutating func `the flags of carillon up override the variable CARILLON_LISTEN_TCP`() {
    settings.gatewayTCP = "127.0.0.1:7401"
    let variables = ["CARILLON_LISTEN_TCP": "127.0.0.1:7400"]
    #expect(conflicts(variables, of: Self.tcp) == [])
    settings.mediaTCP = "*:7401"
    #expect(
      conflicts(variables, of: Self.tcp).map(\.fault) == [
        "media (--media-tcp), gateway (--gateway-tcp) would listen on the same port, *:7401"
      ])
  }

  @Test mutating func `REST and tcp clients need different ports`() {
    settings.gatewayTCP = "127.0.0.1:8080"
    let failure = #expect(throws: CommandFailure.self) {
      try PortConflict.refuse(LaunchedService.all, in: settings, environments: [:])
    }
    #expect(failure?.exit == .configuration)
    #expect(
      failure?.message
        == "gateway (--rest-port), gateway (--gateway-tcp) would listen on the same port, "
        + "127.0.0.1:8080; choose another port for one of the two.")
  }
}

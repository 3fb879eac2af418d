import Testing

@testable import LocalInstallation
@testable import Output

@Suite struct ServiceEnvironmentTests {
  private let flags: [String: [ServiceFlag]] = [
    "presence": [.example("max-attendees"), .example("log-level")],
    "gateway": [.example("rest-port"), .example("log-level"), .example("help", value: nil)],
  ]

  @Test func `each service receives the settings that it knows`() throws {
    let environments = try ServiceEnvironment.environments(
      from: [
        "PATH": "/bin", "CARILLON_MAX_ATTENDEES": "5", "CARILLON_REST_PORT": "1",
        "CARILLON_LOG_LEVEL": "debug", "CARILLON_PYTHON": "python3",
      ], flags: flags)
    #expect(
      environments["presence"]
        == ["PATH": "/bin", "CARILLON_MAX_ATTENDEES": "5", "CARILLON_LOG_LEVEL": "debug"])
    #expect(
      environments["gateway"]
        == ["PATH": "/bin", "CARILLON_REST_PORT": "1", "CARILLON_LOG_LEVEL": "debug"])
  }

  @Test func `a setting that no service knows is refused`() throws {
    let failure = #expect(throws: CommandFailure.self) {
      try ServiceEnvironment.environments(from: ["CARILLON_MAX_ATENDEES": "5"], flags: flags)
    }
    #expect(failure?.message.contains("CARILLON_MAX_ATENDEES") == true)
    #expect(failure?.exit == .configuration)
  }

  @Test func `no service receives an orchestrator's variables`() throws {
    let environments = try ServiceEnvironment.environments(
      from: [
        "CARILLON_PORT": "tcp://10.0.0.1:8080", "CARILLON_REST_PORT": "tcp://10.0.0.1:8080",
        "CARILLON_SERVICE_HOST": "10.0.0.1", "CARILLON_LOG_LEVEL": "debug",
        "CARILLON_REST_SERVICE_PORT_HTTP": "80",
      ], flags: flags)
    #expect(environments["gateway"] == ["CARILLON_LOG_LEVEL": "debug"])
    #expect(environments["presence"] == ["CARILLON_LOG_LEVEL": "debug"])
  }

  @Test func `a flag that takes no value cannot be set by a variable`() throws {
    #expect(throws: CommandFailure.self) {
      try ServiceEnvironment.environments(from: ["CARILLON_HELP": "1"], flags: flags)
    }
  }

  @Test func `the removal of the settings leaves the other environment variables unchanged`() {
    #expect(
      ServiceEnvironment.withoutSettings(["PATH": "/bin", "CARILLON_REST_PORT": "1"])
        == ["PATH": "/bin"])
  }
}

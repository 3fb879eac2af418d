import Testing

@testable import CLI

@Suite struct ServiceEnvironmentTests {
  private let flags: [String: Set<String>] = [
    "presence": ["max-attendees", "log-level"], "gateway": ["rest-port", "log-level"],
  ]

  @Test func `each service is given the settings it knows`() throws {
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
  }

  @Test func `the flags of a service are read from its help`() throws {
    let help = """
      {"command": {"arguments": [{"names": [{"kind": "long", "name": "rest-port"},
      {"kind": "short", "name": "p"}]}, {"kind": "positional"}]}, "serializationVersion": 0}
      """
    #expect(try ServiceEnvironment.flags(inHelp: help) == ["rest-port"])
    #expect(throws: (any Error).self) { try ServiceEnvironment.flags(inHelp: "usage: x") }
  }

  @Test func `without settings only the rest of the environment is left`() {
    #expect(
      ServiceEnvironment.withoutSettings(["PATH": "/bin", "CARILLON_REST_PORT": "1"])
        == ["PATH": "/bin"])
  }
}

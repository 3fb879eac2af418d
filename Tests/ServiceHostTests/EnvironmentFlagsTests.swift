import Testing

@testable import ServiceHost

@Suite struct EnvironmentFlagsTests {
  private func arguments(
    _ environment: [String: String], given: [String] = []
  ) throws -> [String] {
    try EnvironmentFlags.arguments(
      from: environment, for: EnvironmentSettableFlag.all(of: ExampleTilesCommand.self),
      given: given,
      service: "example-tiles")
  }

  @Test(arguments: [
    ("CARILLON_MAX_ATTENDEES", "300", ["--max-attendees=300"]),
    ("CARILLON_LOG_FORMAT", "json", ["--log-format=json"]),
    ("CARILLON_RUNTIME_DIR", "-odd", ["--runtime-dir=-odd"]),
    ("CARILLON_MAX_ATTENDEES", "", []),
    ("CARILLON_LISTEN", "a,b", ["--listen=a", "--listen=b"]),
    ("CARILLON_ALLOW_UNSIGNED", "true", ["--allow-unsigned"]),
    ("CARILLON_ALLOW_UNSIGNED", "0", []),
    ("CARILLON_REPLAY", "1", ["--replay"]),
    ("CARILLON_REPLAY", "false", ["--no-replay"]),
    ("PATH", "/bin", []),
    ("CARILLONS", "many", []),
  ])
  func `an environment variable becomes the flag of the same name`(
    name: String, value: String, expected: [String]
  )
    throws
  {
    #expect(try arguments([name: value]) == expected)
  }

  @Test(arguments: [
    ("CARILLON_MAX_ATENDEES", "did you mean CARILLON_MAX_ATTENDEES?"),
    ("CARILLON_LOGFORMAT", "did you mean CARILLON_LOG_FORMAT?"),
    ("CARILLON_NO_REPLAY", "did you mean CARILLON_REPLAY?"),
    ("CARILLON_COLOUR_OF_THE_WALLS", "remove it"),
    (
      "CARILLON_REST_PORT",
      "is not a setting of example-tiles, but of gateway; set it there alone."
    ),
    ("CARILLON_DATA_MESSAGE_BYTES", "but of messaging"),
    ("CARILLON_HELP", "is not a setting of example-tiles"),
    ("CARILLON_CHECK_CONFIGURATION", "is not a setting of example-tiles"),
    ("CARILLON_", "remove it"),
  ])
  func `an unknown variable is refused with a suggestion`(name: String, advice: String) {
    let error = #expect(throws: HostError.self) { try arguments([name: "1"]) }
    #expect(error?.description.contains("\(name) is not a setting of example-tiles") == true)
    #expect(error?.description.contains(advice) == true)
  }

  @Test(arguments: [
    ("CARILLON_SERVICE_HOST", "10.0.0.1"), ("CARILLON_SERVICE_PORT", "8080"),
    ("CARILLON_SERVICE_PORT_REST", "8080"), ("CARILLON_SERVICE_PORT_REST_TLS", "8443"),
    ("CARILLON_PORT", "tcp://10.0.0.1:8080"), ("CARILLON_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
    ("CARILLON_PORT_8080_TCP_PROTO", "tcp"), ("CARILLON_PORT_8080_TCP_PORT", "8080"),
    ("CARILLON_PORT_8080_TCP_ADDR", "10.0.0.1"), ("CARILLON_PORT_3478_UDP", "udp://10.0.0.1:3478"),
    ("CARILLON_PORT_3478_SCTP_ADDR", "10.0.0.1"), ("CARILLON_REST_SERVICE_HOST", "10.0.0.1"),
    ("CARILLON_REST_PORT_8080_TCP_ADDR", "10.0.0.1"), ("CARILLON_REST_PORT", "tcp://10.0.0.1:1"),
    ("CARILLON_HEALTH_PORT", "tcp://10.0.0.1:8080"),
    ("CARILLON_HEALTH_PORT", "udp://10.0.0.1:8080"),
  ])
  func `variables that an orchestrator sets for a Service are ignored`(
    name: String, value: String
  ) throws {
    let environment = [name: value, "CARILLON_MAX_ATTENDEES": "3"]
    #expect(try arguments(environment) == ["--max-attendees=3"])
    let flags = try EnvironmentSettableFlag.all(of: ExampleTilesCommand.self)
    #expect(EnvironmentFlags.passedOver(in: environment, for: flags) == [name])
  }

  @Test(arguments: [
    ("CARILLON_PORT", "8080"), ("CARILLON_REST_PORT", "80"), ("CARILLON_SERVICE", "x"),
    ("CARILLON_SERVICE_PORTS", "80"), ("CARILLON_SERVICE_PORT_", "80"),
    ("CARILLON_PORT_TCP", "tcp://10.0.0.1:80"), ("CARILLON_PORT_80000_TCP", "tcp://10.0.0.1:80"),
    ("CARILLON_8080_TCP", "tcp://10.0.0.1:80"), ("CARILLON_PORT_8080_TPC", "x"),
    ("CARILLON_HEALTHPORT", "tcp://10.0.0.1:80"), ("CARILLON_MAX_ATENDEES", "tcp://10.0.0.1:80"),
  ])
  func `variables that only resemble an orchestrator's variables are refused`(
    name: String, value: String
  ) {
    #expect(throws: HostError.self) { try arguments([name: value]) }
  }

  @Test func `a HEALTH_PORT variable with a number sets the health port`() throws {
    #expect(try arguments(["CARILLON_HEALTH_PORT": "80"]) == ["--health-port=80"])
  }

  @Test func `the error names every unknown variable`() {
    let error = #expect(throws: HostError.self) {
      try arguments(["CARILLON_ONE_THING": "1", "CARILLON_OTHER_THING": "1"])
    }
    #expect(error?.description.contains("CARILLON_ONE_THING") == true)
    #expect(error?.description.contains("CARILLON_OTHER_THING") == true)
  }

  @Test func `a variable of a boolean flag is refused if its value is neither true nor false`() {
    #expect(
      throws: HostError.configuration(
        "CARILLON_ALLOW_UNSIGNED must be true, false, 1 or 0; got yes.")
    ) { try arguments(["CARILLON_ALLOW_UNSIGNED": "yes"]) }
  }

  @Test(arguments: [["--listen", "c"], ["--listen=c"]])
  func `a list in the flags replaces the list in the environment`(given: [String]) throws {
    #expect(try arguments(["CARILLON_LISTEN": "a"], given: given) == [])
  }

  @Test func `an argument after the terminator is not read as a flag`() throws {
    let parsed = try arguments(["CARILLON_LISTEN": "a"], given: ["--", "--listen"])
    #expect(parsed == ["--listen=a"])
  }

  @Test(arguments: [
    ("abc", "abc", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 2),
  ])
  func `the edit distance of two texts is computed`(text: String, other: String, edits: Int) {
    #expect(NameSuggestion.edits(from: text, to: other) == edits)
  }
}

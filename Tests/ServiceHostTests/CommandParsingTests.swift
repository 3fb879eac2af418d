import Testing

@testable import ServiceHost

@Suite struct CommandParsingTests {
  private func parse(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) -> ParsedCommand<ExampleTilesCommand> {
    ExampleTilesCommand.parse(arguments, environment: environment)
  }

  private func command(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> ExampleTilesCommand {
    guard case .command(let command) = parse(arguments, environment) else {
      Issue.record("Refused: \(parse(arguments, environment))")
      throw HostError.configuration("refused")
    }
    return command
  }

  @Test func `the environment sets options that no flag sets`() throws {
    let parsed = try command(
      ["--log-format", "json"],
      ["CARILLON_MAX_ATTENDEES": "300", "CARILLON_REPLAY": "false", "CARILLON_LISTEN": "a,b"])
    #expect(parsed.maxAttendees == 300)
    #expect(!parsed.replay)
    #expect(parsed.listen == ["a", "b"])
    #expect(parsed.host.logFormat == .json)
  }

  @Test func `flags override the environment`() throws {
    let parsed = try command(
      ["--max-attendees", "10", "--replay", "--listen", "c", "--drain-seconds=0"],
      [
        "CARILLON_MAX_ATTENDEES": "300", "CARILLON_REPLAY": "false", "CARILLON_LISTEN": "a,b",
        "CARILLON_DRAIN_SECONDS": "3",
      ])
    #expect(parsed.maxAttendees == 10)
    #expect(parsed.replay)
    #expect(parsed.listen == ["c"])
    #expect(parsed.host.drainSeconds == 0)
  }

  @Test(arguments: [
    (["--max-attendees", "1"], "--max-attendees must be 2-10000"),
    (["--instance", "Presence A"], "--instance must be 1-32 of a-z, 0-9 and -"),
    (["--instance", ""], "--instance must be"),
    (["--instance", String(repeating: "a", count: 33)], "--instance must be"),
    (["--drain-seconds", "-1"], "--drain-seconds"),
    (["--drain-seconds", "3601"], "--drain-seconds must be 0-3600"),
    (["--health-port", "65536"], "--health-port must be 0-65535"),
    (["--runtime-dir", ""], "--runtime-dir must not be empty"),
    (["--log-level", "loud"], "--log-level"),
    (["--colour"], "Unknown option '--colour'"),
  ])
  func `an invalid flag is a usage error`(arguments: [String], message: String) {
    guard case .answer(let text, .usage) = parse(arguments) else {
      Issue.record("Not refused as usage: \(parse(arguments))")
      return
    }
    #expect(text.contains(message))
  }

  @Test func `an invalid value from the environment is a configuration error`() {
    guard case .answer(let text, .configuration) = parse([], ["CARILLON_MAX_ATTENDEES": "1"])
    else {
      Issue.record("Not refused as configuration.")
      return
    }
    #expect(text.contains("--max-attendees must be 2-10000; got 1."))
    #expect(text.contains("Set in the environment: --max-attendees=1"))
  }

  @Test func `help and version are shown even with an unknown variable in the environment`() {
    guard case .answer(let help, .success) = parse(["--help"], ["CARILLON_NONSENSE": "1"]),
      case .answer(let version, .success) = parse(["--version"], ["CARILLON_NONSENSE": "1"])
    else {
      Issue.record("No help.")
      return
    }
    #expect(help.contains("--max-attendees"))
    #expect(help.contains("USAGE: example-tiles"))
    #expect(version == BuildVersion.current)
  }

  @Test func `a service's name is made from the name of its type`() {
    #expect(ExampleTilesCommand.serviceName == "example-tiles")
  }

  @Test func `an instance has the name of its service unless a flag sets another name`() throws {
    #expect(try command([]).host.instanceName(of: "presence") == "presence-a")
    let name = try command(["--instance", "auto"]).host.instanceName(of: "presence")
    #expect(name.hasPrefix("presence-") && name.utf8.count == 17)
    #expect(try command(["--instance", "auto"]).host.instanceName(of: "presence") == name)
    #expect(try command(["--instance", "p-7"]).host.instanceName(of: "presence") == "p-7")
  }

  @Test func `the settings report shows flags and environment without secrets`() throws {
    let parsed = try command(
      ["--listen", "redis://ada:lovelace@host/1", "--listen", "ipc:///run/x@y"],
      ["CARILLON_MAX_ATTENDEES": "300"])
    let settings = SettingsReport.settings(of: parsed)
    #expect(settings["max-attendees"] == "300")
    #expect(settings["listen"] == "redis://***@host/1,ipc:///run/x@y")
    #expect(settings["replay"] == "true")
    #expect(settings["log-format"] == "text")
    #expect(settings["drain-seconds"] == "10")
    #expect(settings["health-port"] == nil)
  }
}

import TestSupport
import Testing

@testable import CLI
@testable import LocalInstallation
@testable import Output

/// Tests with shell scripts as services. Each script has one flag and rejects one value.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationCheckTests {
  private let spawner = ProcessSpawner()

  private func write(_ name: String, flag: String, in directory: String) async throws {
    let script = """
      case "$1" in
      --experimental-dump-help)
        echo '{"command": {"arguments": [{"kind": "option", "names": ['
        echo '{"kind": "long", "name": "\(flag)"}]}]}}' ;;
      --check-configuration)
        if [ -n "$CARILLON_MISPELT" ]; then
          echo "Error: CARILLON_MISPELT is no setting; did you mean CARILLON_MISSPELT?" >&2; exit 78
        fi
        if [ "$0" = "${0%/one}" ] && [ -n "$CARILLON_LIMIT" ]; then
          echo "Error: CARILLON_LIMIT is not a setting of two, but of one." >&2; exit 78
        fi
        if [ "$CARILLON_LIMIT" = 0 ]; then
          printf 'Error: --limit must be 1-9; got 0.\\nUsage: %s\\n' "$0" >&2; exit 78
        fi ;;
      esac
      """
    try Script.write(script, to: "\(directory)/\(name)")
  }

  private func findings(
    _ environment: [String: String], start: ConfigurationCheck.Start = .together
  ) async throws -> [Finding] {
    try await withTemporaryDirectory { directory in
      try await write("one", flag: "limit", in: directory)
      try await write("two", flag: "misspelt", in: directory)
      return await findings(["one", "two"], environment, in: directory, start: start)
    }
  }

  private func findings(
    _ services: [String], _ environment: [String: String], in directory: String,
    start: ConfigurationCheck.Start = .together
  ) async -> [Finding] {
    let check = ConfigurationCheck(
      services: services.map { LaunchedService($0) }, executables: directory,
      environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }, spawner: spawner,
      start: start)
    var findings: [Finding] = []
    await check.run { findings.append($0) }
    return findings
  }

  @Test func `the check names each setting's service and finds that every service would start`()
    async throws
  {
    let findings = try await findings([
      "CARILLON_LIMIT": "3", "CARILLON_MISSPELT": "x", "CARILLON_RUNTIME_DIR": "/r", "HOME": "/h",
    ])
    #expect(
      findings == [
        Finding(.variable, "CARILLON_LIMIT", .ok("read by one")),
        Finding(.variable, "CARILLON_MISSPELT", .ok("read by two")),
        Finding(.variable, "CARILLON_RUNTIME_DIR", .ok("read by carillon")),
        Finding(
          .service, "one",
          .ok("carillon up would start it; alone, it would refuse CARILLON_MISSPELT")),
        Finding(
          .service, "two", .ok("carillon up would start it; alone, it would refuse CARILLON_LIMIT")
        ),
      ])
  }

  @Test func `a service that is started alone refuses another service's setting`() async throws {
    let failed = try await findings(["CARILLON_LIMIT": "3"], start: .alone).filter(\.isFailed)
    #expect(failed.map(\.subject) == ["two"])
    #expect(
      failed.first?.record["message"] == "CARILLON_LIMIT is not a setting of two, but of one.")
    #expect(
      failed.first?.record["remedy"] == "set CARILLON_LIMIT only in the environment of one")
    let service = try #require(try await findings(["CARILLON_LIMIT": "3"]).last)
    #expect(!service.isFailed)
  }

  @Test func `a service that knows all settings refuses no setting`() async throws {
    let findings = try await findings(["CARILLON_LIMIT": "3"])
    #expect(
      findings.contains(Finding(.service, "one", .ok("it would start with these settings"))))
  }

  @Test func `a misspelt variable is reported with the likely name`() async throws {
    let finding = try #require(try await findings(["CARILLON_MISPELT": "x"]).first)
    #expect(finding.isFailed)
    #expect(finding.record["subject"] == "CARILLON_MISPELT")
    #expect(finding.record["remedy"] == "correct it to CARILLON_MISSPELT, or remove it")
  }

  @Test func `an orchestrator's variables are neither settings nor mistakes`() async throws {
    let findings = try await findings([
      "CARILLON_LIMIT": "3", "CARILLON_LIMIT_SERVICE_HOST": "10.0.0.1",
      "CARILLON_PORT": "tcp://10.0.0.1:80",
    ])
    let text = "no setting: an orchestrator sets it for a Service"
    #expect(!findings.contains { $0.isFailed })
    #expect(
      findings.prefix(3) == [
        Finding(.variable, "CARILLON_LIMIT", .ok("read by one")),
        Finding(.variable, "CARILLON_LIMIT_SERVICE_HOST", .ok(text)),
        Finding(.variable, "CARILLON_PORT", .ok(text)),
      ])
  }

  @Test func `a wrong value is reported in the service's own words`() async throws {
    let failed = try await findings(["CARILLON_LIMIT": "0"]).filter(\.isFailed)
    #expect(failed.map { $0.record["subject"] } == ["one"])
    #expect(failed.first?.record["message"] == "--limit must be 1-9; got 0.")
    #expect(
      failed.first?.record["remedy"] == "correct the value; `one --help` describes it")
  }

  @Test func `the variables of a missing service do not count as unknown`() async throws {
    try await withTemporaryDirectory { directory in
      try await write("one", flag: "limit", in: directory)
      let findings = await findings(
        ["one", "absent"], ["CARILLON_LIMIT": "3", "CARILLON_OF_ABSENT": "1"], in: directory)
      #expect(findings.filter(\.isFailed).map { $0.record["subject"] } == ["absent"])
      #expect(!findings.contains { $0.subject == "CARILLON_OF_ABSENT" })
    }
  }

  @Test func `a settings file may contain comments, quotes, empty values and repeated names`()
    throws
  {
    let text = """
      # limits

      CARILLON_LIMIT=3
      A='b c'
      B="="
      C=
      A="d"
      """
    let variables = try EnvironmentFile.parse(text, from: "settings.env")
    #expect(variables == ["CARILLON_LIMIT": "3", "A": "d", "B": "=", "C": ""])
  }

  @Test(arguments: ["export A=1", "A", "1A=2", "A B=2", "=x", "A =1"])
  func `an invalid line is refused, and the error names the line number`(line: String) {
    let failure = #expect(throws: CommandFailure.self) {
      try EnvironmentFile.parse("A=1\n\(line)", from: "settings.env")
    }
    #expect(failure?.message.contains("settings.env, line 2") == true)
  }
}

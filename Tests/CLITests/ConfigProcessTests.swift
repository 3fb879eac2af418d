import Foundation
import TestSupport
import Testing

@testable import CLI
@testable import LocalInstallation

/// Tests of `carillon config` and of the settings that `up` refuses. The tests use the services in
/// the directory of the program.
@Suite(.timeLimit(.minutes(5))) struct ConfigProcessTests {
  @Test func `settings from a file are checked and override the environment`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/settings.env"
      try "# ours\nCARILLON_MAX_ATTENDEES='12'\n".write(
        toFile: path, atomically: true, encoding: .utf8)
      let run = try await carillon(
        ["config", "check", "--env-file", path], in: directory,
        environment: ["CARILLON_MAX_ATTENDEES": "nonsense"])
      #expect(run.exit == .status(0), "\(run.output)")
      #expect(
        run.output.contains { $0.hasPrefix("ok      variable          CARILLON_MAX_ATTENDEES: ") })
      #expect(run.output.last?.hasSuffix(" checks, all well") == true)
    }
  }

  @Test func `a misspelt variable and a wrong value are reported and fail the check`() async throws
  {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(
        ["config", "check", "--output", "json"], in: directory,
        environment: ["CARILLON_MAX_ATENDEES": "12", "CARILLON_LOG_LEVEL": "loud"])
      #expect(run.exit == .status(1))
      let misspelt = run.output.first { $0.contains(#""subject": "CARILLON_MAX_ATENDEES""#) }
      #expect(misspelt?.contains("correct it to CARILLON_MAX_ATTENDEES") == true, "\(run.output)")
      let wrong = run.output.filter { $0.contains("loud") && $0.contains(#""check": "service""#) }
      #expect(wrong.count == LaunchedService.all.count, "\(run.output)")
      #expect(run.output.last?.hasPrefix(#"{"check": "summary", "ok": false, "#) == true)
    }
  }

  @Test(arguments: [
    (["CARILLON_REST_HOST": "0.0.0.0"], "--rest-without-tls behind a proxy"),
    (
      ["CARILLON_REST_HOST": "0.0.0.0", "CARILLON_REST_WITHOUT_TLS": "true"],
      "--web-lobby open works on this machine only"
    ),
    (["CARILLON_WEB_LOBBY": "key"], "--web-lobby key needs --web-lobby-key-file;"),
    (
      [
        "CARILLON_REST_HOST": "0.0.0.0", "CARILLON_REST_WITHOUT_TLS": "true",
        "CARILLON_WEB_LOBBY": "off", "CARILLON_ALLOW_UNSIGNED": "true",
      ], "--allow-unsigned works on this machine only"
    ),
    (
      ["CARILLON_CLUSTER_LISTEN": "10.0.0.1:7500"],
      "transcription (CARILLON_CLUSTER_LISTEN) would listen on the same port, 10.0.0.1:7500"
    ),
    (["CARILLON_LISTEN_TCP": "127.0.0.1:7400"], "would listen on the same port, 127.0.0.1:7400"),
  ])
  func `carillon config check and carillon up refuse the same combinations of settings`(
    environment: [String: String], reason: String
  ) async throws {
    try await withTemporaryDirectory { directory in
      let web = "\(directory)/web"
      try FileManager.default.createDirectory(atPath: web, withIntermediateDirectories: true)
      try "<html></html>".write(toFile: "\(web)/index.html", atomically: true, encoding: .utf8)
      let environment = environment.merging(["CARILLON_WEB_ROOT": web]) { $1 }
      let check = try await carillon(["config", "check"], in: directory, environment: environment)
      #expect(check.exit == .status(1))
      #expect(check.output.contains { $0.contains(reason) }, "\(check.output)")
      let run = try await carillon(
        ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"], in: directory,
        environment: environment)
      #expect(run.exit == .status(78))
      #expect(run.errors.last?.contains(reason) == true, "\(run.errors)")
    }
  }

  @Test
  func `carillon config check --alone refuses other services' settings and names these services`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(
        ["config", "check", "--alone"], in: directory,
        environment: ["CARILLON_REST_PORT": "18880"])
      #expect(run.exit == .status(1))
      #expect(
        run.output.contains {
          $0 == "        to do: set CARILLON_REST_PORT only in the environment of gateway"
        }, "\(run.output)")
      #expect(
        run.output.contains {
          $0.contains(
            "CARILLON_REST_PORT is not a setting of messaging, but of gateway; set it there")
        }, "\(run.output)")
    }
  }

  @Test func `each service names the owners of each setting that is unknown to the service`()
    async throws
  {
    let binaries = try TestSupport.Installation.binaries()
    let spawner = ProcessSpawner()
    var flags: [String: Set<String>] = [:]
    func program(_ service: LaunchedService) -> ServiceProgram {
      ServiceProgram(service, in: binaries, spawner: spawner)
    }
    for service in LaunchedService.all {
      let variables = try await program(service).flags(environment: [:]).compactMap(\.variable)
      flags[service.name] = Set(variables)
    }
    for service in LaunchedService.all {
      let others = flags.values.reduce(Set()) { $0.union($1) }.subtracting(
        flags[service.name] ?? [])
      let environment = Dictionary(uniqueKeysWithValues: others.map { ($0, "1") })
      let objection = try #require(try await program(service).objection(to: environment))
      for name in others {
        let owners = LaunchedService.all.map(\.name).filter { flags[$0]?.contains(name) == true }
        let expected = "but of \(owners.joined(separator: ", ")); set it there alone."
        #expect(objection.contains("\(name) is not a setting of \(service.name), \(expected)"))
      }
    }
  }

  @Test(arguments: [
    (nil, "cannot be read; name a text file with --env-file."),
    ("A=1\nB\n", ", line 2: it must be NAME=VALUE, a comment or empty."),
  ])
  func `an invalid settings file is refused before any service is asked`(
    text: String?, message: String
  ) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/settings.env"
      try text?.write(toFile: path, atomically: true, encoding: .utf8)
      let run = try await carillon(["config", "check", "--env-file", path], in: directory)
      #expect(run.exit == .status(1))
      #expect(run.output == [])
      #expect(run.errors.first?.hasSuffix(message) == true, "\(run.errors)")
    }
  }

  @Test func `each setting is documented once, as Markdown and as JSON`() async throws {
    try await withTemporaryDirectory { directory in
      let text = try await carillon(["config", "doc"], in: directory)
      #expect(text.exit == .status(0))
      #expect(text.output.first == "# Settings")
      let headings = text.output.filter { $0.hasPrefix("## ") }
      #expect(
        headings == ["## Every service"] + LaunchedService.all.map { "## \($0.name)" })
      #expect(text.output.count { $0.hasPrefix("| `--log-level") } == 1)
      let json = try await carillon(["config", "doc", "--output", "json"], in: directory)
      let rows = text.output.filter { $0.hasPrefix("| `--") }
      #expect(json.output.count == rows.count)
      #expect(json.output.allSatisfy { $0.hasPrefix(#"{"section": ""#) })
    }
  }

  @Test func `carillon up starts nothing if a variable is unknown to all services`() async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(
        ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"], in: directory,
        environment: ["CARILLON_NONSENSE": "1"])
      #expect(run.exit == .status(78))
      #expect(run.output == [])
      #expect(
        run.errors == [
          "carillon: FAILED_PRECONDITION: CARILLON_NONSENSE is not a setting of any service; "
            + "correct or remove it, and see `carillon config check`."
        ])
      #expect(!FileManager.default.fileExists(atPath: "\(directory)/data"))
    }
  }
}

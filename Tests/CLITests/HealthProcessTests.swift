import Foundation
import Glibc
import TestSupport
import Testing
import Trials

@testable import LocalInstallation

/// Tests of `carillon health` as a process, with sockets that answer as the test defines.
@Suite(.timeLimit(.minutes(5))) struct HealthProcessTests {
  @Test func `carillon health asks all instances of a directory in the order of their names`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let run = directory + "/run"
      try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
      let servers = try ["presence-a", "gateway-a"].map {
        try CannedHTTP(at: "\(run)/\($0).http.sock") { _ in (200, "ok") }
      }
      defer { for server in servers { server.close() } }
      let health = try await carillon(["health"], in: directory)
      #expect(health.exit == .status(0))
      #expect(
        health.output == ["instance    ready", "gateway-a   yes", "presence-a  yes"])
      #expect(servers.map(\.paths.entries) == [["/readyz"], ["/readyz"]])
    }
  }

  @Test func `carillon health fails for an unready instance but still reports all other instances`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let run = directory + "/run"
      try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
      let gateway = try CannedHTTP(at: "\(run)/gateway-a.http.sock") { _ in (503, "draining") }
      let presence = try CannedHTTP(at: "\(run)/presence-a.http.sock") { _ in (200, "ok") }
      defer { for server in [gateway, presence] { server.close() } }
      let health = try await carillon(["health", "--output", "json"], in: directory)
      #expect(health.exit == .status(1))
      #expect(
        health.output == [
          #"{"instance": "gateway-a", "ready": false, "reason": "draining"}"#,
          #"{"instance": "presence-a", "ready": true}"#,
        ])
      #expect(
        health.errors == [
          #"{"error": "FAILED_PRECONDITION", "message": "gateway-a is not ready: draining"}"#
        ])
    }
  }

  @Test func `an instance whose process died is unavailable`() async throws {
    try await withTemporaryDirectory { directory in
      let run = directory + "/run"
      try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
      _ = try LocalSocket(listeningAt: "\(run)/media-a.http.sock")
      let health = try await carillon(["health"], in: directory)
      #expect(health.exit == .status(69))
      #expect(health.errors.joined().contains("media-a does not answer: "))
      #expect(health.errors.joined().hasSuffix("Is it running?"))
    }
  }

  @Test(arguments: [
    (["health", "--instance", "presence-a"], [:]),
    (["health"], ["CARILLON_INSTANCE": "presence-a"]),
  ])
  func `carillon health asks only the instances named by the flag or the variable`(
    words: [String], environment: [String: String]
  ) async throws {
    try await withTemporaryDirectory { directory in
      let run = directory + "/run"
      try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
      _ = try LocalSocket(listeningAt: "\(run)/media-a.http.sock")
      let presence = try CannedHTTP(at: "\(run)/presence-a.http.sock") { _ in (200, "ok") }
      defer { presence.close() }
      let health = try await carillon(words, in: directory, environment: environment)
      #expect(health.exit == .status(0))
      #expect(health.output == ["instance    ready", "presence-a  yes"])
    }
  }

  @Test func `carillon health reports an answer that is not HTTP`() async throws {
    try await withTemporaryDirectory { directory in
      let run = directory + "/run"
      try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
      let media = try CannedHTTP(at: "\(run)/media-a.http.sock", raw: "220 mail ready\r\n\r\n")
      defer { media.close() }
      let health = try await carillon(["health"], in: directory)
      #expect(health.exit == .status(69))
      #expect(health.output.joined().contains("its first line is malformed"))
    }
  }

  @Test func `carillon health reports that no service runs`() async throws {
    try await withTemporaryDirectory { directory in
      let health = try await carillon(["health"], in: directory)
      #expect(health.exit == .status(69))
      #expect(
        health.errors == [
          "carillon: UNAVAILABLE: No service runs in \(directory)/run; start it, or name its "
            + "directory with --runtime-dir."
        ])
    }
  }
}

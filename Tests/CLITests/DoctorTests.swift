import Foundation
import TestSupport
import Testing
import Trials

@testable import CLI
@testable import LocalInstallation
@testable import Output

/// Tests of the doctor's findings about files and sockets. ``DoctorProcessTests`` tests processes.
@Suite(.timeLimit(.minutes(5))) struct DoctorTests {
  private func findings(_ doctor: Doctor) async -> [Finding] {
    var findings: [Finding] = []
    await doctor.examine { findings.append($0) }
    return findings
  }

  private func mode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func `a missing runtime directory is reported with the start command and ends the checks`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let findings = await findings(Doctor(directory: "\(directory)/none"))
      #expect(findings.filter(\.isFailed).map(\.check) == [.runtimeDirectory])
      #expect(findings.dropFirst().allSatisfy { $0.record["skipped"] == true })
      #expect(findings[0].text(.plain).contains("carillon up"))
    }
  }

  @Test func `carillon doctor reports a runtime directory that other users own or may use`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      #expect(Doctor(directory: directory).runtimeDirectory().isOK)
      let stranger = Doctor(directory: directory, user: getuid() + 1).runtimeDirectory()
      #expect(stranger.text(.plain).contains("belongs to user \(getuid())"))
      try mode(0o777, of: directory)
      let open = Doctor(directory: directory).runtimeDirectory()
      #expect(open.record["remedy"] == "chmod 0700 \(directory)")
      let file = "\(directory)/file"
      try "".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(Doctor(directory: file).runtimeDirectory().isFailed)
    }
  }

  @Test func `missing services are reported with the command that starts these services`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let failed = await findings(Doctor(directory: directory, services: ["presence"]))
        .filter(\.isFailed)
      #expect(failed.map(\.subject) == ["presence"])
      #expect(
        failed[0].text(.plain).contains("`presence --runtime-dir \(directory)`"))
    }
  }

  @Test func `the remedy for a socket file whose process died is to remove the file`() async throws
  {
    try await withTemporaryDirectory { directory in
      let stale = "\(directory)/gateway-b.client.sock"
      let served = "\(directory)/other.http.sock"
      // Closing a socket does not remove the file of the socket.
      _ = try LocalSocket(listeningAt: stale)
      let listener = try LocalSocket(listeningAt: served)
      let unclaimedEndpoints = await Doctor(directory: directory).unclaimedEndpoints(beside: [])
      #expect(unclaimedEndpoints.map(\.subject) == [stale, served])
      #expect(unclaimedEndpoints[0].record["remedy"] == .text("rm \(stale)"))
      #expect(unclaimedEndpoints[1].isOK)
      withExtendedLifetime(listener) {}
    }
  }

  @Test func `an endpoint that accepts a connection but sends nothing is reported as not served`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/hung.sock"
      let listener = try LocalSocket(listeningAt: path)
      let outcome = await ServerProbe.greeting(
        of: .unixSocket(path: path), within: .milliseconds(50))
      #expect(outcome == .silent)
      withExtendedLifetime(listener) {}
    }
  }

  @Test func `the stores and the key must be private files of the right size`() async throws {
    try await withTemporaryDirectory { directory in
      func failing() -> [String: JSONValue] {
        let doctor = Doctor(directory: directory, dataDirectory: directory)
        let failed = doctor.storeFindings(gateway: nil).filter(\.isFailed)
        return Dictionary(
          uniqueKeysWithValues: failed.map { ($0.check.rawValue, $0.record["remedy"] ?? "") })
      }
      #expect(failing().keys.sorted() == ["store", "token-key"])
      let (store, key) = ("\(directory)/meetings.sqlite", "\(directory)/token.key")
      for (path, size) in [(store, 4096), (key, 32)] {
        try Data(repeating: 1, count: size).write(to: URL(filePath: path))
        try mode(0o600, of: path)
      }
      #expect(failing().isEmpty)
      try mode(0o640, of: store)
      #expect(failing() == ["store": "chmod 0600 \(store)"])
      try mode(0o600, of: store)
      try mode(0o644, of: key)
      #expect(failing()["token-key"]?.text.hasPrefix("chmod 0600 \(key)") == true)
      try Data(repeating: 1, count: 31).write(to: URL(filePath: key))
      try mode(0o600, of: key)
      #expect(failing()["token-key"]?.text.contains("backup") == true)
    }
  }

  @Test func `a failed readiness check is reported by name and with the reason`() {
    let body = #"{"status":"failing","failing":[{"check":"bus","reason":"not connected"}]}"#
    #expect(Doctor.reasons(in: Array(body.utf8)) == "bus: not connected")
    #expect(Doctor.reasons(in: Array(#"{"status":"draining"}"#.utf8)) == nil)
  }

  @Test func `the version of an instance is read from its metrics`() {
    let metrics = """
      # HELP carillon_build_info The build that runs; always 1.
      carillon_build_info{service="presence",version="1.2.3"} 1
      """
    #expect(Doctor.version(inMetrics: metrics) == "1.2.3")
    #expect(Doctor.version(inMetrics: "other 1") == nil)
  }

  @Test(
    arguments: [
      ("ipc:///r/s", .unixSocket(path: "/r/s")), ("tcp://h:1", .tcp(host: "h", port: 1)),
      ("tcp://0.0.0.0:7", .tcp(host: "127.0.0.1", port: 7)),
      ("http://127.0.0.1:8", .tcp(host: "127.0.0.1", port: 8)), ("inproc://x", nil),
    ] as [(String, HTTPAddress?)])
  func `an endpoint is converted to an address to connect to`(
    endpoint: String, address: HTTPAddress?
  ) {
    #expect(Doctor.address(of: endpoint) == address)
  }

  @Test func `a finding gives the remedy as text and as JSON`() {
    let finding = Finding(.store, "/s", .failed("it is gone", remedy: "restore it"))
    #expect(
      finding.record.json == #"""
        {"check": "store", "subject": "/s", "ok": false, \#
        "message": "it is gone", "remedy": "restore it"}
        """#)
    #expect(
      finding.text(.plain)
        == "FAILED  store             /s: it is gone\n        to do: restore it")
  }
}

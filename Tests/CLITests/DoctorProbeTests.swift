import Bus
import CarillonClientCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import CLI
@testable import LocalInstallation
@testable import Output
@testable import Trials

/// Tests of the doctor's findings about registered instances whose answers the test defines.
@Suite(.timeLimit(.minutes(5))) struct DoctorProbeTests {
  /// Runs a test with an instance named `presence-a` that has registered these endpoints.
  private func withInstance(
    _ endpoints: (String) -> [String: String] = { _ in [:] },
    _ body: (Doctor, RegisteredInstance) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let registration = try registry.register(
        InstanceAnnouncement(
          service: "presence", instance: "presence-a", endpoints: endpoints(directory)))
      defer { registration.withdraw() }
      let instance = try #require(try registry.instances(of: "presence").first)
      try await body(Doctor(directory: directory, services: ["presence"]), instance)
    }
  }

  // MARK: Endpoints

  @Test func `a missing endpoint socket is reported with the service to restart`() async throws {
    try await withInstance({ ["rpc": "ipc://\($0)/rpc.sock"] }) { doctor, instance in
      let findings = await doctor.endpoints(of: instance)
      #expect(
        findings == [
          Finding(
            .endpoint, "presence-a rpc ipc://\(doctor.directory)/rpc.sock",
            .failed(
              "its socket file does not exist any more",
              remedy: "restart presence-a, and find out which program deletes files in "
                + doctor.directory))
        ])
    }
  }

  @Test func `an endpoint without a listener is reported as taken over or removed`() async throws {
    try await withInstance({ ["rpc": "ipc://\($0)/rpc.sock"] }) { doctor, instance in
      _ = try LocalSocket(listeningAt: "\(doctor.directory)/rpc.sock")
      let finding = try #require(await doctor.endpoints(of: instance).first)
      #expect(finding.text(.plain).contains("no process listens"))
      #expect(finding.text(.plain).contains("to do: restart presence-a: another process"))
    }
  }

  @Test func `a regular file in place of a socket fails the check`() async throws {
    try await withInstance({ ["rpc": "ipc://\($0)/rpc.sock"] }) { doctor, instance in
      try "".write(toFile: "\(doctor.directory)/rpc.sock", atomically: true, encoding: .utf8)
      #expect(await doctor.endpoints(of: instance).map(\.isFailed) == [true])
    }
  }

  @Test
  func `endpoints are reported in the order of their names, and unreachable endpoints as skipped`()
    async throws
  {
    let kinds = ["rpc": "inproc://x", "events": "pgm://y", "client": "tcp://*:0"]
    try await withInstance({ _ in kinds }) { doctor, instance in
      let findings = await doctor.endpoints(of: instance)
      #expect(
        findings.map(\.subject) == [
          "presence-a client tcp://*:0", "presence-a events pgm://y", "presence-a rpc inproc://x",
        ])
      #expect(findings.allSatisfy { $0.outcome == .skipped("it cannot be reached from here") })
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0, 0], .served), ([0x16, 3, 1], .silent), ([], .silent),
    ] as [([UInt8], ServerProbe.Outcome)])
  func `only a ZeroMQ greeting counts as a greeting`(
    greeting: [UInt8], outcome: ServerProbe.Outcome
  ) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let listener = try LocalSocket(listeningAt: path)
      Thread.detachNewThread {
        let peer = LocalSocket(adopting: accept(listener.descriptor, nil, nil))
        // Child processes that start later must not keep the connection open.
        _ = fcntl(peer.descriptor, F_SETFD, FD_CLOEXEC)
        try? peer.send(greeting)
      }
      let probed = await ServerProbe.greeting(
        of: .unixSocket(path: path), within: .seconds(30))
      #expect(probed == outcome)
    }
  }

  @Test(arguments: [200, 404, 500])
  func `an HTTP answer with any status counts as an answer`(status: Int) async throws {
    try await withTemporaryDirectory { directory in
      let server = try CannedHTTP(at: "\(directory)/h") { _ in (status, "") }
      defer { server.close() }
      let probed = await ServerProbe.answer(
        of: .unixSocket(path: "\(directory)/h"), within: .seconds(30))
      #expect(probed == .served)
    }
  }

  @Test func `a missing server is distinguished from a server that does not use HTTP`() async throws
  {
    try await withTemporaryDirectory { directory in
      let server = try CannedHTTP(at: "\(directory)/h", raw: "hello\r\n\r\n")
      defer { server.close() }
      let other = await ServerProbe.answer(
        of: .unixSocket(path: "\(directory)/h"), within: .seconds(30))
      #expect(other == .silent)
      let absent = await ServerProbe.answer(
        of: .unixSocket(path: "\(directory)/none"), within: .seconds(30))
      guard case .refused(let reason) = absent else {
        Issue.record("\(absent)")
        return
      }
      #expect(reason.contains("\(directory)/none"))
    }
  }

  // MARK: Health

  @Test(
    arguments: [
      (200, "ok", nil), (503, "busy", "not ready: busy"),
      (
        503, #"{"failing":[{"check":"bus","reason":"away"},{"check":"disk","reason":"full"}]}"#,
        "not ready: bus: away; disk: full"
      ), (503, #"{"failing":[]}"#, #"not ready: {"failing":[]}"#),
    ] as [(Int, String, String?)])
  func `the answer of an instance determines whether carillon doctor reports it as ready`(
    status: Int, body: String, complaint: String?
  ) async throws {
    try await withInstance { doctor, instance in
      let server = try CannedHTTP(at: "\(doctor.directory)/presence-a.http.sock") { path in
        path == "/readyz" ? (status, body) : (404, "")
      }
      defer { server.close() }
      let finding = await doctor.readiness(of: instance)
      #expect(finding.record["message"] == .text(complaint ?? "ready"))
      #expect(finding.isFailed == (complaint != nil))
    }
  }

  @Test func `the remedy for a silent instance is to restart the listening process`()
    async throws
  {
    try await withInstance { doctor, instance in
      let server = try CannedHTTP(at: "\(doctor.directory)/presence-a.http.sock") { _ in (500, "") }
      defer { server.close() }
      let process = doctor.process(of: instance)
      #expect(process == .here(ProcfsProcess(id: getpid())))
      #expect(process.restart("presence-a") == "restart presence-a, process \(getpid())")
    }
  }

  @Test func `carillon doctor suggests the command kill only if it can see the silent process`()
    async throws
  {
    try await withInstance { doctor, instance in
      let seen = doctor.silence(of: instance, .here(ProcfsProcess(id: 17)))
      #expect(
        seen
          == .failed(
            "process 17 has sent no heartbeat for three seconds",
            remedy: "check whether it is stopped or hangs; `kill -KILL 17` and start it again"))
      let hidden = doctor.silence(of: instance, .elsewhere)
      #expect(
        hidden
          == .failed(
            "a process of another container has sent no heartbeat for three seconds",
            remedy: "check whether it is stopped or hangs, and restart presence-a, in its container"
          ))
      guard case .failed("its process died", _) = doctor.silence(of: instance, .gone) else {
        Issue.record("Nobody listens, and yet it is taken to live.")
        return
      }
    }
  }

  @Test func `the remedy for an instance without a health socket is a restart`() async throws {
    try await withInstance { doctor, instance in
      let finding = await doctor.readiness(of: instance)
      #expect(finding.isFailed)
      #expect(finding.record["remedy"] == "restart presence-a")
      let version = await doctor.version(of: instance)
      #expect(
        version.outcome
          == .skipped("its metrics cannot be read; see the finding about its readiness"))
    }
  }

  @Test func `carillon doctor detects a service of another release`() async throws {
    for (version, isOther) in [(Versioning.sdkVersion(), false), ("0.0.0-old", true)] {
      try await withInstance { doctor, instance in
        let server = try CannedHTTP(at: "\(doctor.directory)/presence-a.http.sock") { _ in
          (200, "carillon_build_info{service=\"presence\",version=\"\(version)\"} 1\n")
        }
        defer { server.close() }
        let finding = await doctor.version(of: instance)
        #expect(finding.isFailed == isOther)
        #expect(finding.record["message"]?.text.contains(version) == true)
      }
    }
  }

  @Test(arguments: [
    ("", nil), ("carillon_build_info{service=\"x\"} 1", nil),
    ("# carillon_build_info{version=\"9\"} 1", nil),
    ("a 1\ncarillon_build_info{version=\"9\",x=\"y\"} 1\nb 2", "9"),
  ])
  func `carillon doctor reads the version only from the line of the build metric`(
    metrics: String, version: String?
  ) {
    #expect(Doctor.version(inMetrics: metrics) == version)
  }

  // MARK: Files and processes

  @Test
  func `the facts about a symbolic link are distinguished from those about the link's target`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let (file, link) = ("\(directory)/file", "\(directory)/link")
      try Data(repeating: 0, count: 7).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: file)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      #expect(FileAttributes(at: link)?.kind == .link)
      let facts = try #require(FileAttributes(following: link))
      #expect((facts.kind, facts.size, facts.octalMode) == (.regular, 7, "0604"))
      #expect(facts.owner == getuid())
      #expect(FileAttributes(at: directory)?.kind == .directory)
      #expect(FileAttributes(at: "\(directory)/none") == nil)
      #expect(FileAttributes(at: "/dev/null")?.kind == .other)
    }
  }

  @Test func `the open files and the flags of a process are read`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/meetings.sqlite"
      try "".write(toFile: path, atomically: true, encoding: .utf8)
      let started = AwaitableEntryList<String>()
      let child = try await ProcessSpawner().start(
        ChildCommand(
          "/bin/sh",
          ["-c", "exec 3<\"$0\"; echo open; read line", path, "--token-key-file", "key/file"],
          environment: ["PATH": "/bin", "CARILLON_DATA_DIR": "/data"]),
        takesInput: true
      ) { started.append($0.text) }
      try await started.wait(for: "the file to be open") { $0 == ["open"] }
      let process = ProcfsProcess(id: child.processID)
      #expect(process.openFile(endingIn: "/meetings.sqlite") == path)
      #expect(process.openFile(endingIn: "/other.sqlite") == nil)
      #expect(process.path(ofFlag: "data-dir") == "/data")
      let key = process.path(ofFlag: "token-key-file")
      #expect(key?.hasPrefix("/") == true && key?.hasSuffix("/key/file") == true)
      #expect(process.path(ofFlag: "runtime-dir") == nil)
      child.signal(SIGKILL)
      _ = await child.exit
      #expect(process.openFile(endingIn: "/meetings.sqlite") == nil)
    }
  }

  @Test func `a flag or a variable determines where carillon doctor finds the installation's key`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      func subjects(_ doctor: Doctor) -> [String] {
        doctor.storeFindings(gateway: nil).map(\.subject)
      }
      let usual = Doctor(directory: directory, dataDirectory: directory)
      #expect(
        subjects(usual) == [
          directory, "\(directory)/meetings.sqlite", "\(directory)/token.key",
        ])
      var named = usual
      named.environment = ["CARILLON_TOKEN_KEY_FILE": "/variable/key"]
      #expect(subjects(named).last == "/variable/key")
      named.tokenKeyFile = "/flag/key"
      #expect(subjects(named).last == "/flag/key")
      #expect(
        Doctor(directory: directory, environment: ["HOME": directory])
          .storeFindings(gateway: nil).map(\.isFailed) == [false])
    }
  }

  @Test func `carillon doctor reports a data directory that is missing or writable by others`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      func finding(_ path: String) -> Finding? {
        Doctor(directory: directory, dataDirectory: path).storeFindings(gateway: nil).first
      }
      #expect(finding(directory)?.isOK == true)
      try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: directory)
      #expect(finding(directory)?.record["remedy"] == .text("chmod 0700 \(directory)"))
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
      #expect(
        finding("\(directory)/none")?.record["message"] == "the directory does not exist")
      let stranger = Doctor(
        directory: directory, user: getuid() + 1, dataDirectory: directory)
      #expect(
        stranger.storeFindings(gateway: nil).first?.record["remedy"]?.text
          .hasPrefix("chown \(getuid() + 1) \(directory)") == true)
    }
  }
}

import Bus
import Foundation
import TestSupport
import Testing
import Trials

@testable import LocalInstallation
@testable import Output

/// Tests of the supervisor with shell scripts as services.
@Suite(.timeLimit(.minutes(5))) struct InstallationTests {
  private let spawner = ProcessSpawner()

  private func settings(in directory: String) -> InstallationSettings {
    InstallationSettings(
      runtimeDirectory: directory, dataDirectory: nil, restPort: 1, gatewayTCP: nil,
      allowsUnsigned: false, drainSeconds: 1, executables: directory,
      environment: ["PATH": "/usr/bin:/bin"])
  }

  private func write(_ script: String, as name: String, in directory: String) async throws {
    try Script.write(script, to: "\(directory)/\(name)")
  }

  private func installation(
    _ services: [String], in directory: String, _ lines: AwaitableEntryList<String>,
    silence: Duration = .seconds(15), patience: Int = 10
  ) -> LocalInstallation.Installation {
    LocalInstallation.Installation(
      settings(in: directory), services: services.map { LaunchedService($0) },
      silence: silence, patience: patience, spawner: spawner
    ) { service, line in lines.append("\(service): \(line)") }
  }

  @Test func `a killed service is restarted immediately`() async throws {
    try await withTemporaryDirectory { directory in
      try await write("echo up; exec sleep 60", as: "napper", in: directory)
      let lines = AwaitableEntryList<String>()
      let installation = installation(["napper"], in: directory, lines)
      try await installation.run {
        _ = try await lines.wait(for: "what it writes") { $0.contains("napper: up") }
        let first = try #require(await installation.child(of: "napper"))
        first.signal(SIGKILL)
        _ = try await lines.wait(for: "what it writes") { $0.count { $0 == "napper: up" } == 2 }
        let second = try #require(await installation.child(of: "napper"))
        #expect(second.processID != first.processID)
      }
      #expect(lines.entries[1].contains("ended with signal 9; starting it again after 0.0 seconds"))
    }
  }

  /// A service that reports that it is ready. On request, the service exits with the status for
  /// wrong settings.
  private static let healthy = """
    exec python3 - "$2/$4.http.sock" <<'END'
    import http.server, os, signal, socketserver, sys

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    signal.signal(signal.SIGUSR1, lambda *_: os._exit(78))
    if os.path.exists(sys.argv[1]):
        os.unlink(sys.argv[1])
    server = socketserver.ThreadingUnixStreamServer(sys.argv[1], Handler)
    print("up", flush=True)
    server.serve_forever()
    END
    """

  @Test func `a hanging service is restarted`() async throws {
    try await withTemporaryDirectory { directory in
      try await write(Self.healthy, as: "sleeper", in: directory)
      let lines = AwaitableEntryList<String>()
      let installation = installation(["sleeper"], in: directory, lines, silence: .seconds(1))
      try await installation.run {
        try await installation.waitUntilReady(within: .seconds(30))
        let first = try #require(await installation.child(of: "sleeper"))
        first.signal(SIGSTOP)
        _ = try await lines.wait(for: "a second start") {
          $0.count { $0 == "sleeper: up" } == 2
        }
        try await installation.waitUntilReady(within: .seconds(30))
      }
      #expect(
        lines.entries.contains { $0.contains("has not answered health checks for 1.0 seconds") })
    }
  }

  @Test func `a service that was ready is restarted even when it reports wrong settings`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      try await write(Self.healthy, as: "rest", in: directory)
      let lines = AwaitableEntryList<String>()
      let installation = installation(["rest"], in: directory, lines)
      try await installation.run {
        try await installation.waitUntilReady(within: .seconds(30))
        try #require(await installation.child(of: "rest")).signal(SIGUSR1)
        _ = try await lines.wait(for: "a second start") { $0.count { $0 == "rest: up" } == 2 }
      }
      #expect(lines.entries.contains { $0.contains("ended with exit status 78; starting it") })
    }
  }

  @Test func `a process that is no child is not mistaken for the service`() async throws {
    try await withTemporaryDirectory { directory in
      try await write(Self.healthy, as: "other", in: directory)
      try await write("exec sleep 60", as: "rest", in: directory)
      let lines = AwaitableEntryList<String>()
      let other = try await spawner.start(
        ChildCommand(
          "\(directory)/other", ["--runtime-dir", directory, "--instance", "rest-a"],
          environment: ["PATH": "/usr/bin:/bin"])
      ) { lines.append($0.text) }
      defer { other.signal(SIGKILL) }
      _ = try await lines.wait(for: "the other process") { $0 == ["up"] }
      let installation = installation(["rest"], in: directory, AwaitableEntryList<String>())
      let failure = await #expect(throws: CommandFailure.self) {
        try await installation.run { try await installation.waitUntilReady(within: .seconds(2)) }
      }
      #expect(failure?.message == "rest-a is not ready: another process answers for it")
    }
  }

  @Test func `a child is recognised although it registers an id from another PID namespace`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      try await write(Self.healthy, as: "rest", in: directory)
      // The registration contains this process's id instead of the child's id.
      let registration = try RuntimeDirectoryRegistry(runtimeDirectory: directory)
        .register(InstanceAnnouncement(service: "rest", instance: "rest-a", endpoints: [:]))
      defer { registration.withdraw() }
      // The registration stays live until the end of the test.
      async let _ = beat(registration)
      let installation = installation(["rest"], in: directory, AwaitableEntryList<String>())
      try await installation.run {
        try await installation.waitUntilReady(within: .seconds(15))
      }
    }
  }

  private func beat(_ registration: any InstanceRegistration) async {
    while (try? await Task.sleep(for: .milliseconds(100))) != nil { try? registration.heartbeat() }
  }

  @Test func `services stop in the reverse order of their start`() async throws {
    try await withTemporaryDirectory { directory in
      let script = "trap 'echo down; exit' TERM; echo up; while :; do sleep 0.02; done"
      for name in ["first", "second"] { try await write(script, as: name, in: directory) }
      let lines = AwaitableEntryList<String>()
      let installation = installation(["first", "second"], in: directory, lines)
      try await installation.run {
        _ = try await lines.wait(for: "what it writes") { $0.count { $0.hasSuffix("up") } == 2 }
      }
      #expect(lines.entries.filter { $0.hasSuffix("down") } == ["second: down", "first: down"])
    }
  }

  @Test func `a service with wrong settings stops all services`() async throws {
    try await withTemporaryDirectory { directory in
      try await write("exec sleep 60", as: "good", in: directory)
      try await write("echo misspelt >&2; exit 78", as: "bad", in: directory)
      let installation = installation(["good", "bad"], in: directory, AwaitableEntryList<String>())
      let failure = await #expect(throws: CommandFailure.self) {
        try await installation.run { try await installation.waitUntilReady(within: .seconds(30)) }
      }
      #expect(failure?.message.contains("bad-a cannot run (exit status 78)") == true)
      #expect(await installation.child(of: "good") == nil)
    }
  }

  @Test(arguments: [
    (
      #"printf '%s\n' '2026 error    Cannot start  error="The store is \"new\"."'"#,
      #"The store is "new"."#
    ),
    (
      #"echo '{"time":"t","level":"error","logger":"bad","message":"Cannot start","error":"No."}'"#,
      "No."
    ),
    ("echo 'Error: --limit must be 1-9.'; echo 'Usage: bad'", "--limit must be 1-9."),
    ("echo broken", "broken"), ("true", "it printed no reason."),
  ])
  func `an installation whose service cannot start reports the service's reason and ends`(
    words: String, reason: String
  ) async throws {
    try await withTemporaryDirectory { directory in
      try await write("\(words) >&2; echo >&2; exit 78", as: "bad", in: directory)
      let installation = installation(["bad"], in: directory, AwaitableEntryList<String>())
      let failure = await #expect(throws: CommandFailure.self) {
        try await installation.run { try await installation.waitUntilReady(within: .seconds(30)) }
      }
      #expect(failure?.message == "bad-a cannot run (exit status 78): \(reason)")
      #expect(failure?.exit == .configuration)
    }
  }

  @Test func `an installation ends with a distinct exit status if a service's port is in use`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      try await write("echo taken >&2; exit 75", as: "bad", in: directory)
      let lines = AwaitableEntryList<String>()
      let installation = installation(["bad"], in: directory, lines)
      let failure = await #expect(throws: CommandFailure.self) {
        try await installation.run { try await installation.waitUntilReady(within: .seconds(30)) }
      }
      #expect(failure?.message == "bad-a cannot run (exit status 75): taken")
      #expect(failure?.exit == .inUse)
      #expect(!lines.entries.contains { $0.contains("starting it again") })
    }
  }

  @Test func `the supervisor gives up on a service that was ready but then fails several restarts`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      // Only the first start of the service succeeds.
      try await write(
        "if [ -e \(directory)/was ]; then echo gone >&2; exit 78; fi; touch \(directory)/was\n"
          + Self.healthy, as: "rest", in: directory)
      let lines = AwaitableEntryList<String>()
      let installation = installation(["rest"], in: directory, lines, patience: 3)
      let failure = await #expect(throws: CommandFailure.self) {
        try await installation.run {
          try await installation.waitUntilReady(within: .seconds(30))
          try #require(await installation.child(of: "rest")).signal(SIGKILL)
          for await _ in AsyncStream<Never>.makeStream().stream {}
        }
      }
      #expect(failure?.message == "rest-a cannot run (exit status 78): gone")
      #expect(lines.entries.count { $0.contains("starting it again") } == 3)
    }
  }

  @Test func `a missing service is reported`() async throws {
    try await withTemporaryDirectory { directory in
      let installation = installation(["absent"], in: directory, AwaitableEntryList<String>())
      let failure = await #expect(throws: CommandFailure.self) {
        try await installation.run { try await installation.waitUntilReady(within: .seconds(30)) }
      }
      #expect(failure?.message.contains("\(directory)/absent is missing") == true)
    }
  }

  @Test func `killing a service does not wait for a graceful stop`() async throws {
    try await withTemporaryDirectory { directory in
      try await write(
        "trap '' TERM; echo up; while :; do sleep 0.02; done", as: "deaf", in: directory)
      let lines = AwaitableEntryList<String>()
      let installation = installation(["deaf"], in: directory, lines)
      try await installation.run {
        _ = try await lines.wait(for: "what it writes") { !$0.isEmpty }
        await installation.kill()
      }
    }
  }

  @Test(arguments: [
    ("CARILLON_WEB_LOBBY", "off", "--web-lobby"),
    ("CARILLON_WEB_LOBBY", "key", "--web-lobby"),
    ("CARILLON_WEB_OPERATOR_KEY_FILE", "/etc/key", "--web-operator-key-file"),
    ("CARILLON_LOCAL_ACCESS_KEY", "false", "--local-access-key"),
  ])
  func `an environment variable replaces the installation's own flag`(
    variable: String, value: String, flag: String
  ) throws {
    var settings = settings(in: "/run/c")
    settings.webRoot = "/web"
    let gateway = try #require(LaunchedService.all.last)
    #expect(gateway.arguments(in: settings).contains(flag))
    let arguments = gateway.arguments(in: settings, environment: [variable: value])
    #expect(!arguments.contains(flag) && !arguments.contains("open") == (flag == "--web-lobby"))
    #expect(arguments.contains("--web-root"))
  }

  @Test func `every service starts with the flags that it knows`() throws {
    var settings = settings(in: "/run/c")
    settings.gatewayTCP = "127.0.0.1:7400"
    settings.mediaTCP = "127.0.0.1:7401"
    settings.allowsUnsigned = true
    settings.dataDirectory = "/data"
    let arguments = LaunchedService.all.map { $0.arguments(in: settings).joined(separator: " ") }
    #expect(
      arguments == [
        "--runtime-dir /run/c --instance presence-a --data-dir /data --drain-seconds 1",
        "--runtime-dir /run/c --instance messaging-a --data-dir /data --drain-seconds 1",
        "--runtime-dir /run/c --instance video-tiles-a --data-dir /data --drain-seconds 1",
        """
        --runtime-dir /run/c --instance media-a --data-dir /data --drain-seconds 1 \
        --listen-tcp 127.0.0.1:7401
        """,
        "--runtime-dir /run/c --instance transcription-a --data-dir /data --drain-seconds 1",
        "--runtime-dir /run/c --instance pocketsphinx-a --data-dir /data --drain-seconds 1",
        """
        --runtime-dir /run/c --instance gateway-a --data-dir /data --drain-seconds 1 \
        --rest-port 1 --listen-tcp 127.0.0.1:7400 --allow-unsigned
        """,
      ])
    settings.allowsUnsigned = false
    let gateway = LaunchedService.all.last?.arguments(in: settings) ?? []
    #expect(gateway.last == "--local-access-key")
    #expect(!gateway.contains("--allow-unsigned"))
    settings.webRoot = "/web"
    let page = LaunchedService.all.last?.arguments(in: settings) ?? []
    #expect(
      page.suffix(7).joined(separator: " ")
        == "--web-root /web --local-access-key --web-lobby open "
        + "--web-operator-key-file /run/c/web-operator.key")
    #expect(LaunchedService.all[0].healthSocket(in: settings) == "/run/c/presence-a.http.sock")
  }
}

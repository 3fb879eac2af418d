import Foundation
import ServiceLifecycle
import Synchronization
import Testing

@testable import ServiceHost

@Suite(.timeLimit(.minutes(5))) struct HealthServerTests {
  private struct Trouble: Error {}

  /// Starts a server, passes the server's address to `body`, and stops the server.
  private func withServer(
    at address: HealthServer.Address, health: HealthChecks = HealthChecks(),
    metrics: MetricsRegistry = MetricsRegistry(),
    _ body: (HealthServer.Address) async throws -> Void
  ) async throws {
    let (bound, report) = AsyncStream.makeStream(of: HealthServer.Address.self)
    let server = HealthServer(
      address: address, health: health, metrics: metrics, logger: silent,
      onListening: { report.yield($0) })
    let group = ServiceGroup(services: [server], logger: silent)
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await group.run() }
      let address = try #require(await bound.first { _ in true })
      try await body(address)
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }

  @Test func `a process serves health and metrics over its socket`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/http.sock"
      let health = HealthChecks()
      let metrics = MetricsRegistry()
      let isBroken = Shared(false)
      health.register("bus") { if isBroken.value { throw Trouble() } }
      metrics.counter("a_total", help: "A.").increment()
      try await withServer(at: .unixSocket(path: path), health: health, metrics: metrics) { _ in
        var answer = try await PlainHTTPClient.get("/livez", fromUnixSocket: path)
        #expect(answer.status == 200)
        answer = try await PlainHTTPClient.get("/readyz", fromUnixSocket: path)
        #expect(answer.status == 200)
        #expect(answer.body == #"{"status":"ready"}"#)
        answer = try await PlainHTTPClient.get("/metrics", fromUnixSocket: path)
        #expect(answer.head.contains("content-type: text/plain; version=0.0.4"))
        #expect(answer.body == "# HELP a_total A.\n# TYPE a_total counter\na_total 1\n")
        answer = try await PlainHTTPClient.get("/elsewhere", fromUnixSocket: path)
        #expect(answer.status == 404)

        isBroken.value = true
        answer = try await PlainHTTPClient.get("/readyz", fromUnixSocket: path)
        #expect(answer.status == 503)
        #expect(answer.body.contains(#""check":"bus""#))
        health.beginDrain()
        answer = try await PlainHTTPClient.get("/readyz", fromUnixSocket: path)
        #expect(answer.status == 503)
        #expect(answer.body == #"{"status":"draining"}"#)
        answer = try await PlainHTTPClient.get("/livez", fromUnixSocket: path)
        #expect(answer.status == 200)
      }
    }
  }

  @Test(arguments: ["/livez", "/readyz", "/metrics", "/healthz"])
  func `a HEAD request gets the status and length of GET without a body`(
    path: String
  ) async throws {
    try await withTemporaryDirectory { directory in
      let socket = "\(directory)/http.sock"
      let health = HealthChecks()
      try await withServer(at: .unixSocket(path: socket), health: health) { _ in
        for _ in 0..<2 {
          let told = try await PlainHTTPClient.get(path, fromUnixSocket: socket)
          let answer = try await PlainHTTPClient.get(path, fromUnixSocket: socket, method: "HEAD")
          #expect(answer.status == told.status)
          #expect(answer.body == "")
          if told.status != 404 {
            #expect(answer.head.contains("content-length: \(told.body.utf8.count)"))
          }
          health.beginDrain()
        }
      }
    }
  }

  @Test func `the server can listen on a free loopback port`() async throws {
    try await withServer(at: .loopback(port: 0)) { address in
      guard case .loopback(let port) = address else {
        Issue.record("Listens on \(address).")
        return
      }
      #expect(port > 0)
      let answer = try await PlainHTTPClient.get("/livez", fromLoopbackPort: port)
      #expect(answer.status == 200)
    }
  }

  @Test func `a socket left behind by a killed process is replaced`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/http.sock"
      try PlainHTTPClient.abandonSocket(at: path)
      #expect(FileManager.default.fileExists(atPath: path))
      try await withServer(at: .unixSocket(path: path)) { _ in
        let answer = try await PlainHTTPClient.get("/livez", fromUnixSocket: path)
        #expect(answer.status == 200)
      }
    }
  }

  @Test func `a health port that is in use gives the exit status for resources in use`()
    async throws
  {
    try await withServer(at: .loopback(port: 0)) { address in
      guard case .loopback(let port) = address else { return #expect(Bool(false)) }
      let second = HealthServer(
        address: .loopback(port: port), health: HealthChecks(), metrics: MetricsRegistry(),
        logger: silent)
      let error = await #expect(throws: HostError.self) { try await second.run() }
      #expect(error.map { ProcessExitStatus(for: $0) } == .inUse)
    }
  }

  @Test func `an address that cannot be bound is a configuration error`() async throws {
    let server = HealthServer(
      address: .unixSocket(path: "/proc/nowhere/http.sock"), health: HealthChecks(),
      metrics: MetricsRegistry(), logger: silent)
    let error = await #expect(throws: HostError.self) { try await server.run() }
    #expect(error.map { ProcessExitStatus(for: $0) } == .configuration)
    #expect(error?.description.contains("/proc/nowhere/http.sock") == true)
  }
}

/// A value that tests change while other threads read it.
private final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>
  init(_ value: Value) { mutex = Mutex(value) }
  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}

import Bus
import Foundation
import PostgreSQL
import TestSupport
import Testing
import ZeroMQ

@testable import Cluster

/// Tests of properties that only the registry of several machines has.
@Suite(.timeLimit(.minutes(5))) struct ClusterRegistryTests {
  private func announcement(
    _ instance: String, known term: UInt64 = 0
  ) -> InstanceAnnouncement {
    var announcement = InstanceAnnouncement(
      service: "presence", instance: instance, endpoints: ["rpc": "ipc:///x"],
      clusterEndpoints: ["rpc": "tcp://10.0.0.1:9"], host: "one")
    announcement.knownTerm = term
    return announcement
  }

  /// Runs a test with two machines and one store. The test may stop the store.
  private func withHosts(
    _ body: (_ one: ClusterRegistry, _ two: ClusterRegistry, PostgresServer) async throws -> Void
  ) async throws {
    let thread = SocketThread(name: "postgresql")
    defer { thread.stop() }
    let server = try await PostgresServer(
      in: NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8), on: thread)
    let address = try PostgresAddress(try server.makeDatabase())
    try await withTemporaryDirectory { first in
      try await withTemporaryDirectory { second in
        let hosts = [(first, "one"), (second, "two")].map { directory, name in
          ClusterRegistry(
            address, beside: RuntimeDirectoryRegistry(runtimeDirectory: directory), on: name)
        }
        try await body(hosts[0], hosts[1], server)
      }
    }
    try await server.remove()
  }

  @Test func `instances of one machine that register at the same time all succeed`() async throws {
    try await withHosts { _, _, server in
      let address = try PostgresAddress(try server.makeDatabase())
      try await withTemporaryDirectory { directory in
        // Each registry has its own connection, like the registries of different processes. The
        // connections already exist, so no registry waits until another registry has made the
        // tables.
        let registries = (0..<24).map { _ in
          ClusterRegistry(
            address, beside: RuntimeDirectoryRegistry(runtimeDirectory: directory), on: "one")
        }
        for registry in registries { _ = try registry.instances(of: "presence") }
        let terms = try await withThrowingTaskGroup(of: UInt64.self) { tasks in
          for (number, registry) in registries.enumerated() {
            let announcement = announcement("presence-\(number)")
            tasks.addTask { try await registry.registered(announcement).term }
          }
          return try await tasks.reduce(into: Set<UInt64>()) { $0.insert($1) }
        }
        #expect(terms.count == 24)
      }
    }
  }

  @Test func `an unreadable row hides no other instance`() async throws {
    try await withHosts { _, _, server in
      let address = try PostgresAddress(try server.makeDatabase())
      try await withTemporaryDirectory { directory in
        let registry = ClusterRegistry(
          address, beside: RuntimeDirectoryRegistry(runtimeDirectory: directory), on: "one")
        for number in 0..<20 { _ = try registry.register(announcement("presence-\(number)")) }
        let connection = try PostgresConnection.open(
          to: address, timeout: .seconds(5), applicationName: "damage")
        for (row, change) in [
          (3, "endpoints = 'torn'"), (7, "endpoints = '[1]'"), (11, "cluster_endpoints = ''"),
        ] {
          try connection.run(
            script: """
              UPDATE carillon_registry.instance SET \(change) WHERE instance = 'presence-\(row)'
              """)
        }
        // For a short time, the registry still returns its previous result.
        try await eventually("the others") { try registry.instances(of: "presence").count == 17 }
      }
    }
  }

  @Test
  func `a host finds the instances of another host by the external addresses of the instances`()
    async throws
  {
    try await withHosts { one, two, _ in
      var there = announcement("presence-a")
      there.host = "one"
      let held = try one.register(there)
      try held.heartbeat(meetings: 1)
      let seen = try #require(try two.instances(of: "presence").first)
      #expect(seen.isLive && !seen.isHere && seen.host == "one")
      #expect(seen.clusterEndpoints == ["rpc": "tcp://10.0.0.1:9"])
      #expect(try one.instances(of: "presence").first?.isHere == true)
      let taken = #expect(throws: InstanceRegistryError.self) {
        try two.register(announcement("presence-a"))
      }
      #expect(taken == .instanceIsTaken("presence-a"))
      #expect(try two.register(announcement("presence-b")).term > held.term)
    }
  }

  @Test
  func `a name without heartbeats may be taken, and the former owner of the name is notified`()
    async throws
  {
    try await withHosts { one, two, _ in
      let former = try one.register(announcement("presence-a"))
      try former.heartbeat(meetings: 1)
      try await eventually("the name to be free", within: .seconds(10)) {
        (try? two.register(announcement("presence-a"))) != nil
      }
      let lost = #expect(throws: InstanceRegistryError.self) { try former.heartbeat(meetings: 1) }
      #expect(lost == .instanceIsTaken("presence-a"))
      // A withdrawal by the former instance does not remove the new instance.
      former.withdraw()
      #expect(try two.instances(of: "presence").map(\.host) == ["two"])
    }
  }

  @Test func `all hosts learn immediately that a process has died`() async throws {
    try await withHosts { one, two, _ in
      var there = announcement("presence-a")
      there.host = "one"
      // A heartbeat is too old after three seconds, and a busy machine can delay a heartbeat for
      // longer. In this case, the registry reports the end of the process too early, and the test
      // repeats with another process.
      try await eventually("the other host to know it in time", within: .seconds(60)) {
        var held: (any InstanceRegistration)? = try one.register(there)
        try held?.heartbeat(meetings: 1)
        let begin = ContinuousClock.now
        guard try two.instances(of: "presence").first?.isLive == true else { return false }
        // The test releases the lock, just as the system does when a process ends.
        held = nil
        #expect(try one.instances(of: "presence").first?.isLive == false)
        try await eventually("the other host to know it") {
          try two.instances(of: "presence").first?.isLive == false
        }
        return ContinuousClock.now - begin < .seconds(2)
      }
    }
  }

  @Test func `new terms are above the highest known term that an instance has announced`()
    async throws
  {
    try await withHosts { one, two, _ in
      let first = try one.register(announcement("presence-a", known: 41))
      let second = try two.register(announcement("presence-b"))
      #expect([first.term, second.term] == [42, 43])
    }
  }

  @Test func `an outage of the store is reported in time and removes no instance`()
    async throws
  {
    try await withHosts { one, two, server in
      var there = announcement("presence-a")
      there.host = "one"
      let first = try one.register(there)
      let second = try two.register(announcement("presence-b"))
      for held in [first, second] { try held.heartbeat(meetings: 1) }
      #expect(try two.instances(of: "presence").count { $0.isLive } == 2)
      try await server.crash()
      let begin = ContinuousClock.now
      for _ in 0..<20 {
        #expect(isAway { _ = try one.instances(of: "presence") })
        #expect(isAway { try first.heartbeat(meetings: 1) })
        try await Task.sleep(for: .milliseconds(200))
      }
      #expect(ContinuousClock.now - begin < .seconds(12))
      try await server.start()
      // The second instance has sent a heartbeat, and the first instance has not. The registry
      // still treats the first instance as live.
      try await eventually("the store to be asked again") {
        (try? second.heartbeat(meetings: 1)) != nil
      }
      #expect(try two.instances(of: "presence").count { $0.isLive } == 2)
      // After some time without a heartbeat, the registry treats the first instance as dead.
      try await eventually("the first to be gone", within: .seconds(10)) {
        try? second.heartbeat(meetings: 1)
        return try two.instances(of: "presence").filter(\.isLive).map(\.instance)
          == ["presence-b"]
      }
      try first.heartbeat(meetings: 1)
      try await eventually("the first to be back") {
        try two.instances(of: "presence").count { $0.isLive } == 2
      }
    }
  }

  @Test func `a frozen store delays no caller for long`() async throws {
    try await withHosts { one, _, server in
      let held = try one.register(announcement("presence-a"))
      try held.heartbeat(meetings: 1)
      try server.freeze()
      let begin = ContinuousClock.now
      #expect(isAway { try held.heartbeat(meetings: 1) })
      #expect(ContinuousClock.now - begin < .seconds(5))
      try server.thaw()
      try await eventually("the store to answer") {
        (try? held.heartbeat(meetings: 1)) != nil
      }
    }
  }
}

/// Returns whether a call reports that the store does not answer.
private func isAway(_ call: () throws -> Void) -> Bool {
  do { try call() } catch InstanceRegistryError.storeIsAway { return true } catch {}
  return false
}

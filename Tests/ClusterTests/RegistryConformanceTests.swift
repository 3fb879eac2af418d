import Bus
import Foundation
import MeetingModel
import PostgreSQL
import TestSupport
import Testing

@testable import Cluster

/// Tests of both kinds of registry: in the runtime directory and in PostgreSQL.
@Suite(.timeLimit(.minutes(5))) struct RegistryConformanceTests {
  enum Engine: CaseIterable { case directory, postgresql }

  /// Runs a test with several registries of one machine over one store.
  private func withRegistries(
    _ engine: Engine, _ body: (_ make: () throws -> any Registry) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let local = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      switch engine {
      case .directory: try await body { local }
      case .postgresql:
        let address = try PostgresAddress(try await PostgresServer.shared().makeDatabase())
        try await body { ClusterRegistry(address, beside: local, on: "one") }
      }
    }
  }

  private func announcement(
    _ instance: String, of service: String = "presence"
  ) -> InstanceAnnouncement {
    InstanceAnnouncement(
      service: service, instance: instance, endpoints: ["rpc": "ipc:///x/\(instance).sock"])
  }

  @Test(arguments: Engine.allCases)
  func `the registry returns an instance and its announcement until the instance withdraws`(
    engine: Engine
  ) async throws {
    try await withRegistries(engine) { make in
      let (one, other) = (try make(), try make())
      let held = try one.register(announcement("presence-a"))
      _ = try one.register(announcement("messaging-a", of: "messaging"))
      try held.heartbeat(meetings: 7)
      let found = try #require(try other.instances(of: "presence").first)
      #expect(found.instance == "presence-a" && found.isLive && !found.isDraining)
      #expect(found.endpoints == ["rpc": "ipc:///x/presence-a.sock"])
      #expect(found.term == held.term && held.term > 0)
      #expect(found.meetings == 7)
      #expect(found.processID == ProcessInfo.processInfo.processIdentifier)
      #expect(try other.services() == ["messaging", "presence"])
      #expect(try other.instances(of: "media").isEmpty)
      held.withdraw()
      try await eventually("the name to be given back") {
        (try? other.instances(of: "presence").isEmpty) == true
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `each registration of a service has a term of its own`(engine: Engine) async throws {
    try await withRegistries(engine) { make in
      var terms: [UInt64] = []
      for round in 0..<6 {
        let held = try make().register(announcement(round % 2 == 0 ? "presence-a" : "presence-b"))
        terms.append(held.term)
        if round % 3 == 0 { held.withdraw() } else if round % 2 == 1 { held.withdraw() }
        if round == 2 || round == 4 { held.withdraw() }
      }
      #expect(terms == terms.sorted() && Set(terms).count == terms.count)
      var known = announcement("presence-c")
      known.knownTerm = 1_000
      let above = try make().register(known)
      #expect(above.term == 1_001)
      let next = try make().register(announcement("presence-d"))
      #expect(next.term == 1_002)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a registered name is refused to other processes`(engine: Engine) async throws {
    try await withRegistries(engine) { make in
      let held = try make().register(announcement("presence-a"))
      let registry = try make()
      let error = #expect(throws: InstanceRegistryError.self) {
        try registry.register(announcement("presence-a"))
      }
      #expect(error == .instanceIsTaken("presence-a"))
      held.withdraw()
      _ = try registry.register(announcement("presence-a"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `the draining state of an instance is visible to all processes until the instance leaves`(
    engine: Engine
  )
    async throws
  {
    try await withRegistries(engine) { make in
      let registry = try make()
      let held = try registry.register(announcement("presence-a"))
      try registry.setDraining(true, "presence-a", of: "presence")
      let operated = try make()
      #expect(try operated.instances(of: "presence").map(\.isDraining) == [true])
      try operated.setDraining(false, "presence-a", of: "presence")
      #expect(try make().instances(of: "presence").map(\.isDraining) == [false])
      try operated.setDraining(true, "presence-a", of: "presence")
      held.withdraw()
      let unknown = #expect(throws: InstanceRegistryError.self) {
        try make().setDraining(true, "presence-a", of: "presence")
      }
      #expect(unknown == .noInstance("presence-a"))
      _ = try registry.register(announcement("presence-a"))
      let anew = try make().instances(of: "presence")
      #expect(anew.map(\.isDraining) == [false])
    }
  }

  @Test(arguments: Engine.allCases)
  func `simultaneous registrations all get different terms`(engine: Engine) async throws {
    try await withRegistries(engine) { make in
      let registries = try (0..<8).map { _ in try make() }
      let held = try await withThrowingTaskGroup(of: (any InstanceRegistration).self) { tasks in
        for (number, registry) in registries.enumerated() {
          tasks.addTask { try await registry.registered(announcement("presence-\(number)")) }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(held.map(\.term)).count == 8)
      // While other instances waited for the store, the heartbeat of the first instance may have
      // become too old.
      for each in held { try each.heartbeat(meetings: 0) }
      let found = try make().instances(of: "presence")
      #expect(found.count { $0.isLive } == 8)
    }
  }
}

import Foundation
import MeetingModel
import Synchronization
import TestSupport
import Testing
import ZeroMQ

@testable import Bus

struct RegistryTests {
  private static let presence = InstanceAnnouncement(
    service: "presence", instance: "presence-a",
    endpoints: ["rpc": "ipc:///run/x/presence-a.sock", "events": "tcp://127.0.0.1:7000"])

  private static let messaging = InstanceAnnouncement(
    service: "messaging", instance: "messaging-a", endpoints: [:])

  @Test func `the registry returns an instance with the data that the instance announced`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      #expect(try registry.services() == [])
      #expect(try registry.instances(of: "presence") == [])
      let registration = try registry.register(Self.presence)
      #expect(try registry.services() == ["presence"])
      let found = try #require(try registry.instances(of: "presence").first)
      #expect(found.service == "presence")
      #expect(found.instance == "presence-a")
      #expect(found.endpoints == Self.presence.endpoints)
      #expect(found.term == registration.term)
      #expect(found.processID == ProcessInfo.processInfo.processIdentifier)
      #expect(found.isLive)
      #expect(try found.endpoint("rpc") == .ipc("/run/x/presence-a.sock"))
      #expect(throws: InstanceRegistryError.noEndpoint(instance: "presence-a", purpose: "client")) {
        try found.endpoint("client")
      }
    }
  }

  @Test func `the registry finds the cluster endpoints that an instance announced`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      var announcement = Self.presence
      announcement.host = HostIdentity.of(runtimeDirectory: directory)
      let far = try Endpoint.tcp(host: "192.0.2.7", port: 7000)
        .encrypted(for: CurveKeyPair().publicKey)
      announcement.clusterEndpoints = ["rpc": far.text, "events": "tcp://192.0.2.7:7001"]
      _ = try registry.register(announcement)
      var found = try #require(try registry.instances(of: "presence").first)
      #expect(found.host == announcement.host)
      #expect(found.clusterEndpoints == announcement.clusterEndpoints)
      // A process that shares the directory uses the Unix socket. Other hosts use the encrypted
      // endpoint.
      #expect(try found.endpoint("rpc") == .ipc("/run/x/presence-a.sock"))
      found.isHere = false
      #expect(try found.endpoint("rpc") == far)
      for purpose in ["events", "engines"] {
        #expect(throws: InstanceRegistryError.noEndpoint(instance: "presence-a", purpose: purpose))
        {
          try found.endpoint(purpose)
        }
      }
    }
  }

  @Test func `a record of an older version is read`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      _ = try registry.register(Self.presence)
      let path = directory + "/registry/presence/presence-a.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("clusterEndpoints") && !text.contains("host"))
      let found = try #require(try registry.instances(of: "presence").first)
      #expect(found.clusterEndpoints == [:])
      #expect(found.isHere)
    }
  }

  @Test func `a host has one name for each runtime directory`() async throws {
    try await withTemporaryDirectory { directory in
      let name = HostIdentity.of(runtimeDirectory: directory)
      #expect(name.count == 16)
      #expect(HostIdentity.of(runtimeDirectory: directory) == name)
      #expect(HostIdentity.of(runtimeDirectory: directory + "/..") != name)
    }
  }

  @Test func `a meeting has exactly one owner, which is live`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let meeting = MeetingID.random()
      #expect(try registry.owner(of: meeting, in: "presence") == nil)
      var registrations: [String: any InstanceRegistration] = [:]
      for name in ["presence-a", "presence-b", "presence-c"] {
        registrations[name] = try registry.register(
          InstanceAnnouncement(service: "presence", instance: name, endpoints: [:]))
      }
      let owner = try #require(try registry.owner(of: meeting, in: "presence"))
      #expect(try registry.owner(of: meeting, in: "presence") == owner)
      registrations[owner.instance]?.withdraw()
      let heir = try #require(try registry.owner(of: meeting, in: "presence"))
      #expect(heir.instance != owner.instance)
      for registration in registrations.values { registration.withdraw() }
    }
  }

  @Test func `an instance cannot register under the name of a live instance`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let first = try registry.register(Self.presence)
      #expect(throws: InstanceRegistryError.instanceIsTaken("presence-a")) {
        try registry.register(Self.presence)
      }
      // The rejected registration did not change the existing registration.
      let found = try #require(try registry.instances(of: "presence").first)
      #expect(found.term == first.term)
      #expect(found.isLive)
      withExtendedLifetime(first) {}
    }
  }

  @Test
  func `a crashed instance is not live, and another instance can take its name with a higher term`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      var crashing: (any InstanceRegistration)? = try registry.register(Self.presence)
      let term = try #require(crashing?.term)
      crashing = nil
      #expect(try registry.instances(of: "presence").map(\.isLive) == [false])
      let next = try registry.register(Self.presence)
      #expect(next.term == term + 1)
      #expect(try registry.instances(of: "presence").map(\.isLive) == [true])
      withExtendedLifetime(next) {}
    }
  }

  @Test func `the term rises with each of a hundred starts`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      for start in 1...100 as ClosedRange<UInt64> {
        let registration = try registry.register(Self.presence)
        #expect(registration.term == start)
        if start.isMultiple(of: 2) { registration.withdraw() }
      }
    }
  }

  @Test(arguments: ["", "rubbish", "-1", "18446744073709551616", "18446744073709551615"])
  func `the term rises even if its counter is damaged`(text: String) async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      for _ in 1...5 { _ = try registry.register(Self.presence) }
      try text.write(
        toFile: "\(directory)/registry/presence/presence-a.term", atomically: false, encoding: .utf8
      )
      #expect(try registry.register(Self.presence).term == 6)
    }
  }

  @Test(arguments: [nil, "rubbish", "18446744073709551615"])
  func `the term rises even if the runtime directory is lost`(damage: String?) async throws {
    try await withTemporaryDirectory { directory in
      let (run, data) = ("\(directory)/run", "\(directory)/data")
      for folder in [run, data] {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: false)
      }
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: run, dataDirectory: data)
      var terms: [UInt64] = []
      func start(_ announcement: InstanceAnnouncement) throws {
        let registration = try registry.register(announcement)
        terms.append(registration.term)
        registration.withdraw()
      }
      for _ in 1...3 { try start(Self.presence) }
      try start(Self.messaging)
      try FileManager.default.removeItem(atPath: "\(run)/registry")
      try start(Self.presence)
      // Damage to one of the two files may leave the other file intact.
      if let damage {
        try damage.write(
          toFile: "\(data)/terms/presence.presence-a", atomically: false, encoding: .utf8)
      }
      try start(Self.presence)
      try FileManager.default.removeItem(atPath: "\(run)/registry")
      try start(Self.presence)
      #expect(terms == [1, 2, 3, 1, 4, 5, 6])
    }
  }

  @Test func `registration needs no data directory`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(
        runtimeDirectory: directory, dataDirectory: "\(directory)/nowhere")
      let registration = try registry.register(Self.presence)
      #expect(registration.term == 1)
      #expect(!FileManager.default.fileExists(atPath: "\(directory)/nowhere"))
    }
  }

  @Test func `an instance without heartbeats for three seconds is not live`() async throws {
    try await withTemporaryDirectory { directory in
      let clock = Clock()
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory, now: { clock.now })
      let registration = try registry.register(Self.presence)
      func isLive() throws -> Bool? { try registry.instances(of: "presence").first?.isLive }
      clock.advance(2.9)
      #expect(try isLive() == true)
      clock.advance(0.2)
      #expect(try isLive() == false)
      try registration.heartbeat()
      #expect(try isLive() == true)
      clock.advance(1_000_000)
      #expect(try isLive() == false)
      // The instance hangs, but it still has the lock on its name.
      #expect(throws: InstanceRegistryError.self) { try registry.register(Self.presence) }
    }
  }

  @Test func `a withdrawn instance disappears, and its name is free`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let registration = try registry.register(Self.presence)
      registration.withdraw()
      registration.withdraw()
      #expect(try registry.instances(of: "presence") == [])
      try registration.heartbeat()
      #expect(try registry.instances(of: "presence") == [])
      #expect(try registry.register(Self.presence).term == 2)
    }
  }

  @Test func `foreign, torn or damaged records are ignored`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let registration = try registry.register(Self.presence)
      let folder = "\(directory)/registry/presence"
      let record = try String(contentsOfFile: "\(folder)/presence-a.json", encoding: .utf8)
      let contents: [(String, String)] = [
        ("empty.json", ""), ("torn.json", String(record.dropLast(5))), ("null.json", "null"),
        ("list.json", "[]"), ("text.json", "\u{0}\u{1}rubbish"), ("Foreign Name.json", record),
        (".hidden.json", record), ("notes.txt", record), ("draft.json.new", record),
        ("negative.json", record.replacingOccurrences(of: #""term":1"#, with: #""term":-1"#)),
      ]
      for (name, text) in contents {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
      }
      try FileManager.default.createDirectory(
        atPath: "\(folder)/folder.json", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link.json", withDestinationPath: "\(folder)/presence-a.json")
      #expect(mkfifo("\(folder)/pipe.json", 0o600) == 0)
      #expect(try registry.instances(of: "presence").map(\.instance) == ["presence-a"])

      // A record with no lock, or with a lock that no process holds, belongs to a dead instance.
      try record.write(toFile: "\(folder)/presence-b.json", atomically: false, encoding: .utf8)
      try "\(Date().timeIntervalSince1970)".write(
        toFile: "\(folder)/presence-c.lock", atomically: false, encoding: .utf8)
      try record.write(toFile: "\(folder)/presence-c.json", atomically: false, encoding: .utf8)
      let found = try registry.instances(of: "presence")
      #expect(found.map(\.instance) == ["presence-a", "presence-b", "presence-c"])
      #expect(found.map(\.isLive) == [true, false, false])

      // The registry treats an unreadable heartbeat like a missing heartbeat.
      try "soon".write(toFile: "\(folder)/presence-a.lock", atomically: false, encoding: .utf8)
      #expect(try registry.instances(of: "presence").first?.isLive == false)
      try registration.heartbeat()
      #expect(try registry.instances(of: "presence").first?.isLive == true)
    }
  }

  @Test(arguments: [
    "", "A", "a b", "a/b", "..", "a.b", "a_b", "ä", "a\u{0}", String(repeating: "a", count: 33),
  ])
  func `the name of an instance has 1 to 32 characters: a-z, 0-9 and -`(name: String) async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      for announcement in [
        InstanceAnnouncement(service: name, instance: "a", endpoints: [:]),
        InstanceAnnouncement(service: "a", instance: name, endpoints: [:]),
      ] {
        #expect(throws: InstanceRegistryError.invalidName(name)) {
          try registry.register(announcement)
        }
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(files.isEmpty)
    }
  }

  @Test func `the error names a missing directory`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory + "/none")
      let error = #expect(throws: InstanceRegistryError.self) {
        try registry.register(Self.presence)
      }
      #expect(error?.status.message.contains(directory + "/none/registry") == true)
      let instances = try registry.instances(of: "presence")
      #expect(instances.isEmpty)
    }
  }

  @Test func `instances that register simultaneously get each name once`() async throws {
    try await withTemporaryDirectory { directory in
      // The test's clock does not advance. With the real clock of a busy machine, the first
      // instance would no longer be live when the last instance registers.
      let clock = Clock()
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory, now: { clock.now })
      let held = await withTaskGroup(of: (any InstanceRegistration)?.self) { group in
        for attempt in 0..<60 {
          group.addTask {
            try? registry.register(
              InstanceAnnouncement(
                service: "presence", instance: "presence-\(attempt % 20)", endpoints: [:]))
          }
        }
        return await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
      }
      #expect(held.count == 20)
      let found = try registry.instances(of: "presence")
      #expect(found.count == 20)
      #expect(found.filter(\.isLive).count == 20)
    }
  }

  @Test func `no two registrations of a service have the same term`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let terms = await withTaskGroup(of: UInt64.self) { group in
        for number in 0..<20 {
          group.addTask {
            let announcement = InstanceAnnouncement(
              service: "presence", instance: "presence-\(number)", endpoints: [:])
            return (try? registry.register(announcement).term) ?? 0
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(terms.sorted() == Array(1...20))
      let other = try registry.register(Self.messaging)
      #expect(other.term == 1)
    }
  }

  @Test func `a new term exceeds the highest known term`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      var announcement = Self.presence
      announcement.knownTerm = 41
      let first = try registry.register(announcement).term
      #expect(first == 42)
      let second = try registry.register(Self.presence).term
      #expect(second == 43)
    }
  }

  @Test func `a draining instance gets no meetings while other instances are available`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      #expect(throws: InstanceRegistryError.noInstance("presence-a")) {
        try registry.setDraining(true, "presence-a", of: "presence")
      }
      var held: [any InstanceRegistration] = []
      for name in ["presence-a", "presence-b"] {
        held.append(
          try registry.register(
            InstanceAnnouncement(service: "presence", instance: name, endpoints: [:])))
      }
      func sharing() throws -> [String] { try registry.membership(of: "presence").instances }
      #expect(try sharing() == ["presence-a", "presence-b"])
      try registry.setDraining(true, "presence-a", of: "presence")
      #expect(try registry.instances(of: "presence").map(\.isDraining) == [true, false])
      #expect(try sharing() == ["presence-b"])
      // No other instance exists that could take over the meetings.
      try registry.setDraining(true, "presence-b", of: "presence")
      #expect(try sharing() == ["presence-a", "presence-b"])
      try registry.setDraining(false, "presence-b", of: "presence")
      try registry.setDraining(false, "presence-b", of: "presence")
      #expect(try sharing() == ["presence-b"])
      // The draining state ends with the run of the instance, so the next run owns meetings again.
      held[0].withdraw()
      held[0] = try registry.register(Self.presence)
      #expect(try sharing() == ["presence-a", "presence-b"])
      withExtendedLifetime(held) {}
    }
  }

  @Test func `the heartbeat contains the number of the instance's meetings`() async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let registration = try registry.register(Self.presence)
      #expect(try registry.instances(of: "presence").map(\.meetings) == [0])
      try registration.heartbeat(meetings: 1_234)
      #expect(try registry.instances(of: "presence").map(\.meetings) == [1_234])
      try registration.heartbeat(meetings: 7)
      #expect(try registry.instances(of: "presence").map(\.meetings) == [7])
    }
  }

  @Test
  func `records of instances that ended long ago are removed, but their terms are not reused`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let clock = Clock()
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory, now: { clock.now })
      for number in 1...3 {
        _ = try registry.register(
          InstanceAnnouncement(service: "presence", instance: "presence-\(number)", endpoints: [:]))
      }
      clock.advance(599)
      _ = try registry.register(Self.presence)
      #expect(try registry.instances(of: "presence").count == 4)
      clock.advance(2)
      let present = try registry.register(
        InstanceAnnouncement(service: "presence", instance: "presence-b", endpoints: [:]))
      #expect(present.term == 5)
      #expect(
        try registry.instances(of: "presence").map(\.instance) == ["presence-a", "presence-b"])
      withExtendedLifetime(present) {}
    }
  }

  private final class Clock: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_700_000_000))

    var now: Date { date.withLock { $0 } }

    func advance(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }
  }
}

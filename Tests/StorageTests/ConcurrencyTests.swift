import Foundation
import MeetingModel
import Testing

@testable import Storage

@Suite struct ConcurrencyTests {
  /// Runs `count` simultaneous calls on stores that share a file, and returns the result of each
  /// call.
  private func simultaneously<Value: Sendable>(
    _ count: Int, on stores: [MeetingStore],
    _ call: @escaping @Sendable (MeetingStore, Int) async throws -> Value
  ) async -> [Result<Value, any Error>] {
    await withTaskGroup(of: Result<Value, any Error>.self) { group in
      for index in 0..<count {
        group.addTask {
          do { return .success(try await call(stores[index % stores.count], index)) } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func `fifty concurrent creations with one token create one meeting`() async throws {
    try await withFixture { fixture in
      let stores = [try fixture.open(), try fixture.open()]
      let request = try meetingRequest(attendees: ["ada", "grace"])
      let results = await simultaneously(50, on: stores) { store, _ in
        try await store.createMeeting(request, at: 1)
      }
      let created = try results.map { try $0.get() }
      #expect(created.count == 50)
      #expect(created.count { $0.isNew } == 1)
      #expect(Set(created.map(\.meeting)).count == 1)
      #expect(Set(created.map(\.enrolled)).count == 1)
      #expect(try await stores[0].listMeetings(limit: 9).elements.count == 1)
    }
  }

  @Test func `fifty concurrent creations of one name create one attendee`() async throws {
    try await withFixture { fixture in
      let stores = [try fixture.open(), try fixture.open()]
      let meeting = try await stores[0].makeMeeting()
      let results = await simultaneously(50, on: stores) { store, _ in
        try await store.makeAttendee("ada", in: meeting)
      }
      #expect(try Set(results.map { try $0.get() }).count == 1)
      #expect(try await stores[0].names(in: meeting) == ["ada"])
    }
  }

  @Test func `concurrent creations of attendees do not exceed the capacity`() async throws {
    try await withFixture { fixture in
      let stores = [try fixture.open(), try fixture.open()]
      let meeting = try await stores[0].makeMeeting(features: MeetingFeatures(maxAttendees: 10))
      let results = await simultaneously(40, on: stores) { store, index in
        try await store.makeAttendee("user-\(index)", in: meeting)
      }
      var failures: [StorageError] = []
      for case .failure(let error) in results {
        failures.append(try #require(error as? StorageError))
      }
      #expect(failures.count == 30)
      #expect(Set(failures) == [.meetingFull(capacity: 10)])
      #expect(try await stores[1].names(in: meeting).count == 10)
    }
  }

  @Test func `concurrent creations of replicas do not exceed the limit`() async throws {
    try await withFixture { fixture in
      let stores = [try fixture.open(), try fixture.open()]
      let primary = try await stores[0].makeMeeting()
      let results = await simultaneously(12, on: stores) { store, index in
        try await store.makeMeeting("replica-\(index)", primary: primary)
      }
      #expect(results.count { (try? $0.get()) != nil } == 4)
      #expect(try await stores[1].listMeetings(limit: 20).elements.count == 5)
    }
  }

  @Test func `if a meeting is deleted during creations of attendees, no attendee remains`()
    async throws
  {
    try await withFixture { fixture in
      let stores = [try fixture.open(), try fixture.open()]
      for round in 0..<5 {
        let meeting = try await stores[0].makeMeeting("round-\(round)")
        let results = await simultaneously(21, on: stores) { store, index in
          if index == 10 {
            _ = try await store.endMeeting(meeting, because: .deleted, at: 1)
          } else {
            _ = try await store.makeAttendee("user-\(index)", in: meeting)
          }
        }
        for case .failure(let error) in results {
          #expect(error as? StorageError == .meetingNotFound(meeting))
        }
      }
      let counts = try await stores[0].read { database in
        [
          try database.count("SELECT COUNT(*) FROM attendee", []),
          try database.count("SELECT COUNT(*) FROM meeting", []),
        ]
      }
      #expect(counts == [0, 0])
    }
  }

  @Test func `only one of twenty concurrent deletions succeeds`() async throws {
    try await withFixture { fixture in
      let stores = [try fixture.open(), try fixture.open()]
      let meeting = try await stores[0].makeMeeting()
      let results = await simultaneously(20, on: stores) { store, _ in
        try await store.endMeeting(meeting, because: .deleted, at: 1)
      }
      #expect(results.count { (try? $0.get()) != nil } == 1)
    }
  }

  @Test func `processes that start together share one new database and one new key`()
    async throws
  {
    try await withFiles { fixture in
      let directory = fixture.directory.path
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            await #expect(processExitsWith: .success) { [directory = directory as String] in
              let fixture = StoreFixture(
                directory: URL(filePath: directory), location: .directory(directory))
              let request = try meetingRequest(attendees: ["ada"])
              _ = try await fixture.open().createMeeting(request, at: 1)
            }
          }
        }
      }
      let store = try fixture.open()
      let meetings = try await store.listMeetings(limit: 9).elements
      #expect(meetings.count == 1)
      let again = try await store.createMeeting(meetingRequest(attendees: ["ada"]), at: 2)
      #expect(!again.isNew)
      let ada = try #require(again.enrolled.attendees.first)
      let admission = try await store.admission(
        meeting: again.meeting.id, attendee: ada.attendee.id, token: ada.joinToken)
      #expect(admission == .admitted(again.meeting, ada.attendee))
    }
  }

  @Test func `stores that open a new file concurrently all find their tables`() async throws {
    for _ in 0..<5 {
      try await withFixture { fixture in
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
          for index in 0..<8 {
            group.addTask {
              let store = try fixture.open()
              _ = try await store.makeMeeting("token-\(index)")
              return try await store.listMeetings(limit: 9).elements.count
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.max() == 8)
      }
    }
  }
}

import Foundation
import MeetingModel
import Testing

@testable import Storage

@Suite struct ClientEventsStoreTests {
  private let meeting = MeetingID.random()
  private let replica = MeetingID.random()
  private let ada = AttendeeID.random()

  private func event(
    _ id: String, by attendee: AttendeeID? = nil, in meeting: MeetingID? = nil,
    of primary: MeetingID? = nil, user: String? = "ada", at time: Int64 = 1
  ) throws -> ReportedClientEvent {
    ReportedClientEvent(
      meeting: meeting ?? self.meeting, primary: primary, attendee: attendee ?? ada,
      externalUserID: try user.map { try ExternalUserID($0) }, id: id, name: "audioStarted",
      receivedAtMs: time, metadata: "{}", payload: #"{"n":1}"#)
  }

  private func withEvents(
    capacity: Int = .max, _ body: (ClientEventsStore) async throws -> Void
  ) async throws {
    try await withFixture { fixture in
      try await body(
        ClientEventsStore(in: fixture.location, capacity: capacity))
    }
  }

  private func ids(_ store: ClientEventsStore, of meeting: MeetingID? = nil) async throws
    -> [String]
  {
    try await store.events(of: meeting, limit: 100).map(\.event.id)
  }

  @Test func `a repeated event is stored once`() async throws {
    try await withEvents { store in
      #expect(try await store.lastNumber() == 0)
      try await store.add([event("a"), event("b"), event("a")])
      try await store.add([event("b"), event("c")])
      #expect(try await ids(store) == ["a", "b", "c"])
      // The same event id of another attendee belongs to another event.
      try await store.add([event("a", by: .random())])
      #expect(try await ids(store) == ["a", "b", "c", "a"])
      let first = try #require(try await store.events(limit: 1).first)
      #expect(first.event == (try event("a")))
      #expect(try await store.events(after: first.number, limit: 1).map(\.event.id) == ["b"])
    }
  }

  @Test func `the events of a primary include the events of its replicas`() async throws {
    try await withEvents { store in
      try await store.add([
        event("a"), event("b", in: replica, of: meeting), event("c", in: .random()),
      ])
      #expect(try await ids(store, of: meeting) == ["a", "b"])
      #expect(try await ids(store, of: replica) == ["b"])
    }
  }

  @Test func `the store drops its oldest events when it is full`() async throws {
    try await withEvents(capacity: 3) { store in
      for id in ["a", "b", "c", "d", "e"] { try await store.add([event(id)]) }
      #expect(try await ids(store) == ["c", "d", "e"])
    }
  }

  @Test func `an erasure removes the events of a user and of the given attendees`() async throws {
    try await withEvents { store in
      let other = AttendeeID.random()
      try await store.add([
        event("a"), event("b", by: other, user: nil), event("c", by: .random(), user: "ben"),
        event("d", by: .random(), user: "ben", at: 9),
      ])
      #expect(try await store.erase(ExternalUserID("ada"), and: [other]) == 2)
      #expect(try await ids(store) == ["c", "d"])
      try await store.purge(receivedBefore: 9)
      #expect(try await ids(store) == ["d"])
    }
  }
}

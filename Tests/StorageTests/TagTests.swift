import MeetingModel
import Storage
import Testing

@Suite struct TagTests {
  @Test func `tags can be added, changed and removed`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      #expect(try await store.tags(of: meeting).isEmpty)
      try await store.setTags(tags("team=blue", "cost=7"), of: meeting)
      try await store.setTags(tags("team=red", "Team=x"), of: meeting)
      #expect(try await store.tags(of: meeting) == tags("Team=x", "cost=7", "team=red"))
      try await store.removeTags(["team", "nothing", "TEAM"], of: meeting)
      #expect(try await store.tags(of: meeting) == tags("Team=x", "cost=7"))
    }
  }

  @Test func `another gateway reads the tags of a meeting, and other meetings lack these tags`()
    async throws
  {
    try await withFixture { fixture in
      let store = try fixture.open()
      let meeting = try await store.makeMeeting()
      let other = try await store.makeMeeting("token-2")
      try await store.setTags(tags("team=blue"), of: meeting)
      #expect(try await fixture.open().tags(of: meeting) == tags("team=blue"))
      #expect(try await store.tags(of: other).isEmpty)
      #expect(try await store.meeting(meeting).tags == tags("team=blue"))
    }
  }

  @Test func `a meeting with the maximum number of tags accepts new values but no new keys`()
    async throws
  {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let fifty = try (1...50).map { try MeetingTag(key: "key-\($0)", value: "") }
      try await store.setTags(fifty, of: meeting)
      await #expect(throws: StorageError.tooManyTags(50)) {
        try await store.setTags(tags("key-1=changed", "key-51="), of: meeting)
      }
      #expect(try await store.tags(of: meeting).allSatisfy { $0.value.isEmpty })
      try await store.setTags(tags("key-1=changed"), of: meeting)
      #expect(try await store.tags(of: meeting).filter { $0.value == "changed" }.count == 1)
      #expect(StorageError.tooManyTags(50).status.code == .resourceExhausted)
    }
  }

  @Test func `the tags of an ended meeting can be neither read nor changed`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      try await store.setTags(tags("team=blue"), of: meeting)
      _ = try await store.endMeeting(meeting, because: .deleted, at: 5)
      await #expect(throws: StorageError.meetingNotFound(meeting)) {
        try await store.tags(of: meeting)
      }
      await #expect(throws: StorageError.meetingNotFound(meeting)) {
        try await store.setTags(tags("team=blue"), of: meeting)
      }
      await #expect(throws: StorageError.meetingNotFound(meeting)) {
        try await store.removeTags(["team"], of: meeting)
      }
    }
  }

  @Test func `concurrent changes of tags are all stored within the limit`() async throws {
    try await withFixture { fixture in
      let stores = [try fixture.open(), try fixture.open()]
      let meeting = try await stores[0].makeMeeting()
      let outcomes = await withTaskGroup(of: Bool.self) { tasks in
        for number in 0..<60 {
          tasks.addTask {
            let tag = try? MeetingTag(key: "key-\(number)", value: "")
            return (try? await stores[number % 2].setTags([tag].compactMap(\.self), of: meeting))
              != nil
          }
        }
        return await tasks.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.filter(\.self).count == 50)
      #expect(try await stores[0].tags(of: meeting).count == 50)
    }
  }

  /// Returns tags from texts of the form `key=value`.
  private func tags(_ texts: String...) throws -> [MeetingTag] {
    try texts.map { text in
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      return try MeetingTag(key: String(parts[0]), value: String(parts[1]))
    }
  }
}

import MeetingModel
import Testing

@testable import Storage

@Suite struct WebhookTests {
  private static let holder = "gateway-a 1"

  /// Creates a meeting with an attendee, locks the meeting and ends the meeting. Each of these four
  /// steps causes one event.
  private func hold(_ token: String, in store: MeetingStore) async throws -> MeetingID {
    let meeting = try await store.makeMeeting(token)
    _ = try await store.makeAttendee("ada", in: meeting)
    try await store.setLocked(true, meeting, at: 3)
    _ = try await store.endMeeting(meeting, because: .deleted, at: 4)
    return meeting
  }

  private func takeDuty(_ store: MeetingStore, as holder: String = holder) async throws {
    #expect(try await store.take(.webhooks, as: holder, for: .seconds(10), at: 0))
  }

  @Test func `a receiver gets only events that occur after the receiver's creation`() async throws {
    try await withStore { store in
      _ = try await hold("before", in: store)
      let (webhook, secret) = try await store.addWebhook(at: "http://a/", now: 7)
      #expect(try await store.nextDeliveries(limit: 10).isEmpty)
      let meeting = try await hold("after", in: store)
      let (next) = try await store.nextDeliveries(limit: 10)
      #expect(next.map(\.event.sequence) == [1])
      #expect(next.map(\.event.kind) == [.meetingStarted])
      #expect(next.map(\.event.meeting) == [meeting])
      #expect(next.map(\.url) == ["http://a/"])
      #expect(try await store.webhook(webhook.id).pending == 4)
      #expect(try await store.webhookSecret(of: webhook.id) == secret)
      #expect(try #require(secret).count >= 24)
    }
  }

  @Test func `a receiver that is added again is returned without its secret`()
    async throws
  {
    try await withStore { store in
      let (webhook, secret) = try await store.addWebhook(at: "http://a/", now: 1)
      #expect(secret != nil)
      for isEnabled in [nil, true] {
        let again = try await store.addWebhook(at: "http://a/", isEnabled: isEnabled, now: 2)
        #expect(again.webhook == webhook)
        #expect(again.secret == nil)
      }
      await #expect(throws: StorageError.webhookConflict) {
        try await store.addWebhook(at: "http://a/", isEnabled: false, now: 3)
      }
      _ = try await store.setWebhook(webhook.id, isEnabled: false)
      // Without `isEnabled`, the call returns the unchanged receiver.
      let found = try await store.addWebhook(at: "http://a/", now: 4).webhook
      #expect(found.id == webhook.id && !found.isEnabled)
      await #expect(throws: StorageError.webhookConflict) {
        try await store.addWebhook(at: "http://a/", isEnabled: true, now: 5)
      }
      let other = try await store.addWebhook(at: "http://a/x", isEnabled: false, now: 6)
      #expect(!other.webhook.isEnabled && other.secret != nil)
      #expect(try await store.webhooks().map(\.id) == [webhook.id, other.webhook.id])
      try await store.deleteWebhook(webhook.id)
      let anew = try await store.addWebhook(at: "http://a/", now: 7)
      #expect(anew.webhook.id != webhook.id)
      #expect(anew.secret != nil && anew.secret != secret)
    }
  }

  @Test func `events of a meeting are delivered one at a time and in order`() async throws {
    try await withStore { store in
      _ = try await store.addWebhook(at: "http://a/", now: 0)
      _ = try await hold("token-1", in: store)
      try await takeDuty(store)
      var next = try await store.nextDeliveries(limit: 10).first
      var kinds: [MeetingEvent.Kind] = []
      while let delivery = next {
        kinds.append(delivery.event.kind)
        // A delivery stays the next delivery until the receiver has accepted it.
        #expect(try await store.nextDeliveries(limit: 10) == [delivery])
        next = try await store.delivered(delivery, by: Self.holder)
      }
      #expect(kinds == [.meetingStarted, .attendeeAdded, .meetingLocked, .meetingEnded])
      #expect(try await store.nextDeliveries(limit: 10).isEmpty)
    }
  }

  @Test func `a receiver that does not respond delays no other receiver`() async throws {
    try await withStore { store in
      let down = try await store.addWebhook(at: "http://down/", now: 0).webhook
      for number in 0..<5 { _ = try await hold("old-\(number)", in: store) }
      let up = try await store.addWebhook(at: "http://up/", now: 1).webhook
      _ = try await hold("new", in: store)
      let next = try await store.nextDeliveries(limit: 3)
      #expect(next.map(\.webhook) == [down.id, down.id, down.id, up.id])
      // The deliveries are in the order of the event numbers.
      #expect(next.map(\.event.number).sorted() == next.map(\.event.number))
    }
  }

  @Test func `a process that lost the lease cannot record deliveries`() async throws {
    try await withStore { store in
      _ = try await store.addWebhook(at: "http://a/", now: 0)
      _ = try await hold("token-1", in: store)
      try await takeDuty(store)
      let (first) = try #require(try await store.nextDeliveries(limit: 1).first)
      #expect(try await store.take(.webhooks, as: "b", for: .seconds(10), at: 9_999) == false)
      #expect(try await store.take(.webhooks, as: "b", for: .seconds(10), at: 10_000))
      #expect(try await store.delivered(first, by: Self.holder) == nil)
      #expect(try await store.nextDeliveries(limit: 1) == [first])
      #expect(try await store.delivered(first, by: "b")?.event.sequence == 2)
      #expect(
        try await store.take(.webhooks, as: Self.holder, for: .seconds(1), at: 11_000) == false)
    }
  }

  @Test func `a process keeps its lease by renewing the lease`() async throws {
    try await withStore { store in
      try await takeDuty(store)
      #expect(try await store.take(.webhooks, as: Self.holder, for: .seconds(10), at: 9_000))
      #expect(try await store.take(.webhooks, as: "b", for: .seconds(10), at: 18_999) == false)
    }
  }

  @Test func `a replay delivers events again, beginning with a given event`() async throws {
    try await withStore { store in
      let webhook = try await store.addWebhook(at: "http://a/", now: 0).webhook
      let meeting = try await hold("token-1", in: store)
      try await takeDuty(store)
      var next = try await store.nextDeliveries(limit: 1).first
      while let delivery = next { next = try await store.delivered(delivery, by: Self.holder) }
      #expect(try await store.replay(of: meeting, from: 3, to: webhook.id) == 2)
      // The replay does not add a pending delivery a second time.
      #expect(try await store.replay(of: meeting, from: 1, to: webhook.id) == 2)
      #expect(try await store.replay(of: meeting, from: 5, to: webhook.id) == 0)
      #expect(try await store.nextDeliveries(limit: 9).map(\.event.sequence) == [1])
      #expect(try await store.webhook(webhook.id).pending == 4)
      let unknown = MeetingID.random()
      await #expect(throws: StorageError.meetingNotFound(unknown)) {
        try await store.replay(of: unknown, from: 1, to: webhook.id)
      }
      await #expect(throws: StorageError.webhookNotFound("x")) {
        try await store.replay(of: meeting, from: 1, to: "x")
      }
    }
  }

  @Test func `a disabled receiver gets its pending events after it is enabled`() async throws {
    try await withStore { store in
      let webhook = try await store.addWebhook(at: "http://a/", now: 0).webhook
      #expect(try await store.setWebhook(webhook.id, isEnabled: false).isEnabled == false)
      _ = try await hold("token-1", in: store)
      #expect(try await store.nextDeliveries(limit: 9).isEmpty)
      #expect(try await store.setWebhook(webhook.id, isEnabled: true).pending == 4)
      #expect(try await store.nextDeliveries(limit: 9).count == 1)
    }
  }

  @Test func `a deleted receiver has no pending events`() async throws {
    try await withStore { store in
      let webhook = try await store.addWebhook(at: "http://a/", now: 0).webhook
      _ = try await hold("token-1", in: store)
      try await store.deleteWebhook(webhook.id)
      #expect(try await store.nextDeliveries(limit: 9).isEmpty)
      #expect(try await store.webhookSecret(of: webhook.id) == nil)
      let error = StorageError.webhookNotFound(webhook.id)
      await #expect(throws: error) { try await store.deleteWebhook(webhook.id) }
      await #expect(throws: error) { try await store.webhook(webhook.id) }
      await #expect(throws: error) { try await store.setWebhook(webhook.id, isEnabled: true) }
    }
  }

  @Test func `the outbox is bounded, and the losses of each receiver are counted`() async throws {
    try await withFixture { fixture in
      let store = try fixture.open(keeping: RecordRetention(maxEvents: 10, maxWebhooks: 2))
      let first = try await store.addWebhook(at: "http://a/", now: 0).webhook
      _ = try await hold("token-1", in: store)
      let second = try await store.addWebhook(at: "http://b/", now: 1).webhook
      _ = try await hold("token-2", in: store)
      let last = try await hold("token-3", in: store)
      // The store keeps ten of twelve events. The second receiver had eight pending deliveries, and
      // lost none of these deliveries.
      let shown = try await store.webhooks()
      #expect(shown.map(\.id) == [first.id, second.id])
      #expect(shown.map(\.pending) == [10, 8])
      #expect(shown.map(\.dropped) == [2, 0])
      #expect(try await store.nextDeliveries(limit: 9).first?.event.sequence == 3)
      #expect(try await store.events(of: last, limit: 9).map(\.sequence) == [1, 2, 3, 4])
      await #expect(throws: StorageError.tooManyWebhooks(2)) {
        try await store.addWebhook(at: "http://c/", now: 0)
      }
    }
  }

  @Test func `pending events of a purged meeting count as lost`() async throws {
    try await withStore { store in
      let webhook = try await store.addWebhook(at: "http://a/", now: 0).webhook
      let meeting = try await hold("token-1", in: store)
      try await store.purgeRecords(endedBefore: 4, erasedBefore: 0)
      #expect(try await store.meetingRecord(meeting).lastEvent == 4)
      try await store.purgeRecords(endedBefore: 5, erasedBefore: 0)
      let shown = try await store.webhook(webhook.id)
      #expect((shown.pending, shown.dropped) == (0, 4))
      await #expect(throws: StorageError.meetingNotFound(meeting)) {
        try await store.events(of: meeting, limit: 1)
      }
    }
  }

  @Test func `a failure is shown until the next successful delivery`() async throws {
    try await withStore { store in
      let webhook = try await store.addWebhook(at: "http://a/", now: 0).webhook
      _ = try await hold("token-1", in: store)
      try await takeDuty(store)
      let delivery = try #require(try await store.nextDeliveries(limit: 1).first)
      try await store.notDelivered(to: webhook.id, because: "It answered 500.", at: 100)
      let long = String(repeating: "é", count: 300)
      try await store.notDelivered(to: webhook.id, because: long, at: 200)
      let failure = try await store.webhook(webhook.id).failure
      #expect(failure?.since == 100)
      #expect(failure?.problem == String(repeating: "é", count: 199) + "…")
      _ = try await store.delivered(delivery, by: Self.holder)
      #expect(try await store.webhook(webhook.id).failure == nil)
    }
  }

  @Test func `locking a locked meeting causes no further event`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      #expect(try await store.meeting(meeting).isLocked == false)
      for isLocked in [true, true, false, false] {
        try await store.setLocked(isLocked, meeting, at: 5)
        #expect(try await store.meeting(meeting).isLocked == isLocked)
      }
      let kinds = try await store.events(of: meeting, limit: 9).map(\.kind)
      #expect(kinds == [.meetingStarted, .meetingLocked, .meetingUnlocked])
      let unknown = MeetingID.random()
      await #expect(throws: StorageError.meetingNotFound(unknown)) {
        try await store.setLocked(true, unknown, at: 5)
      }
    }
  }
}

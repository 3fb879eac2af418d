import MeetingModel
import Testing
import ZeroMQ

@testable import Bus

@Suite(.timeLimit(.minutes(5))) struct OwnerNoticeQueueTests {
  /// Returns a queue of notices to a service that has no live instance.
  private static func queue(_ bus: TestBus) -> OwnerNoticeQueue<PresenceClient> {
    let links = ServiceLinks(
      "presence", topic: EventTopic.roster(of:), handlers: .init(), in: bus.context, on: bus.thread
    ) { PresenceClient($0) }
    return OwnerNoticeQueue(to: links, on: bus.thread)
  }

  private static func tell(
    _ client: PresenceClient, _ options: CallOptions, _ then: @escaping (Status?) -> Void
  ) { then(nil) }

  @Test func `an unanswered notice fails when its timeout ends`() async throws {
    try await withTestBus { bus in
      let queue = Self.queue(bus)
      await #expect(throws: Status.self) {
        try await queue.tell(
          .meeting(.random()), timeout: .milliseconds(200), Self.tell)
      }
      #expect(queue.count == 0)
    }
  }

  @Test func `a notice that waits behind another notice fails at its own timeout`() async throws {
    try await withTestBus { bus in
      let queue = Self.queue(bus)
      let meeting = MeetingID.random()
      queue.add(.meeting(meeting), timeout: .seconds(600), Self.tell)
      await #expect(throws: Status.self) {
        try await queue.tell(.meeting(meeting), timeout: .milliseconds(200), Self.tell)
      }
      // The first notice still has no answer.
      #expect(queue.count == 1)
      queue.close()
    }
  }

  @Test func `an obsolete notice is dropped and reported as delivered`() async throws {
    try await withTestBus { bus in
      let queue = Self.queue(bus)
      var answers: [Status?] = []
      queue.add(.meeting(.random()), while: { false }, then: { answers.append($0) }, Self.tell)
      #expect(answers.count == 1)
      #expect(answers.first == .some(nil))
    }
  }

  @Test func `notices of one subject wait for each other but not for notices of other subjects`()
    async throws
  {
    try await withTestBus { bus in
      let queue = Self.queue(bus)
      let meeting = MeetingID.random()
      var asked: [String] = []
      queue.add(
        .meeting(meeting),
        while: {
          asked.append("first"); return true
        }, Self.tell)
      queue.add(
        .meeting(meeting),
        while: {
          asked.append("second"); return true
        }, Self.tell)
      let session = SessionID.random()
      queue.add(
        .session(session, in: meeting),
        while: {
          asked.append("session"); return true
        }, Self.tell)
      #expect(asked == ["first", "session"])
      #expect(queue.count == 3)
      queue.close()
    }
  }

  @Test func `the queue is bounded, and closing the queue fails the waiting notices`() async throws
  {
    try await withTestBus { bus in
      let queue = Self.queue(bus)
      let meeting = MeetingID.random()
      var answers: [StatusCode?] = []
      for _ in 0..<300 {
        queue.add(.meeting(meeting), then: { answers.append($0?.code) }, Self.tell)
      }
      #expect(answers.count == 300 - 256)
      #expect(answers.allSatisfy { $0 == .unavailable })
      queue.close()
      #expect(answers.count == 300)
      #expect(answers.last == .cancelled)
    }
  }

  @Test func `obsolete notices are dropped to make room for current notices`() async throws {
    try await withTestBus { bus in
      let queue = Self.queue(bus)
      let meeting = MeetingID.random()
      var newest = 0
      var answers: [StatusCode?] = []
      for number in 1...1_000 {
        newest = number
        queue.add(
          .meeting(meeting), while: { number == newest }, then: { answers.append($0?.code) },
          Self.tell)
        #expect(queue.count <= 256)
      }
      #expect(answers.allSatisfy { $0 == nil })
      queue.close()
      // Closing the queue cancelled the newest notice, which was still waiting.
      #expect(answers.count == 1_000 && answers.last == .cancelled)
    }
  }

  // MARK: Settling

  /// A service whose only instance answers when the test requests the answer.
  private final class SlowService {
    let queue: OwnerNoticeQueue<PresenceClient>
    let link: ServiceLink<PresenceClient>

    /// The received notices, each with a closure that answers the notice.
    var told: [(name: String, answer: (Status?) -> Void)] = []

    init(_ bus: TestBus) throws {
      let links = ServiceLinks(
        "presence", topic: EventTopic.roster(of:), handlers: .init(), in: bus.context,
        on: bus.thread
      ) { PresenceClient($0) }
      _ = try links.refresh(with: [
        RegisteredInstance(
          service: "presence", instance: "presence-a",
          endpoints: ["rpc": bus.endpoint("rpc").text, "events": bus.endpoint("events").text],
          term: 1, processID: 1, startedAt: 0, isLive: true)
      ])
      link = try #require(links["presence-a"])
      let queue = OwnerNoticeQueue(to: links, on: bus.thread)
      self.queue = queue
      bus.cleanUp {
        queue.close()
        links.close()
      }
    }

    func add(_ name: String, _ subject: OwnerNoticeQueue<PresenceClient>.Subject) {
      queue.add(subject) { [unowned self] _, _, then in told.append((name, then)) }
    }
  }

  @Test
  func `a wait for an empty queue ends when the current notices have ended, despite later notices`()
    async throws
  {
    try await withTestBus { bus in
      let service = try SlowService(bus)
      let subject = OwnerNoticeQueue<PresenceClient>.Subject.meeting(.random())
      service.add("mute", subject)
      service.add("unmute", subject)
      service.add("other", .meeting(.random()))
      #expect(service.told.map(\.name) == ["mute", "other"])
      var settled = 0
      service.queue.settle(service.link) { settled += 1 }
      #expect(service.told.map(\.name).sorted() == ["mute", "mute", "other", "other"])
      service.add("later", .meeting(.random()))
      let told = service.told
      for (name, answer) in told where name == "other" { answer(nil) }
      told[0].answer(nil)
      #expect(service.told.last?.name == "unmute" && settled == 0)
      // The queue must not mistake the second answer to the mute for an answer to the next notice.
      for (name, answer) in told where name == "mute" { answer(nil) }
      #expect(service.queue.count == 2 && settled == 0)
      service.told.last?.answer(nil)
      #expect(settled == 1 && service.queue.count == 1)
    }
  }

  @Test func `a wait returns immediately if the queue is already empty`() async throws {
    try await withTestBus { bus in
      let service = try SlowService(bus)
      var settled = 0
      service.queue.settle(service.link) { settled += 1 }
      #expect(settled == 1)
    }
  }

  @Test func `failed and obsolete notices do not delay the wait for an empty queue`()
    async throws
  {
    try await withTestBus { bus in
      let service = try SlowService(bus)
      service.add("wrong", .meeting(.random()))
      var isWanted = true
      service.queue.add(.meeting(.random()), while: { isWanted }) { _, _, _ in }
      isWanted = false
      var settled = 0
      service.queue.settle(service.link) { settled += 1 }
      #expect(service.queue.count == 1 && settled == 0)
      service.told.last?.answer(Status(.invalidArgument, "It cannot be."))
      #expect(service.queue.count == 0 && settled == 1)
    }
  }
}

import Bus
import MeetingModel
import OwnerTestSupport
import Ownership
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import Messaging

@Suite(.timeLimit(.minutes(5))) struct MessagingServiceTests {
  private let planning = MeetingID.planning.text

  @Test func `a message is published unchanged with its position`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.follow()
        var request = V1.SendDataMessageRequest.from(.ada, "", lifetimeMs: 60_000)
        request.data = [0, 0xFF, 0xC3, 0x28, 0]
        let place = try #require(try await gateway.append(request).accepted)
        #expect(place.sequence == 1)
        #expect(!place.isRepeat)

        let event = try #require(try await gateway.events(1).first)
        let message = try #require(event.message)
        #expect(event.header.meetingID == planning)
        #expect(event.header.epoch == place.epoch)
        #expect(event.header.sequence == 1)
        #expect(event.header.term == 1)
        #expect(event.header.onlyFor == [])
        #expect(event.header.exceptFor == [Person.ada.participant.text])
        #expect(
          event.body.positions
            == [V1.StreamPosition(stream: "messages", epoch: place.epoch, sequence: 1)])
        #expect(message.data == [0, 0xFF, 0xC3, 0x28, 0])
        #expect(message.topic == "chat")
        #expect(message.sequence == 1)
        #expect(message.timestampMs == place.timestampMs)
        #expect(message.lifetimeMs == 60_000)
        #expect(message.messageID == place.messageID)
        #expect((1...64).contains(message.messageID.utf8.count))
        #expect(
          message.sender
            == V1.AttendeeInfo(
              attendeeID: Person.ada.participant.text, externalUserID: "person-1"))
        // The replayed event has the same bytes.
        let replayed = try #require(try await gateway.replay().seen.first)
        #expect(replayed.header == event.header)
        #expect(replayed.body == event.body)
      }
    }
  }

  @Test func `the event's header and the message contain the recipients`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.follow()
        try await gateway.send(.ada, "psst", to: [.grace, .edsger])
        let event = try #require(try await gateway.events(1).first)
        let recipients = [Person.grace.participant.text, Person.edsger.participant.text]
        #expect(event.header.onlyFor == recipients)
        #expect(event.header.exceptFor == [Person.ada.participant.text])
        #expect(event.message?.recipients == recipients)
      }
    }
  }

  @Test func `concurrent messages are stored in batches and published in order`() async throws {
    let rules = MessagingRules(rate: RateLimit(perSecond: 1_000, burst: 1_000))
    try await withMessaging(rules) { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.follow()
        let texts = (0..<500).map(String.init)
        let answers = await gateway.send(.ada, texts)
        let places = try answers.map { try $0.get().accepted?.sequence }
        #expect(places == (1...500).map { UInt64($0) })
        let events = try await gateway.events(500)
        #expect(events.map(\.header.sequence) == (1...500).map { UInt64($0) })
        #expect(events.compactMap(\.text) == texts)
        let commits = try #require(
          messaging.count("carillon_messaging_commit_duration_seconds_count{result=\"stored\"}"))
        #expect(commits < 100)
        #expect(messaging.count("carillon_messaging_committed_messages_total") == 500)
      }
    }
  }

  @Test func `all messages of a burst are delivered except the throttled messages`()
    async throws
  {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.follow()
        let texts = (0..<300).map(String.init)
        let replies = try await gateway.send(.ada, texts).map { try $0.get() }
        let accepted = zip(texts, replies).filter { $1.accepted != nil }.map(\.0)
        let waits = replies.compactMap { $0.throttled?.retryAfterMs }
        #expect((200..<300).contains(accepted.count))
        #expect(accepted.count + waits.count == 300)
        #expect(waits.allSatisfy { (1...10).contains($0) })
        let events = try await gateway.events(accepted.count)
        #expect(events.compactMap(\.text) == accepted)
        #expect(try await gateway.replay().texts == accepted)
      }
    }
  }

  @Test func `a sender beyond the flood limit gets a status that ends its session`() async throws {
    let rules = MessagingRules(
      rate: RateLimit(perSecond: 1, burst: 1), attendeeFlood: RateLimit(perSecond: 1, burst: 5))
    try await withMessaging(rules) { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        let answers = await gateway.send(.ada, (0..<20).map(String.init))
        let statuses = answers.compactMap { answer -> Status? in
          if case .failure(let status) = answer { status } else { nil }
        }
        #expect((14...15).contains(statuses.count))
        #expect(statuses.allSatisfy { $0.code == .resourceExhausted && $0.reason == .flooding })
        #expect(statuses.allSatisfy { $0.sessionStatus == .audioServerHungup })
        let refusals = messaging.count("carillon_messaging_refusals_total{reason=\"flooding\"}")
        #expect(refusals == UInt64(statuses.count))
      }
    }
  }

  @Test func `a repeated message gets the original's sequence even before the original is stored`()
    async throws
  {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.follow()
        let both = await gateway.send(.ada, ["once", "once"])
        let places = try both.map { try #require(try $0.get().accepted) }
        #expect(places.map(\.sequence) == [1, 1])
        #expect(places.map(\.isRepeat) == [false, true])
        let third = try await gateway.send(.ada, "once", key: "once").accepted
        #expect(third?.sequence == 1)
        #expect(third?.timestampMs == places[0].timestampMs)
        #expect(third?.messageID == places[0].messageID)
        try await gateway.send(.ada, "twice")
        #expect(try await gateway.events(2).compactMap(\.message?.sequence) == [1, 2])
      }
    }
  }

  @Test func `a late joiner gets the kept messages page by page`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        for number in 0..<6 {
          try await gateway.send(.ada, "\(number)", lifetimeMs: number % 2 == 0 ? 60_000 : 0)
        }
        let all = try await gateway.join(.grace)
        #expect(all.texts == ["0", "2", "4"])
        #expect(all.throughSequence == 6)
        #expect(all.isComplete && !all.hasMore)
        let first = try await gateway.join(.edsger, maxBytes: 1)
        #expect(first.texts == ["0"])
        #expect(first.hasMore)
        #expect(first.throughSequence == 2)
        let rest = try await gateway.replay(
          for: .edsger, epoch: first.epoch, after: first.throughSequence)
        #expect(rest.texts == ["2", "4"])
        #expect(rest.throughSequence == 6)
        let bounded = try await gateway.replay(
          for: .edsger, epoch: first.epoch, after: 2, through: 4)
        #expect(bounded.texts == ["2"])
      }
    }
  }

  @Test func `a resumed session gets missed messages, but an unknown session does not`()
    async throws
  {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        let epoch = try await gateway.join(.grace).epoch
        try await gateway.send(.ada, "live")
        try await gateway.send(.grace, "own")
        try await gateway.send(.ada, "secret", to: [.edsger])
        try await gateway.send(.ada, "later", lifetimeMs: 60_000)
        let replay = try await gateway.replay(for: .grace, epoch: epoch, after: 0)
        #expect(replay.texts == ["live", "later"])
        #expect(replay.throughSequence == 4)
        #expect(replay.isComplete)
        let stranger = try await gateway.replay(for: .edsger, epoch: epoch, after: 0)
        #expect(stranger.texts == ["later"])
        #expect(!stranger.isComplete)
        try await gateway.leave(.grace)
        try await gateway.leave(.grace)
        let late = try await gateway.replay(for: .grace, epoch: epoch, after: 0)
        #expect(late.texts == ["later"])
        let status = await #expect(throws: Status.self) { try await gateway.send(.grace, "gone") }
        #expect(status?.code == .notFound)
      }
    }
  }

  @Test func `an ended meeting refuses joins, replays and messages`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.send(.ada, "gone", lifetimeMs: 60_000)
        try await gateway.end(.planning)
        try await gateway.end(.planning)
        try await gateway.leave(.ada)
        for call in [
          { _ = try await gateway.join(.grace) }, { _ = try await gateway.replay() },
          { _ = try await gateway.send(.ada, "late") },
        ] as [() async throws -> Void] {
          let status = await #expect(throws: Status.self) { try await call() }
          #expect(status?.code == .failedPrecondition)
          #expect(status?.sessionStatus == .audioCallEnded)
        }
      }
    }
  }

  @Test func `a service can send on a reserved topic, but a client cannot`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        try await gateway.follow()
        var request = V1.SendDataMessageRequest.from(.ada, "notice")
        request.topic = "carillon:notice"
        #expect(await gateway.refusal(of: request)?.code == .invalidArgument)
        (request.sessionID, request.sender) = ([], nil)
        #expect(try await gateway.append(request).accepted?.sequence == 1)
        let event = try #require(try await gateway.events(1).first)
        #expect(event.message?.sender == nil)
        #expect(event.header.exceptFor == [])
      }
    }
  }

  @Test(
    arguments: [
      { $0.meetingID = "nonsense" }, { $0.sessionID = [1, 2] }, { $0.sender = nil },
      { $0.sender?.attendeeID = "ada" }, { $0.sender?.externalUserID = "" },
      { $0.lifetimeMs = -1 }, { $0.topic = "" }, { $0.topic = "a b" },
      { $0.data = [UInt8](repeating: 0, count: 2_049) }, { $0.recipients = ["grace"] },
      { $0.recipients = [String](repeating: Person.grace.attendee.text, count: 251) },
    ] as [@Sendable (inout V1.SendDataMessageRequest) -> Void])
  func `a malformed message is refused, and later messages are accepted`(
    spoil: @Sendable (inout V1.SendDataMessageRequest) -> Void
  ) async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        try await gateway.join(.ada)
        var request = V1.SendDataMessageRequest.from(.ada, "hello")
        spoil(&request)
        #expect(await gateway.refusal(of: request)?.code == .invalidArgument)
        #expect(try await gateway.send(.ada, "fine").accepted?.sequence == 1)
      }
    }
  }

  @Test func `a request for a term other than the instance's term is refused`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        let status = await #expect(throws: Status.self) {
          try await gateway.join(.ada, options: .patient(term: 9))
        }
        #expect(status?.code == .aborted)
        #expect(status?.reason == .staleTerm)
        try await gateway.join(.ada, options: .patient(term: 1))
      }
    }
  }

  @Test func `an instance restarts in a term above the highest plausible term that it receives`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      try await messaging.running { service in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.send(.ada, "before")
          try await service.checkIsServing()
          for term in [.max, 9] as [UInt64] {
            let status = await #expect(throws: Status.self) {
              try await gateway.call(
                V1.MessagingMethods.getLimits, V1.GetLimitsRequest(),
                options: .patient(term: term))
            }
            #expect(status?.reason == .staleTerm)
          }
          try await eventually("the new term") {
            (try? await gateway.join(.grace, options: CallOptions(term: 10))) != nil
          }
          try await service.checkIsServing()
          #expect(try await gateway.replay().texts == ["before"])
        }
      }
    }
  }

  @Test func `an instance that must restart in a higher term is not ready`() async throws {
    try await withTemporaryDirectory { directory in
      try await MessagingFixture(directory: directory).running { service in
        try await eventually("the start") { (try? await service.checkIsServing()) != nil }
        #expect(await service.isReady(knowing: .max))
        #expect(await service.isReady(knowing: 1))
        #expect(await !service.isReady(knowing: 9))
        try await eventually("the new term") { (try? await service.checkIsServing()) != nil }
      }
    }
  }

  @Test func `the service reports its limits`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { gateway in
        let limits = try await gateway.call(V1.MessagingMethods.getLimits, V1.GetLimitsRequest())
        #expect(limits.dataMessageBytes == 2_048)
        #expect(limits.keptDataMessages == 1_024)
        #expect(limits.dataMessageLifetimeMs == 300_000)
        #expect(limits.dataMessagesPerSecond == 100)
        #expect(limits.dataMessageBurst == 200)
        #expect(limits.resumeSeconds == 180)
      }
    }
  }
}

extension MessagingFixture {
  /// Returns the value of a counter, by its name and labels.
  func count(_ series: String) -> UInt64? {
    metrics.prometheusText().split(separator: "\n")
      .first { $0.hasPrefix(series + " ") }
      .flatMap { UInt64($0.dropFirst(series.count + 1)) }
  }
}

extension MessagingService {
  /// Notifies the service of a term. Returns whether the service is ready immediately afterwards,
  /// before the service could restart.
  fileprivate func isReady(knowing highestTerm: UInt64) -> Bool {
    owner.hear(highestTerm: highestTerm)
    return (try? checkIsServing()) != nil
  }
}

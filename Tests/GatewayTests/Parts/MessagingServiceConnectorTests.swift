import Bus
import MeetingModel
import TestSupport
import Trials
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct MessagingServiceConnectorTests {
  private static let here = StreamCursor(epoch: 7, sequence: 4)

  private static func page(
    _ events: ClosedRange<UInt64>, hasMore: Bool = false, isComplete: Bool = true
  ) -> V1.MessageReplay {
    V1.MessageReplay(
      epoch: 7, throughSequence: events.upperBound, hasMore: hasMore, isComplete: isComplete,
      events: events.map { .numbered($0, epoch: 7) })
  }

  @Test func `a new client gets the messages for late joiners page by page`() async throws {
    try await withOwner({ MessagingServiceConnector(in: $0) }) { fixture, part, server in
      server.on(V1.MessagingMethods.join) { request, call in
        #expect(request.maxBytes == 0)
        call.reply(Self.page(1...2, hasMore: true, isComplete: false))
      }
      server.on(V1.MessagingMethods.replay) { request, call in
        let next = request.afterSequence + 1
        call.reply(Self.page(next...next + 1, hasMore: next < 5))
      }
      let link = LocalLink()
      let session = try fixture.opening(link)
      let delivery = try await part.takeIn(session)
      delivery.give()
      _ = link.flush()
      // Messaging no longer keeps some messages. Messaging accepted these messages before the
      // session joined, so the delivery is still complete.
      #expect(delivery.isComplete)
      #expect(link.numbers == ["1", "2", "3", "4", "5", "6"])
      #expect(session.cursors[.messages] == StreamCursor(epoch: 7, sequence: 6))
    }
  }

  @Test(arguments: [true, false])
  func `a resuming client gets its missed messages before it counts as present`(isComplete: Bool)
    async throws
  {
    try await withOwner({ MessagingServiceConnector(in: $0) }) { fixture, part, server in
      var asked: [String] = []
      server.on(V1.MessagingMethods.replay) { request, call in
        asked.append("replay \(request.epoch)/\(request.afterSequence)")
        call.reply(Self.page(5...6, isComplete: isComplete))
      }
      server.on(V1.MessagingMethods.join) { request, call in
        asked.append("join \(request.maxBytes)")
        call.reply(Self.page(1...6))
      }
      let link = LocalLink()
      let session = try fixture.opening(link, after: [.messages: Self.here])
      let delivery = try await part.takeIn(session)
      delivery.give()
      _ = link.flush()
      #expect(asked == ["replay 7/4", "join 1"])
      #expect(delivery.isComplete == isComplete)
      #expect(link.numbers == ["5", "6"])
      #expect(session.owed[.messages] == nil)
    }
  }

  @Test func `the gateway sends messaging the highest term that the gateway knows`() async throws {
    try await withOwner({ MessagingServiceConnector(in: $0) }) { fixture, part, server in
      let asked = AwaitableEntryList<UInt64>()
      server.on(V1.MessagingMethods.getLimits) { _, call in
        asked.append(call.header.term)
        call.reply(V1.Limits())
      }
      part.follower["messaging-a"]?.learn(4)
      part.follower.tick()
      // In a new term, the connector requests the limits with term 0. Each tick sends this request
      // again, with the highest known term.
      _ = try await asked.wait(for: "the terms") { $0.count == 2 }
      #expect(asked.entries == [0, 4])
    }
  }

  @Test func `messaging is notified of a lost session but not of a present session`()
    async throws
  {
    try await withOwner({ MessagingServiceConnector(in: $0, lossSettles: .milliseconds(50)) }) {
      fixture, part, server in
      let lacking = AwaitableEntryList<SessionNumber>()
      fixture.coordinator.onLack = { session, _ in lacking.append(session) }
      let told = AwaitableEntryList<V1.LeaveRequest>()
      server.on(V1.MessagingMethods.leave) { request, call in
        told.append(request)
        call.reply(V1.LeaveReply())
      }
      let present = try await fixture.session(LocalLink())
      let lost = SessionID.random()
      part.lose(present.id, in: present.meeting)
      part.lose(lost, in: present.meeting)
      try await told.wait(for: "the loss") { !$0.isEmpty }
      let request = V1.LeaveRequest(
        meetingID: present.meeting.text, sessionID: lost.bytes, isLost: true)
      #expect(told.entries == [request])
      let number = present.number
      try await lacking.wait(for: "the one that is here") { $0 == [number] }
    }
  }

  @Test
  func `if the log has a new epoch, the connector requests the missed messages for each client`()
    async throws
  {
    try await withOwner({ MessagingServiceConnector(in: $0) }) { fixture, part, server in
      server.on(V1.MessagingMethods.replay) { _, call in
        call.reply(V1.MessageReplay(epoch: 8, throughSequence: 2))
      }
      let lacking = AwaitableEntryList<SessionNumber>()
      fixture.coordinator.onLack = { session, _ in lacking.append(session) }
      let session = try await fixture.session(LocalLink())
      let hub = part.follower.hub(of: session.meeting)
      hub.add(session)
      hub.follower.reset(epoch: 7, sequence: 4)
      hub.follower.catchUp()
      let heard = try await lacking.wait(for: "a client that lacks messages") { !$0.isEmpty }
      #expect(heard == [session.number])
      #expect(hub.follower.cursor == StreamCursor(epoch: 8, sequence: 2))
    }
  }

  @Test func `a session that is not yet present in messaging joins again in a new term`()
    async throws
  {
    try await withOwner({ MessagingServiceConnector(in: $0) }) { fixture, part, _ in
      var lacking: [SessionNumber] = []
      fixture.coordinator.onLack = { session, _ in lacking.append(session) }
      let waiting = try await fixture.session(LocalLink())
      waiting.lose(.messages)
      _ = try await fixture.session(LocalLink())
      let content = try await fixture.session(LocalLink(), asContent: true)
      content.cursors[.messages] = nil
      let link = try #require(part.follower.owner(of: waiting.meeting))
      try await part.announce(to: link)
      #expect(lacking == [waiting.number])
    }
  }

  @Test func `a page of messages for an operator is requested in the current epoch`()
    async throws
  {
    try await withOwner({ MessagingServiceConnector(in: $0) }) { fixture, part, server in
      var asked: [[UInt64]] = []
      server.on(V1.MessagingMethods.replay) { request, call in
        asked.append([request.epoch, request.afterSequence, request.throughSequence])
        call.reply(Self.page(5...6))
      }
      let page = try await part.messages(of: .random(), after: 4)
      #expect(page == Self.page(5...6))
      #expect(asked == [[0, 4, 1], [7, 4, 0]])
    }
  }

  @Test func `if a meeting has no owner, the caller gets a status that permits a retry`()
    async throws
  {
    try await withKeeper { fixture in
      let part = MessagingServiceConnector(in: fixture.context)
      let session = try await fixture.session(LocalLink())
      let status = await refusal { () async throws(Status) in _ = try await part.takeIn(session) }
      #expect(status?.code == .unavailable)
      part.follower.close()
    }
  }
}

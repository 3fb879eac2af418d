import MeetingModel
import Testing
import Wire
import ZeroMQ

@testable import Bus

@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
  private typealias Message = TestMethods.Message

  /// The events of a stream, as its caller receives them.
  private enum Heard: Hashable, Sendable {
    case item(UInt64)
    case end(Status?)
  }

  @Test
  func `the items of a stream arrive in order, and the end of the stream arrives once`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.count) { request, stream in
        for number in 1...request.lastSequence { #expect(stream.send(Message(epoch: number))) }
        stream.end()
        #expect(!stream.send(Message(epoch: 99)))
        stream.end(Status(.internalError, "Too late."))
      }
      let channel = try bus.channel()
      let heard = Inbox<Heard>()
      channel.open(TestMethods.count, Message(lastSequence: 600), .init()) {
        heard.put(.item($0.epoch))
      } onEnd: {
        heard.put(.end($0))
      }
      for number in 1...600 as ClosedRange<UInt64> { #expect(await heard.next() == .item(number)) }
      #expect(await heard.next() == .end(nil))
    }
  }

  @Test func `the raw frames of an item arrive together with the item`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.count) { _, stream in
        for count in [0, 1, 14] {
          let raw = (0..<count).map { MessageFrame([UInt8](repeating: UInt8($0), count: 3_200)) }
          #expect(stream.send(Message(epoch: UInt64(count)), raw: raw))
        }
        stream.end()
      }
      let channel = try bus.channel()
      let heard = Inbox<[[UInt8]]>()
      channel.openRaw(TestMethods.count, Message(), .init()) {
        #expect($0.epoch == UInt64($1.count))
        heard.put($1.map(\.bytes))
      } onEnd: { _ in
        heard.put([[1]])
      }
      #expect(await heard.next() == [])
      #expect(await heard.next() == [[UInt8](repeating: 0, count: 3_200)])
      #expect(await heard.next().count == 14)
      #expect(await heard.next() == [[1]])
    }
  }

  @Test func `a failed stream ends with the status of the failure`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let status = Status(.aborted, "Another owner.", reason: .notOwner)
      server.on(TestMethods.count) { _, stream in
        stream.send(Message(epoch: 1))
        stream.end(status)
      }
      let channel = try bus.channel()
      let heard = Inbox<Heard>()
      channel.open(TestMethods.count, Message(), .init()) {
        heard.put(.item($0.epoch))
      } onEnd: {
        heard.put(.end($0))
      }
      #expect(await heard.next() == .item(1))
      #expect(await heard.next() == .end(status))
    }
  }

  @Test func `cancelling a stream informs the server and stops the stream's items`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let cancels = Inbox<Bool>()
      var streams: [ServerStream<Message>] = []
      server.on(TestMethods.count) { _, stream in
        streams.append(stream)
        stream.onCancel = { cancels.put(stream.send(Message(epoch: 2))) }
        stream.send(Message(epoch: 1))
      }
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let channel = try bus.channel()
      let heard = Inbox<Heard>()
      let handle = channel.open(TestMethods.count, Message(), .init()) {
        heard.put(.item($0.epoch))
      } onEnd: {
        heard.put(.end($0))
      }
      #expect(await heard.next() == .item(1))
      channel.cancel(handle)
      channel.cancel(handle)
      #expect(await cancels.next() == false)
      _ = try await channel.call(TestMethods.echo, Message(), .patient)
      #expect(heard.count == 0)
      #expect(cancels.count == 0)
      #expect(streams.count == 1)
    }
  }

  @Test func `a stream continues after the timeout in the call options has passed`() async throws {
    try await withTestBus { bus in
      let server = try bus.server(options: RequestServerLimits(defaultTimeout: .milliseconds(1)))
      var streams: [ServerStream<Message>] = []
      server.on(TestMethods.count) { _, stream in
        streams.append(stream)
        stream.send(Message(epoch: 1))
      }
      server.on(TestMethods.hold) { _, _ in }
      let channel = try bus.channel()
      let heard = Inbox<Heard>()
      channel.open(TestMethods.count, Message(), CallOptions(timeout: .milliseconds(1))) {
        heard.put(.item($0.epoch))
      } onEnd: {
        heard.put(.end($0))
      }
      #expect(await heard.next() == .item(1))
      // The server ends this unary call with `deadlineExceeded`. The stream still continues.
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(1, TestMethods.hold.key)))
      #expect(try await peer.reply().header.status?.code == .deadlineExceeded)
      try #require(streams.first).send(Message(epoch: 2))
      #expect(await heard.next() == .item(2))
    }
  }

  @Test func `a session stream has call id 0 and reports the size of its frames`() async throws {
    try await withTestBus { bus in
      let server = try bus.clientServer()
      let outboxes = Inbox<Int>()
      server.on(TestMethods.start) { _, stream in
        guard let outbox = SessionOutbox(to: stream.route, of: server, budget: 1 << 20) else {
          Issue.record("Who has just asked is there.")
          return
        }
        stream.detach()
        for number in 1...300 as ClosedRange<UInt64> {
          outbox.queue(PackedSessionEvents(.muted(number)))
          if number.isMultiple(of: 7) { #expect(outbox.flush() == .sent) }
        }
        #expect(outbox.flush() == .sent)
        outboxes.put(outbox.unacknowledged)
        outbox.end(V1.Status(Status(.notFound, "Deleted.", session: .audioServerHungup)))
      }
      let channel = try bus.channel()
      let ends = Inbox<Status?>()
      var events: [V1.SessionEvent] = []
      var bytes = 0
      channel.openSession(TestMethods.start, V1.StartRequest(), .init()) { item, size in
        events += item.events
        bytes += size
      } onEnd: {
        ends.put($0)
      }
      #expect(await ends.next()?.sessionStatus == .audioServerHungup)
      #expect(events == (1...300).flatMap { V1.SessionEvents.muted($0).events })
      #expect(bytes == (await outboxes.next()))
    }
  }

  @Test func `a server that refuses Start ends the session`() async throws {
    try await withTestBus { bus in
      _ = try bus.server()
      let channel = try bus.channel()
      let ends = Inbox<Status?>()
      channel.openSession(TestMethods.start, V1.StartRequest(), .init()) { _, _ in
      } onEnd: {
        ends.put($0)
      }
      #expect(await ends.next()?.code == .unimplemented)
      #expect(ends.count == 0)
    }
  }

  @Test func `a channel ignores unexpected answers and accepts one answer to each call`()
    async throws
  {
    try await withTestBus { bus in
      let router = try bus.router()
      let channel = try bus.channel()
      let heard = Inbox<Heard>()
      channel.call(TestMethods.echo, Message(), .patient) { result in
        switch result {
        case .success(let reply): heard.put(.item(reply.epoch))
        case .failure(let status): heard.put(.end(status))
        }
      }
      let route = await router.messages.next()[0]
      func answer(_ kind: V1.ReplyKind, _ callID: UInt64, _ epoch: UInt64) throws {
        let header = V1.ReplyHeader(callID: callID, kind: kind)
        let frame = MessageFrame(WireFrame.pack(header: header, body: Message(epoch: epoch)))
        try router.send(route, frame)
      }
      try answer(.item, 1, 10)
      try answer(.end, 0, 11)
      try answer(.reply, 77, 12)
      try answer(.unspecified, 1, 13)
      try answer(.reply, 1, 1)
      try answer(.reply, 1, 14)
      try answer(.end, 1, 15)
      let first = await heard.next()
      #expect(first == .item(1))
      // The answer to the second call arrives after all of these frames.
      channel.call(TestMethods.echo, Message(), .patient) { heard.put(.end($0.failure)) }
      _ = await router.messages.next()
      try router.send(
        route, MessageFrame(WireFrame.pack(header: V1.ReplyHeader(callID: 2, kind: .end))))
      guard case .end(let status) = await heard.next() else {
        Issue.record("The second call was answered with an item.")
        return
      }
      #expect(status?.code == .internalError)
      #expect(heard.count == 0)
    }
  }

  @Test(
    arguments: [
      ([], StatusCode.unavailable),
      ([0xff, 0xff], .unavailable),
      (
        WireFrame.pack(
          header: V1.ReplyHeader(
            kind: .reply, status: V1.Status(Status(.invalidArgument, "", reason: .malformed)))),
        .invalidArgument
      ),
    ] as [([UInt8], StatusCode)])
  func `all open calls fail if either side cannot read a frame of the other side`(
    frame: [UInt8], code: StatusCode
  ) async throws {
    try await withTestBus { bus in
      let router = try bus.router()
      let channel = try bus.channel()
      let heard = Inbox<Status?>()
      channel.call(TestMethods.echo, Message(), .patient) { heard.put($0.failure) }
      channel.open(TestMethods.count, Message(), .init(), onItem: { _ in }) { heard.put($0) }
      let route = await router.messages.next()[0]
      _ = await router.messages.next()
      try router.send(route, MessageFrame(frame))
      for _ in 1...2 {
        let status = await heard.next()
        #expect(status?.code == code)
        #expect(status?.reason == .malformed)
      }
    }
  }

  @Test func `a call fails if the reply is unreadable`() async throws {
    try await withTestBus { bus in
      let router = try bus.router()
      let channel = try bus.channel()
      let heard = Inbox<Status?>()
      channel.call(TestMethods.echo, Message(), .patient) { heard.put($0.failure) }
      channel.open(TestMethods.count, Message(), .init(), onItem: { _ in }) { heard.put($0) }
      let route = await router.messages.next()[0]
      _ = await router.messages.next()
      for (kind, callID) in [(V1.ReplyKind.reply, 1), (.item, 2)] as [(V1.ReplyKind, UInt64)] {
        let header = V1.ReplyHeader(callID: callID, kind: kind)
        try router.send(route, MessageFrame(WireFrame.pack(header: header, packedBody: [0x0f])))
      }
      #expect(await heard.next()?.reason == .malformed)
      #expect(await heard.next()?.reason == .malformed)
      // The channel cancels the stream at the server.
      let cancel = try #require(await router.messages.next().last).bytes
      #expect(cancel == WireFrame.pack(header: V1.RequestHeader.cancel(2)))
    }
  }
}

extension V1.SessionEvents {
  /// Returns one event that contains a number, and the position after this event.
  static func muted(_ number: UInt64, epoch: UInt64 = 1) -> V1.SessionEvents {
    var event = V1.SessionEvent()
    event.event = .muteChanged(
      V1.MuteChanged(changes: [V1.MuteChange(attendeeID: "attendee-\(number)", isMuted: true)]))
    return V1.SessionEvents(
      events: [event],
      positions: [V1.StreamPosition(stream: "roster", epoch: epoch, sequence: number)])
  }
}

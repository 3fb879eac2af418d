import MeetingModel
import TestSupport
import Testing
import Wire

@testable import Bus
@testable import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct SessionOutboxTests {
  /// A connected client, and the server's side of the connection.
  private struct Link {
    let server: RequestServer
    let client: RawPeer
    let route: RoutingID
  }

  private static func link(_ bus: TestBus) async throws -> Link {
    let server = try bus.clientServer()
    let routes = Inbox<RoutingID>()
    server.on(TestMethods.start) { _, stream in
      stream.detach()
      routes.put(stream.route)
    }
    let client = try bus.dealer()
    await client.connected()
    try client.send(MessageFrame(.call(1, TestMethods.start.key), V1.StartRequest()))
    return Link(server: server, client: client, route: await routes.next())
  }

  private static func item(_ number: UInt64) -> PackedSessionEvents {
    PackedSessionEvents(.muted(number))
  }

  @Test func `waiting items are sent in one message`() async throws {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 1 << 20))
      let items = (1...10).map { Self.item($0) }
      for item in items { outbox.queue(item) }
      #expect(!outbox.isEmpty)
      #expect(outbox.flush() == .sent)
      #expect(outbox.isEmpty)
      let message = await link.client.messages.next()
      #expect(message.count == 1)
      #expect(message[0].count == outbox.unacknowledged)
      let header = V1.ReplyHeader(callID: 0, kind: .item)
      let bytes = items.flatMap(\.body)
      #expect(message[0].bytes == WireFrame.pack(header: header, packedBody: bytes))
      let events = try V1.SessionEvents(packed: bytes)
      #expect(events.events == (1...10).flatMap { V1.SessionEvents.muted($0).events })
      #expect(events.positions.map(\.sequence) == Array(1...10))
      #expect(link.client.messages.count == 0)
    }
  }

  @Test func `many items are sent in messages of up to 256 items`() async throws {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 1 << 20))
      for number in 1...600 as ClosedRange<UInt64> { outbox.queue(Self.item(number)) }
      #expect(outbox.flush() == .sent)
      var counts: [Int] = []
      var bytes = 0
      for _ in 1...3 {
        let frame = await link.client.messages.next()[0]
        bytes += frame.count
        let parts = try WireFrame.split(frame.bytes.span.bytes)
        counts.append(try V1.SessionEvents(packed: Array(frame.bytes[parts.body])).events.count)
      }
      #expect(counts == [256, 256, 88])
      #expect(bytes == outbox.unacknowledged)
    }
  }

  @Test func `an outbox beyond its budget sends nothing and loses nothing`() async throws {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let size = Self.item(1).message.count
      let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 2 * size))
      for number in 1...2 as ClosedRange<UInt64> {
        outbox.queue(Self.item(number))
        #expect(outbox.flush() == .sent)
      }
      #expect(outbox.unacknowledged == 2 * size)
      outbox.queue(Self.item(3))
      #expect(outbox.flush() == .overBudget)
      #expect(outbox.flush() == .overBudget)
      #expect(!outbox.isEmpty)
      outbox.acknowledge(UInt64(size))
      #expect(outbox.flush() == .sent)
      for number in 1...3 as ClosedRange<UInt64> {
        #expect(await link.client.messages.next()[0].bytes == Self.item(number).message.body)
      }
    }
  }

  @Test func `an acknowledgement of fewer bytes than before or of unsent bytes is ignored`()
    async throws
  {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 1 << 20))
      outbox.acknowledge(1)
      #expect(outbox.unacknowledged == 0)
      outbox.queue(Self.item(1))
      #expect(outbox.flush() == .sent)
      let size = UInt64(outbox.unacknowledged)
      for beyond in [size + 1, .max, UInt64(Int.max) + 1] {
        outbox.acknowledge(beyond)
        #expect(outbox.unacknowledged == Int(size))
      }
      outbox.acknowledge(10)
      #expect(outbox.unacknowledged == Int(size) - 10)
      outbox.acknowledge(9)
      outbox.acknowledge(0)
      #expect(outbox.unacknowledged == Int(size) - 10)
      outbox.acknowledge(size)
      #expect(outbox.unacknowledged == 0)
    }
  }

  @Test func `a client that acknowledges unread bytes still exceeds its budget`() async throws {
    try await withTestBus { bus in
      let server = try bus.clientServer()
      let routes = Inbox<RoutingID>()
      server.on(TestMethods.start) { _, stream in
        stream.detach()
        routes.put(stream.route)
      }
      let peer = try await PlainSocket.shakingHands(with: bus.endpoint())
      let call = WireFrame.pack(
        header: V1.RequestHeader.call(1, TestMethods.start.key), body: V1.StartRequest())
      peer.send([0, UInt8(call.count)] + call)
      let outbox = try #require(
        SessionOutbox(to: await routes.next(), of: server, budget: 1 << 20))
      let body = [UInt8](repeating: 0, count: 50_000)
      var outcome = SessionOutbox.Outcome.sent
      for _ in 1...1_000 where outcome == .sent {
        outbox.queue(PackedSessionEvents(body))
        outcome = outbox.flush()
        outbox.acknowledge(UInt64(outbox.sentBytes))
        await Task.yield()
      }
      #expect(outcome == .overBudget)
      withExtendedLifetime(peer) {}
    }
  }

  @Test func `a client is congested if more than a quarter of its budget is unacknowledged`()
    async throws
  {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let size = Self.item(1).message.count
      let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 4 * size))
      outbox.queue(Self.item(1))
      #expect(outbox.flush() == .sent)
      #expect(!outbox.isCongested)
      outbox.queue(Self.item(2))
      #expect(outbox.flush() == .sent)
      #expect(outbox.isCongested)
      outbox.acknowledge(UInt64(size))
      #expect(!outbox.isCongested)
    }
  }

  @Test func `all outboxes that send an item share one packed message`() async throws {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let item = Self.item(1)
      let message = item.message
      for _ in 1...3 {
        let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 1 << 20))
        outbox.queue(item)
        #expect(outbox.flush() == .sent)
        #expect(await link.client.messages.next()[0].bytes == item.message.body)
      }
      #expect(item.message === message)
    }
  }

  @Test func `the end of a session carries its status and call id 0`() async throws {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 100))
      let status = Status(
        .resourceExhausted, "Too slow.", session: .audioServerHungup, reason: .slowConsumer)
      outbox.end(V1.Status(status))
      let header = try await link.client.reply().header
      #expect(header.callID == 0)
      #expect(header.kind == .end)
      #expect(header.status.flatMap { Status($0) } == status)
    }
  }

  @Test func `an outbox reports a closed connection as unreachable`() async throws {
    try await withTestBus { bus in
      let link = try await Self.link(bus)
      let outbox = try #require(SessionOutbox(to: link.route, of: link.server, budget: 1 << 20))
      let departures = Inbox<RoutingID>()
      link.server.onDeparture = { departures.put($0) }
      link.client.close()
      #expect(await departures.next() == link.route)
      outbox.queue(Self.item(1))
      #expect(outbox.flush() == .unreachable)
      #expect(!outbox.isEmpty)
      #expect(SessionOutbox(to: link.route, of: link.server, budget: 1 << 20) == nil)
    }
  }
}

extension ZMTPFramedMessage {
  /// The bytes that the receiver reads.
  var body: [UInt8] { Array(bytes[bodyOffset...]) }
}

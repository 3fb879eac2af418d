import Bus
import MeetingModel
import Testing
import Wire
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
  private typealias Message = TestMethods.Message

  @Test
  func `the open calls of a killed server fail at once, and the next server answers new calls`()
    async throws
  {
    try await withTestBus { bus in
      let router = try bus.router()
      let channel = try bus.channel()
      let changes = Inbox<Bool>()
      channel.onConnectionChange = { changes.put($0) }
      let ends = Inbox<Status?>()
      channel.call(TestMethods.hold, Message(), .patient) { ends.put($0.failure) }
      channel.open(TestMethods.count, Message(), .init(), onItem: { _ in }) { ends.put($0) }
      channel.openSession(TestMethods.start, V1.StartRequest(), .init(), onItem: { _, _ in }) {
        ends.put($0)
      }
      for _ in 1...3 { _ = await router.messages.next() }
      router.close()
      for _ in 1...3 { #expect(await ends.next()?.code == .unavailable) }
      #expect(await changes.next() == true)
      #expect(await changes.next() == false)
      #expect(!channel.isConnected)

      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let reply = try await channel.call(TestMethods.echo, Message(epoch: 3), .patient)
      #expect(reply.epoch == 3)
      #expect(await changes.next() == true)
      #expect(ends.count == 0)
    }
  }

  @Test func `a call that is made during the loss of a connection waits for the next connection`()
    async throws
  {
    try await withTestBus { bus in
      let router = try bus.router()
      let channel = try bus.channel()
      let answers = Inbox<Result<Message, Status>>()
      channel.call(TestMethods.echo, Message(epoch: 1), .patient) { result in
        // The channel runs this closure while it ends its open calls because of the lost
        // connection. So the old connection cannot send the new call.
        answers.put(result)
        channel.call(TestMethods.echo, Message(epoch: 2), .patient) { answers.put($0) }
      }
      _ = await router.messages.next()
      router.close()
      #expect(await answers.next().failure?.code == .unavailable)
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      #expect(await answers.next() == .success(Message(epoch: 2)))
    }
  }

  @Test func `a new server replaces the previous server at the same endpoint`() async throws {
    try await withTestBus { bus in
      for number in 1...20 as ClosedRange<UInt64> {
        let server = try bus.server()
        server.on(TestMethods.echo) { _, call in call.reply(Message(epoch: number)) }
        let channel = try bus.channel()
        #expect(try await channel.call(TestMethods.echo, Message(), .patient).epoch == number)
        channel.close()
        server.close()
      }
    }
  }

  @Test func `a second server at the same endpoint is refused`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      #expect(throws: ZeroMQError.self) { try bus.server() }
      let channel = try bus.channel()
      #expect(try await channel.call(TestMethods.echo, Message(epoch: 1), .patient).epoch == 1)
    }
  }

  @Test func `closing a channel cancels open calls and makes later calls fail`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let began = Inbox<Bool>()
      server.on(TestMethods.hold) { _, _ in began.put(true) }
      let channel = try bus.channel()
      let ends = Inbox<Status?>()
      channel.call(TestMethods.hold, Message(), .patient) { ends.put($0.failure) }
      channel.open(TestMethods.count, Message(), .init(), onItem: { _ in }) { ends.put($0) }
      _ = await began.next()
      channel.close()
      channel.close()
      #expect(await ends.next()?.code == .cancelled)
      // The server has no handler for the stream's method, so the stream may have ended with an
      // error before the close.
      #expect(ends.count == 1)
      channel.call(TestMethods.hold, Message(), .patient) { ends.put($0.failure) }
      #expect(ends.count == 2)
    }
  }

  @Test func `a channel reaches a server in its own process`() async throws {
    try await withTestBus { bus in
      let endpoint = try Endpoint.inproc("here")
      let server = try RequestServer(at: [endpoint], in: bus.context, on: bus.thread)
      defer { server.close() }
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let channel = try RequestChannel(to: endpoint, in: bus.context, on: bus.thread)
      defer { channel.close() }
      #expect(try await channel.call(TestMethods.echo, Message(epoch: 1), .patient).epoch == 1)
    }
  }

  @Test func `an answer to a closed connection is counted as undeliverable`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      let asked = Inbox<Void>()
      var calls: [Call<Message>] = []
      server.on(TestMethods.hold) { _, call in
        calls.append(call)
        asked.put()
      }
      var streams: [ServerStream<Message>] = []
      server.on(TestMethods.count) { _, stream in
        streams.append(stream)
        asked.put()
      }
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(1, TestMethods.hold.key)))
      try peer.send(MessageFrame(.call(2, TestMethods.count.key)))
      for _ in 1...2 { await asked.next() }
      peer.close()
      let channel = try bus.channel()
      while streams[0].send(Message()) {
        _ = try await channel.call(TestMethods.echo, Message(), .patient)
      }
      #expect(tally.undeliverable == 1)
      calls[0].reply(Message())
      // The server sends all answers of a turn at the end of the turn.
      _ = try await channel.call(TestMethods.echo, Message(), .patient)
      #expect(tally.undeliverable == 2)
    }
  }
}

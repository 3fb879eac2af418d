import Bus
import MeetingModel
import Testing
import Wire
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct ServerTests {
  private typealias Message = TestMethods.Message

  @Test func `a draining server ends streams, finishes open calls and refuses new calls`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      let began = Inbox<Bool>()
      var kept: [Call<Message>] = []
      var cancelledStreams = 0
      server.on(TestMethods.hold) { _, call in
        began.put(true)
        call.perform {
          for await _ in gate {}
          return Message(epoch: 1)
        }
      }
      server.on(TestMethods.echo) { _, call in
        began.put(true)
        kept.append(call)
      }
      server.on(TestMethods.count) { _, stream in
        stream.onCancel = { cancelledStreams += 1 }
        began.put(true)
      }
      let channel = try bus.channel()
      let ends = Inbox<Status?>()
      let replies = Inbox<Result<Message, Status>>()
      channel.open(TestMethods.count, Message(), .init(), onItem: { _ in }) { ends.put($0) }
      channel.call(TestMethods.hold, Message(), .patient) { replies.put($0) }
      channel.call(TestMethods.echo, Message(), .patient) { replies.put($0) }
      for _ in 1...3 { _ = await began.next() }

      // All closures of this test run on the bus's thread.
      nonisolated(unsafe) let draining = server
      let drained = Task(executorPreference: bus.thread) { await draining.drain() }
      #expect(await ends.next()?.reason == .draining)
      let refused = await #expect(throws: Status.self) {
        try await channel.call(TestMethods.echo, Message(), .patient)
      }
      #expect(refused?.code == .unavailable)
      #expect(refused?.reason == .draining)
      #expect(tally.rejected == [.draining: 1])
      #expect(cancelledStreams == 1)

      opener.finish()
      #expect(await replies.next() == .success(Message(epoch: 1)))
      kept[0].reply(Message(epoch: 2))
      #expect(await replies.next() == .success(Message(epoch: 2)))
      await drained.value
    }
  }

  @Test func `a server waits only for the departure of peers that are present`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      await server.awaitDeparture(within: .seconds(50))  // No peer is connected.

      let first = try bus.channel()
      _ = try await first.call(TestMethods.echo, Message(), .patient)
      // All closures of this test run on the bus's thread.
      nonisolated(unsafe) let awaiting = server
      let departure = Task(executorPreference: bus.thread) {
        await awaiting.awaitDeparture(within: .seconds(50))
      }
      let later = try bus.channel()
      _ = try await later.call(TestMethods.echo, Message(), .patient)
      first.close()
      await departure.value
    }
  }

  @Test func `a server waits for departures only until its timeout`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let channel = try bus.channel()
      _ = try await channel.call(TestMethods.echo, Message(), .patient)
      await server.awaitDeparture(within: .milliseconds(20))
      _ = try await channel.call(TestMethods.echo, Message(), .patient)
    }
  }

  @Test func `each peer has its own limit of open calls`() async throws {
    try await withTestBus { bus in
      let server = try bus.server(options: RequestServerLimits(maximumOpenCallsPerPeer: 2))
      let tally = Tally()
      server.observer = tally
      var open: [Call<Message>] = []
      server.on(TestMethods.hold) { _, call in open.append(call) }
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let peer = try bus.dealer()
      await peer.connected()
      for callID in 1...3 as ClosedRange<UInt64> {
        try peer.send(MessageFrame(.call(callID, TestMethods.hold.key)))
      }
      let refused = try await peer.reply().header
      #expect(refused.callID == 3)
      #expect(refused.status?.code == .resourceExhausted)
      #expect(refused.status?.reason == .overloaded)
      #expect(tally.rejected == [.overloaded: 1])

      let channel = try bus.channel()
      _ = try await channel.call(TestMethods.echo, Message(), .patient)

      open[0].reply(Message())
      #expect(try await peer.reply().header.callID == 1)
      try peer.send(MessageFrame(.call(4)))
      #expect(try await peer.reply().header.status == nil)
    }
  }

  @Test func `the request filter sees each request, and the filter's decision is final`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      let refusal = Status(
        .unauthenticated, "No such session.", session: .audioAuthenticationRejected)
      var seen: [String] = []
      server.requestFilter = { header, _, method in
        seen.append(method.name)
        return header.sessionID == [1] ? nil : refusal
      }
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      server.on(TestMethods.count) { _, stream in stream.end() }
      let channel = try bus.channel()
      await #expect(throws: refusal) {
        try await channel.call(TestMethods.echo, Message(), .patient)
      }
      let ends = Inbox<Status?>()
      channel.open(TestMethods.count, Message(), .init(), onItem: { _ in }) { ends.put($0) }
      #expect(await ends.next() == refusal)
      let options = CallOptions(timeout: .seconds(50), sessionID: [1])
      #expect(try await channel.call(TestMethods.echo, Message(epoch: 1), options).epoch == 1)
      #expect(seen == ["test.Bus/Echo", "test.Bus/Count", "test.Bus/Echo"])
      #expect(tally.rejected == [.unauthorized: 2])
    }
  }

  @Test func `a call of an unknown method fails as unimplemented`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      let channel = try bus.channel()
      let failure = await #expect(throws: Status.self) {
        try await channel.call(TestMethods.echo, Message(), .patient)
      }
      #expect(failure?.code == .unimplemented)
      #expect(tally.rejected == [.unknownMethod: 1])
    }
  }

  @Test(arguments: [0, 2, .max] as [UInt32])
  func `a call of another version is answered with the supported versions`(version: UInt32)
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(9, version: version)))
      let reply = try await peer.reply()
      #expect(reply.header.callID == 9)
      #expect(reply.header.kind == .reply)
      #expect(reply.header.status?.code == .unimplemented)
      #expect(reply.header.status?.reason == .unsupportedVersion)
      #expect(reply.header.servedVersions == [1])
      #expect(reply.body.isEmpty)
      #expect(tally.rejected == [.unsupportedVersion: 1])
    }
  }

  @Test func `two handlers for one method stop the process`() async {
    await #expect(processExitsWith: .failure) {
      try await withTestBus { bus in
        let server = try bus.server()
        server.on(TestMethods.echo) { request, call in call.reply(request) }
        server.on(TestMethods.echo) { request, call in call.reply(request) }
      }
    }
  }
}

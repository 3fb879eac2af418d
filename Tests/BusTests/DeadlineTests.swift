import Bus
import MeetingModel
import Testing
import Wire
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct DeadlineTests {
  private typealias Message = TestMethods.Message

  @Test func `at the deadline of a call, the caller cancels the call and reports deadlineExceeded`()
    async throws
  {
    try await withTestBus { bus in
      let router = try bus.router()
      let channel = try bus.channel()
      // The channel does not send a call whose deadline passes before the channel has a connection.
      while !channel.isConnected { await Task.yield() }
      let answers = Inbox<Status?>()
      let options = CallOptions(timeout: .milliseconds(300))
      channel.call(TestMethods.echo, Message(), options) { answers.put($0.failure) }
      let call = try request(await router.messages.next())
      #expect(call.kind == .call)
      #expect(call.timeoutUs == 300_000)
      let cancel = try request(await router.messages.next())
      #expect(cancel.kind == .cancel)
      #expect(cancel.callID == call.callID)
      #expect(await answers.next()?.code == .deadlineExceeded)
    }
  }

  @Test func `at the caller's deadline, the server ends the call and cancels the call's work`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      let cancels = Inbox<Bool>()
      server.on(TestMethods.hold) { _, call in
        call.onCancel = { cancels.put(true) }
        call.perform {
          await untilCancelled()
          return Message()
        }
      }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(5, TestMethods.hold.key, timeout: 1000)))
      let reply = try await peer.reply()
      #expect(reply.header.callID == 5)
      #expect(reply.header.kind == .reply)
      #expect(reply.header.status?.code == .deadlineExceeded)
      #expect(cancels.count == 1)
      await server.drain()
      #expect(cancels.count == 1)
      #expect(tally.finished == [.deadlineExceeded: 1])
    }
  }

  @Test func `a call without a timeout gets the server's default timeout`() async throws {
    try await withTestBus { bus in
      let server = try bus.server(options: RequestServerLimits(defaultTimeout: .milliseconds(1)))
      var kept: [Call<Message>] = []
      server.on(TestMethods.hold) { _, call in kept.append(call) }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(1, TestMethods.hold.key)))
      #expect(try await peer.reply().header.status?.code == .deadlineExceeded)
    }
  }

  @Test
  func `if a handler never answers a call, the server answers when the call's deadline passes`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.hold) { _, _ in }
      let channel = try bus.channel()
      let failure = await #expect(throws: Status.self) {
        try await channel.call(
          TestMethods.hold, Message(), CallOptions(timeout: .milliseconds(30)))
      }
      // On a busy machine, connecting may take longer than the deadline.
      #expect([.deadlineExceeded, .unavailable].contains(failure?.code))
    }
  }

  @Test func `a call waits for a server that has not started yet`() async throws {
    try await withTestBus { bus in
      let channel = try bus.channel()
      let answers = Inbox<Result<Message, Status>>()
      channel.call(TestMethods.echo, Message(epoch: 4), .patient) { answers.put($0) }
      // An event of this second socket shows that the first attempt to connect has failed.
      let witness = try bus.dealer()
      _ = await witness.events.first { if case .connectRetried = $0 { true } else { false } }
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      #expect(await answers.next() == .success(Message(epoch: 4)))
    }
  }

  @Test func `a call whose server does not start in time fails as unavailable`() async throws {
    try await withTestBus { bus in
      let channel = try bus.channel()
      let failure = await #expect(throws: Status.self) {
        try await channel.call(
          TestMethods.echo, Message(), CallOptions(timeout: .milliseconds(40)))
      }
      #expect(failure?.code == .unavailable)
      #expect(!channel.isConnected)
    }
  }

  private func request(_ message: [MessageFrame]) throws -> V1.RequestHeader {
    let bytes = try #require(message.last).bytes
    let parts = try WireFrame.split(bytes.span.bytes)
    return try V1.RequestHeader(packed: Array(bytes[parts.header]))
  }
}

/// Returns when the task is cancelled, and not earlier.
func untilCancelled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  await withTaskCancellationHandler {
    for await _ in stream {}
  } onCancel: {
    continuation.finish()
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

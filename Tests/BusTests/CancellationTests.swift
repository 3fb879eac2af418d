import Bus
import MeetingModel
import Testing
import Wire
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
  private typealias Message = TestMethods.Message

  @Test func `cancelling the caller's task cancels the handler's work and calls onCancel once`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      let steps = Inbox<String>()
      server.on(TestMethods.hold) { _, call in
        call.onCancel = { steps.put("onCancel") }
        steps.put("began")
        call.perform {
          await untilCancelled()
          throw CancellationError()
        }
      }
      let caller = try Caller(at: bus.endpoint(), in: bus.context, on: bus.thread)
      let task = Task(executorPreference: bus.thread) { try await caller.hold() }
      #expect(await steps.next() == "began")
      task.cancel()
      #expect(await steps.next() == "onCancel")
      let failure = await #expect(throws: Status.self) { try await task.value }
      #expect(failure?.code == .cancelled)
      await server.drain()
      #expect(steps.count == 0)
      #expect(tally.finished == [.cancelled: 1])
      await caller.close()
    }
  }

  @Test func `a call from a task that is already cancelled fails immediately`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.hold) { _, call in
        call.perform {
          await untilCancelled()
          return Message()
        }
      }
      let caller = try Caller(at: bus.endpoint(), in: bus.context, on: bus.thread)
      let task = Task(executorPreference: bus.thread) {
        await untilCancelled()
        return try await caller.hold()
      }
      task.cancel()
      let failure = await #expect(throws: Status.self) { try await task.value }
      #expect(failure?.code == .cancelled)
      await caller.close()
    }
  }

  @Test func `a handler that keeps no reference to its call is still notified of the cancellation`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server()
      let steps = Inbox<String>()
      server.on(TestMethods.hold) { _, call in call.onCancel = { steps.put("unary") } }
      server.on(TestMethods.count) { _, stream in stream.onCancel = { steps.put("stream") } }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(1, TestMethods.hold.key)))
      try peer.send(MessageFrame(.cancel(1)))
      #expect(await steps.next() == "unary")
      try peer.send(MessageFrame(.call(2, TestMethods.count.key)))
      try peer.send(MessageFrame(.cancel(2)))
      #expect(await steps.next() == "stream")
      #expect(try await peer.reply().header.kind == .reply)
      #expect(try await peer.reply().header.kind == .end)
    }
  }

  @Test func `a CANCEL without an open call is ignored`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let tally = Tally()
      server.observer = tally
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let peer = try bus.dealer()
      await peer.connected()
      for callID in [0, 1, 77, .max] as [UInt64] { try peer.send(MessageFrame(.cancel(callID))) }
      try peer.send(MessageFrame(.call(1)))
      let first = try await peer.reply()
      #expect(first.header.callID == 1)
      #expect(first.header.status == nil)
      try peer.send(MessageFrame(.cancel(1)))
      try peer.send(MessageFrame(.call(2)))
      #expect(try await peer.reply().header.callID == 2)
      #expect(tally.finished == [.ok: 2])
      #expect(tally.rejectedCount == 0)
    }
  }

  @Test func `a cancelled call counts toward its peer's limit until the call's work has ended`()
    async throws
  {
    try await withTestBus { bus in
      let server = try bus.server(options: RequestServerLimits(maximumOpenCallsPerPeer: 1))
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      server.on(TestMethods.hold) { _, call in
        call.perform {
          // The detached task does not end when the outer task is cancelled.
          await Task.detached { for await _ in gate {} }.value
          return Message()
        }
      }
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let peer = try bus.dealer()
      await peer.connected()
      try peer.send(MessageFrame(.call(1, TestMethods.hold.key)))
      try peer.send(MessageFrame(.cancel(1)))
      #expect(try await peer.reply().header.status?.code == .cancelled)
      try peer.send(MessageFrame(.call(2)))
      #expect(try await peer.reply().header.status?.code == .resourceExhausted)
      opener.finish()
      await server.drain()
      try peer.send(MessageFrame(.call(3)))
      #expect(try await peer.reply().header.status?.reason == .draining)
    }
  }
}

/// An actor that makes calls from its own tasks.
private actor Caller {
  private let thread: SocketThread
  private let endpoint: Endpoint
  private let context: ZMQContext
  private var channel: RequestChannel?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(at endpoint: Endpoint, in context: ZMQContext, on thread: SocketThread) {
    (self.endpoint, self.context, self.thread) = (endpoint, context, thread)
  }

  func hold() async throws -> TestMethods.Message {
    let channel = try RequestChannel(to: endpoint, in: context, on: thread)
    self.channel = channel
    return try await channel.call(TestMethods.hold, TestMethods.Message(), .patient)
  }

  func close() { channel?.close() }
}

import MeetingModel
import Testing
import Wire
import ZeroMQ

@testable import Bus

@Suite(.timeLimit(.minutes(5)))
struct UnaryCallTests {
  private typealias Message = TestMethods.Message

  @Test func `a call returns the reply of a handler that replies immediately`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let channel = try bus.channel()
      let request = Message(meetingID: "naïve", epoch: 7, lastSequence: .max)
      let reply = try await channel.call(TestMethods.echo, request, .patient)
      #expect(reply == request)
    }
  }

  @Test func `a call returns the result of its handler's work`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in
        call.perform {
          await Task.detached {}.value
          return Message(epoch: request.epoch + 1)
        }
      }
      let channel = try bus.channel()
      let reply = try await channel.call(TestMethods.echo, Message(epoch: 1), .patient)
      #expect(reply.epoch == 2)
    }
  }

  @Test func `a handler's work runs on the server's thread`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let thread = bus.thread
      server.on(TestMethods.echo) { _, call in
        call.perform {
          await Task.yield()
          return Message(epoch: thread.isCurrent ? 1 : 0)
        }
      }
      let channel = try bus.channel()
      #expect(try await channel.call(TestMethods.echo, Message(), .patient).epoch == 1)
    }
  }

  @Test func `a callback gets only one answer, even if the handler answers again`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in
        call.reply(request)
        call.reply(Message(epoch: 99))
        call.fail(Status(.internalError, "Too late."))
      }
      let channel = try bus.channel()
      let answers = Inbox<Result<Message, Status>>()
      channel.call(TestMethods.echo, Message(epoch: 1), .patient) { answers.put($0) }
      #expect(await answers.next() == .success(Message(epoch: 1)))
      // A repeated answer to the first call would arrive before the answer to this call.
      _ = try await channel.call(TestMethods.echo, Message(), .patient)
      #expect(answers.count == 0)
    }
  }

  @Test func `a failure arrives with its code, session status, reason and message`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let status = Status(
        .resourceExhausted, "Full at 250; retry later.", session: .audioCallAtCapacity,
        reason: .meetingFull)
      server.on(TestMethods.echo) { _, call in call.fail(status) }
      let channel = try bus.channel()
      await #expect(throws: status) {
        try await channel.call(TestMethods.echo, Message(), .patient)
      }
    }
  }

  @Test func `a known error becomes its status, and an unknown error reveals no details`()
    async throws
  {
    try await withTestBus { bus in
      struct Secret: Error {}
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in
        call.perform {
          guard request.epoch == 1 else { throw Secret() }
          throw InstanceRegistryError.instanceIsTaken("presence-a")
        }
      }
      let channel = try bus.channel()
      await #expect(throws: InstanceRegistryError.instanceIsTaken("presence-a").status) {
        try await channel.call(TestMethods.echo, Message(epoch: 1), .patient)
      }
      let hidden = await #expect(throws: Status.self) {
        try await channel.call(TestMethods.echo, Message(epoch: 2), .patient)
      }
      #expect(hidden?.code == .internalError)
      #expect(hidden?.message.contains("Secret") == false)
    }
  }

  @Test func `call options are sent in the header`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      let headers = Inbox<V1.RequestHeader>()
      server.on(TestMethods.echo) { request, call in
        headers.put(call.header)
        call.reply(request)
      }
      let channel = try bus.channel()
      let options = CallOptions(
        timeout: .milliseconds(2500), sessionID: Array(1...16), term: 3, traceparent: "00-ab-cd-01",
        idempotencyKey: "once")
      _ = try await channel.call(TestMethods.echo, Message(), options)
      let header = await headers.next()
      #expect(header.version == 1)
      #expect(header.callID != 0)
      #expect(header.method == TestMethods.echo.key)
      #expect(header.timeoutUs == 2_500_000)
      #expect(header.sessionID == Array(1...16))
      #expect(header.term == 3)
      #expect(header.traceparent == "00-ab-cd-01")
      #expect(header.idempotencyKey == "once")
    }
  }

  @Test(
    arguments: [
      (Duration.zero, 1), (.seconds(-5), 1), (.microseconds(1), 1), (.seconds(5), 5_000_000),
      (.seconds(Int64.max), 86_400_000_000),
    ] as [(Duration, UInt64)])
  func `a timeout is sent in microseconds, as at least one microsecond and at most a day`(
    timeout: Duration, travels: UInt64
  ) {
    #expect(CallOptions(timeout: timeout).header(callID: 1, method: 1).timeoutUs == travels)
  }

  @Test func `simultaneous calls each get their own reply`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in
        if request.epoch.isMultiple(of: 2) {
          call.reply(request)
        } else {
          call.perform {
            await Task.yield()
            return request
          }
        }
      }
      let channel = try bus.channel()
      let answers = Inbox<[UInt64]>()
      for number in 0..<1000 as Range<UInt64> {
        channel.call(TestMethods.echo, Message(epoch: number), .patient) { result in
          answers.put([number, (try? result.get().epoch) ?? .max])
        }
      }
      var numbers: Set<UInt64> = []
      for _ in 0..<1000 {
        let answer = await answers.next()
        #expect(answer[0] == answer[1])
        numbers.insert(answer[0])
      }
      #expect(numbers.count == 1000)
    }
  }

  @Test func `a body of a megabyte arrives in both directions`() async throws {
    try await withTestBus { bus in
      let server = try bus.server()
      server.on(TestMethods.echo) { request, call in call.reply(request) }
      let channel = try bus.channel()
      let request = Message(meetingID: String(repeating: "x", count: 1 << 20))
      #expect(try await channel.call(TestMethods.echo, request, .patient) == request)
    }
  }
}

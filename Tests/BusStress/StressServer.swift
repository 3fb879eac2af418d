import Bus
import MeetingModel
import Wire
import ZeroMQ

/// Answers the stress methods and publishes the streams of the clients' meetings.
actor StressServer {
  private typealias Message = StressMethods.Message

  private let thread: SocketThread
  private var server: RequestServer?
  private var publisher: EventPublisher?
  private var streams: [MeetingID: MeetingEventStream] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(on thread: SocketThread) { self.thread = thread }

  func open(at rpc: Endpoint, publishingAt events: Endpoint, in context: ZMQContext) throws {
    publisher = try EventPublisher(
      at: events, instance: "stress", term: 1, in: context, on: thread)
    let server = try RequestServer(at: [rpc], in: context, on: thread)
    serveCalls(of: server)
    serveStreams(of: server)
    self.server = server
  }

  /// Stops as a service does: finishes accepted calls, and then closes on the server's thread.
  func close() async {
    await server?.drain()
    server?.close()
    publisher?.close()
    (server, publisher) = (nil, nil)
    streams = [:]
  }

  private func serveCalls(of server: RequestServer) {
    server.on(StressMethods.echo) { request, call in call.reply(request) }
    server.on(StressMethods.work) { request, call in
      call.perform {
        let doubled = await Task.detached { request.epoch * 2 }.value
        await Task.yield()
        return Message(epoch: doubled)
      }
    }
    server.on(StressMethods.hold) { _, call in
      call.perform {
        await Self.untilCancelled()
        throw CancellationError()
      }
    }
  }

  private func serveStreams(of server: RequestServer) {
    server.on(StressMethods.count) { request, stream in
      guard request.lastSequence > 0 else { return stream.end() }
      for number in 1...request.lastSequence { stream.send(Message(epoch: number)) }
      stream.end()
    }
    server.on(StressMethods.publish) { request, call in
      guard let stream = self.stream(of: request.meetingID) else {
        return call.fail(Status(.invalidArgument, "No meeting."))
      }
      call.reply(Message(lastSequence: stream.publish(nil)))
    }
    server.on(StressMethods.replay) { request, call in
      let stream = self.stream(of: request.meetingID)
      guard let events = stream?.replay(epoch: request.epoch, after: request.afterSequence) else {
        return call.fail(Status(.outOfRange, "Not kept."))
      }
      var reply = V1.ReplayReply()
      reply.outcome = .events(V1.ReplayedEvents(events: events))
      call.reply(reply)
    }
  }

  private func stream(of meetingID: String) -> MeetingEventStream? {
    guard let meeting = try? MeetingID(meetingID) else { return nil }
    if let stream = streams[meeting] { return stream }
    let stream = publisher?.beginStream(
      of: meeting, name: "roster", topic: .roster(of: meeting), epoch: 1, keeping: 10_000)
    streams[meeting] = stream
    return stream
  }

  private static func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}

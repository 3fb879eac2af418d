import Bus
import MeetingModel
import Wire
import ZeroMQ

/// Makes and cancels calls, reads streams, reopens channels and follows a meeting, all at the same
/// time, and checks the results.
actor StressClient {
  private typealias Message = StressMethods.Message

  private let number: UInt64
  private let meeting = MeetingID.random()
  private let rpc: Endpoint
  private let events: Endpoint
  private let context: ZMQContext
  private let thread: SocketThread
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private var outcome = Outcome()
  private var ends = 0
  private let follower = StreamFollower()
  private var expected: UInt64 = 1
  private var arrivals = 0
  private var finished: CheckedContinuation<Void, Never>?

  private static let patient = CallOptions(timeout: .seconds(120))

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(
    number: UInt64, calling rpc: Endpoint, following events: Endpoint, in context: ZMQContext,
    on thread: SocketThread
  ) {
    self.number = number
    self.rpc = rpc
    self.events = events
    self.context = context
    self.thread = thread
  }

  func run() async throws -> Outcome {
    channel = try RequestChannel(to: rpc, in: context, on: thread)
    await withTaskGroup { group in
      group.addTask { await self.askInline(500) }
      group.addTask { await self.askAwaiting(300) }
      group.addTask { await self.stream(60) }
      group.addTask { await self.cancelCalls(60) }
      group.addTask { await self.reopen(30) }
      group.addTask { await self.follow(600) }
    }
    subscriber?.close()
    channel?.close()
    (channel, subscriber) = (nil, nil)
    return outcome
  }

  // MARK: Calls

  /// Makes many concurrent calls, each with a callback.
  private func askInline(_ count: UInt64) async {
    await withCheckedContinuation { done in
      var left = count
      for value in 1...count {
        let request = Message(meetingID: "client-\(number)", epoch: value)
        channel?.call(StressMethods.echo, request, Self.patient) { result in
          self.check(result == .success(request), "echo \(value): \(result)")
          left -= 1
          if left == 0 { done.resume() }
        }
      }
    }
  }

  /// Runs several tasks at the same time. Each task makes one call after another, and awaits each
  /// answer.
  private func askAwaiting(_ count: UInt64) async {
    await withTaskGroup { group in
      for lane in 0..<4 as Range<UInt64> {
        group.addTask { await self.askOneByOne(lane * count..<(lane + 1) * count) }
      }
    }
  }

  private func askOneByOne(_ values: Range<UInt64>) async {
    for value in values where value.isMultiple(of: 4) {
      let reply = try? await channel?.call(
        StressMethods.work, Message(epoch: value), Self.patient)
      check(reply?.epoch == 2 * value, "work \(value): \(String(describing: reply))")
    }
  }

  /// Cancels tasks. At the cancellation, a task may be about to send its call, may be sending the
  /// call, or may have sent the call.
  private func cancelCalls(_ count: Int) async {
    for round in 0..<count {
      let task = Task(executorPreference: thread) { await self.hold() }
      for _ in 0..<round % 5 { await Task.yield() }
      task.cancel()
      let status = await task.value
      check(status?.code == .cancelled, "cancel \(round): \(String(describing: status))")
    }
  }

  private func hold() async -> Status? {
    do throws(Status) {
      _ = try await channel?.call(StressMethods.hold, Message(), Self.patient)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Streams

  /// Reads streams. Cancels every third stream, and reads all other streams to their end.
  private func stream(_ count: Int) async {
    for round in 0..<count {
      if round.isMultiple(of: 3) {
        await giveUpStream()
      } else {
        await readStream(UInt64(round))
      }
    }
  }

  private func readStream(_ length: UInt64) async {
    let sum = await withCheckedContinuation { (done: CheckedContinuation<UInt64?, Never>) in
      var last: UInt64 = 0
      var isInOrder = true
      channel?.open(StressMethods.count, Message(lastSequence: length), .init()) { item in
        isInOrder = isInOrder && item.epoch == last + 1
        last = item.epoch
      } onEnd: { status in
        done.resume(returning: status == nil && isInOrder ? last : nil)
      }
    }
    check(sum == length, "stream of \(length): \(String(describing: sum))")
  }

  private func giveUpStream() async {
    var isGivenUp = false
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      var handle: StreamCallHandle?
      handle = channel?.open(StressMethods.count, Message(lastSequence: 100), .init()) { _ in
        self.check(!isGivenUp, "an item after its stream was given up")
        guard !isGivenUp, let handle else { return }
        isGivenUp = true
        self.channel?.cancel(handle)
        done.resume()
      } onEnd: { _ in
        self.check(false, "an end after its stream was given up")
      }
    }
  }

  // MARK: Connections

  /// Opens and closes channels during calls. Each call must end exactly once, answered or
  /// cancelled.
  private func reopen(_ count: Int) async {
    for round in 0..<count {
      guard let channel = try? RequestChannel(to: rpc, in: context, on: thread) else {
        check(false, "no channel in round \(round)")
        continue
      }
      ends = 0
      for value in 1...10 as ClosedRange<UInt64> {
        channel.call(StressMethods.work, Message(epoch: value), Self.patient) { result in
          self.ends += 1
          switch result {
          case .success(let reply): self.check(reply.epoch == 2 * value, "reopen \(round)")
          case .failure(let status): self.check(status.code == .cancelled, "reopen: \(status)")
          }
        }
      }
      if round.isMultiple(of: 2) {
        let reply = try? await channel.call(StressMethods.echo, Message(epoch: 7), Self.patient)
        check(reply?.epoch == 7, "reopen \(round): \(String(describing: reply))")
      }
      channel.close()
      check(ends == 10, "reopen \(round): \(ends) of 10 calls ended")
    }
  }

  // MARK: Events

  /// Follows a meeting on a subscription that loses every seventh event.
  private func follow(_ count: UInt64) async {
    follower.onCatchUp = { epoch, after in self.catchUp(epoch, after) }
    follower.onEvent = { header, _ in self.take(header, last: count) }
    follower.reset(epoch: 1, sequence: 0)
    do {
      try subscribe()
    } catch {
      return check(false, "no subscriber: \(error)")
    }
    await withCheckedContinuation { continuation in
      finished = continuation
      publish(count)
    }
    check(expected == count + 1, "followed up to \(expected)")
    follower.onCatchUp = nil
    follower.onEvent = nil
  }

  private func subscribe() throws {
    let subscriber = try EventSubscriber(to: events, instance: "stress", in: context, on: thread)
    subscriber.onEvent = { event in
      self.arrivals += 1
      if !self.arrivals.isMultiple(of: 7) { self.follower.arrive(event.header, event.body) }
    }
    subscriber.onBeacon = { beacon in
      for position in beacon.positions where position.meetingID == self.meeting.text {
        self.follower.observe(position)
      }
    }
    subscriber.onMalformed = { self.check(false, "an event that cannot be read") }
    subscriber.subscribe(to: .roster(of: meeting))
    self.subscriber = subscriber
  }

  private func take(_ header: V1.EventHeader, last: UInt64) {
    check(header.sequence == expected, "event \(header.sequence), not \(expected)")
    expected = header.sequence + 1
    if header.sequence == last { finished.take()?.resume() }
  }

  private func publish(_ count: UInt64) {
    for sequence in 1...count {
      channel?.call(StressMethods.publish, Message(meetingID: meeting.text), Self.patient) {
        let published = try? $0.get().lastSequence
        self.check(published == sequence, "published \(String(describing: published))")
      }
    }
  }

  private func catchUp(_ epoch: UInt64, _ after: UInt64) {
    let request = V1.ReplayRequest(meetingID: meeting.text, epoch: epoch, afterSequence: after)
    channel?.call(StressMethods.replay, request, Self.patient) { result in
      if case .success(let reply) = result, case .events(let replayed) = reply.outcome {
        self.follower.caughtUp(with: replayed.events)
      } else {
        self.check(false, "replay: \(result)")
        self.follower.catchUpFailed()
      }
    }
  }

  private func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
    outcome.check(isRight, what())
  }
}

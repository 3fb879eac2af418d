import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import TestSupport
import Wire
import ZeroMQ

@testable import Messaging
@testable import Storage

/// A messaging instance of its own in a fresh directory, started, handed over and stopped.
struct MessagingFixture {
  let directory: String
  let metrics = MetricsRegistry()
  var rules = MessagingRules()

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  var database: String { directory + "/messages.sqlite" }

  private var requests: String { directory + "/messaging-a.rpc.sock" }
  private var events: String { directory + "/messaging-a.events.sock" }

  /// Runs messaging for as long as `body` takes.
  func running<Result: Sendable>(
    _ body: @Sendable (MessagingService) async throws -> Result
  ) async throws -> Result {
    let messaging = MessagingService(
      MessagingConfiguration(
        instance: "messaging-a", requests: try .ipc(requests), events: try .ipc(events),
        rules: rules),
      store: try MessagesStore(path: database, busyTimeout: .milliseconds(100)), registry: registry,
      in: try Context(),
      on: SocketThread(name: "messaging"), metrics: metrics,
      logger: Logger(label: "messaging") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await messaging.run() }
      let result: Result
      do {
        result = try await body(messaging)
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }

  /// A gateway that calls this messaging, for as long as `body` takes.
  @discardableResult
  func withGateway<Result: Sendable>(
    _ body: (TestGateway) async throws -> Result
  ) async throws -> Result {
    let gateway = TestGateway()
    try await gateway.open(requests: try .ipc(requests), events: try .ipc(events))
    do {
      let result = try await body(gateway)
      await gateway.close()
      return result
    } catch {
      await gateway.close()
      throw error
    }
  }
}

/// Runs messaging in a fresh directory.
func withMessaging<Result: Sendable>(
  _ rules: MessagingRules = MessagingRules(),
  _ body: @Sendable (MessagingFixture) async throws -> Result
) async throws -> Result {
  try await withTemporaryDirectory { directory in
    let fixture = MessagingFixture(directory: directory, rules: rules)
    return try await fixture.running { _ in try await body(fixture) }
  }
}

/// An event as a gateway has it.
struct SeenEvent: Sendable {
  let header: V1.EventHeader
  let body: V1.SessionEvents

  init?(_ header: V1.EventHeader?, _ bytes: [UInt8]) {
    guard let header, let body = try? V1.SessionEvents(packed: bytes) else { return nil }
    (self.header, self.body) = (header, body)
  }

  var message: V1.DataMessage? {
    if case .dataMessage(let message) = body.events.first?.event { message } else { nil }
  }

  var text: String? { message.map { String(decoding: $0.data, as: UTF8.self) } }
}

extension V1.MessageReplay {
  var seen: [SeenEvent] { events.compactMap { SeenEvent($0.header, $0.body) } }

  var texts: [String] { seen.compactMap(\.text) }
}

extension CallOptions {
  /// Longer than a busy machine may stand still.
  static func patient(key: String = "") -> CallOptions {
    CallOptions(timeout: .seconds(30), idempotencyKey: key)
  }
}

/// What of a gateway messaging sees: its requests, and how it follows a meeting.
actor TestGateway {
  private nonisolated let thread = SocketThread(name: "gateway")
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private let follower = StreamFollower()
  private var seen: [SeenEvent] = []
  private var readers: [AsyncStream<Void>.Continuation] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(requests: Endpoint, events: Endpoint) throws {
    let context = try Context()
    channel = try RequestChannel(to: requests, in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: events, instance: "messaging-a", in: context, on: thread)
    subscriber.onEvent = { [unowned self] in follower.arrive($0.header, $0.body) }
    subscriber.onBeacon = { [unowned self] in
      for position in $0.positions where position.meetingID == MeetingID.planning.text {
        follower.observe(position)
      }
    }
    self.subscriber = subscriber
    follower.onEvent = { [unowned self] in take($0, $1) }
    follower.onCatchUp = { [unowned self] in catchUp(epoch: $0, after: $1) }
  }

  func close() {
    channel?.close()
    subscriber?.close()
    (channel, subscriber) = (nil, nil)
    thread.stop()
  }

  // MARK: Events

  /// Sees all events of the planning meeting from now on.
  func follow() async throws(Status) {
    subscriber?.subscribe(to: .messages(of: .planning))
    let replay = try await replay()
    follower.reset(epoch: replay.epoch, sequence: replay.throughSequence)
  }

  /// Follows the planning meeting as if nothing of it had been seen.
  func followFromStart() async throws(Status) {
    subscriber?.subscribe(to: .messages(of: .planning))
    follower.reset(epoch: try await replay().epoch, sequence: 0)
  }

  private func take(_ header: V1.EventHeader, _ bytes: [UInt8]) {
    guard let event = SeenEvent(header, bytes) else { return }
    seen.append(event)
    for reader in readers { reader.yield() }
  }

  private func catchUp(epoch: UInt64, after sequence: UInt64) {
    let request = V1.MessageReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
    ask(V1.MessagingMethods.replay, request, .patient()) { self.caughtUp(with: $0) }
  }

  private func caughtUp(with outcome: Result<V1.MessageReplay, Status>) {
    switch outcome {
    case .success(let replay): follower.caughtUp(with: replay.events)
    case .failure: follower.catchUpFailed()
    }
  }

  /// Waits until so many events are there, and gives them.
  func events(_ count: Int) async throws -> [SeenEvent] {
    let (news, reader) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    readers.append(reader)
    reader.yield()
    for await _ in news where seen.count >= count { return seen }
    throw CancellationError()
  }

  // MARK: Requests

  func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, options: CallOptions = .patient()
  ) async throws(Status) -> Reply {
    let outcome: Result<Reply, Status> = await withCheckedContinuation { continuation in
      ask(method, request, options) { continuation.resume(returning: $0) }
    }
    return try outcome.get()
  }

  private func ask<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, _ options: CallOptions,
    then: @escaping (Result<Reply, Status>) -> Void
  ) {
    guard let channel else {
      return then(.failure(Status(.unavailable, "The test's gateway is closed.")))
    }
    channel.call(method, request, options, then: then)
  }

  @discardableResult
  func join(
    _ person: Person, device: UInt8 = 0, in meeting: MeetingID = .planning, maxBytes: UInt32 = 0,
    options: CallOptions = .patient()
  ) async throws(Status) -> V1.MessageReplay {
    let request = V1.JoinMessagesRequest(
      meetingID: meeting.text, sessionID: person.session(device).bytes,
      participantID: person.participant.text, maxBytes: maxBytes)
    return try await call(V1.MessagingMethods.join, request, options: options)
  }

  func leave(_ person: Person) async throws(Status) {
    _ = try await call(
      V1.MessagingMethods.leave,
      V1.LeaveRequest(meetingID: MeetingID.planning.text, sessionID: person.session().bytes))
  }

  func append(
    _ request: V1.AppendRequest, key: String = ""
  ) async throws(Status) -> V1.AppendReply {
    try await call(
      V1.MessagingMethods.append, request, options: CallOptions.patient(key: key))
  }

  /// The status with which a message is refused; `nil` if it is not.
  func refusal(of request: V1.AppendRequest) async -> Status? {
    do {
      _ = try await append(request)
      return nil
    } catch {
      return error
    }
  }

  @discardableResult
  func send(
    _ person: Person, _ text: String, lifetime: Int32 = 0, to recipients: [Person] = [],
    key: String = ""
  ) async throws(Status) -> V1.AppendReply {
    let request = V1.AppendRequest.from(person, text, lifetime: lifetime, to: recipients)
    return try await append(request, key: key)
  }

  /// Sends all of these at once.
  func send(
    _ person: Person, _ texts: [String]
  ) async -> [Result<V1.AppendReply, Status>] {
    let (answers, answer) = AsyncStream.makeStream(of: (Int, Result<V1.AppendReply, Status>).self)
    for (index, text) in texts.enumerated() {
      let options = CallOptions.patient(key: text)
      ask(V1.MessagingMethods.append, .from(person, text), options) { answer.yield((index, $0)) }
    }
    var results = [Result<V1.AppendReply, Status>?](repeating: nil, count: texts.count)
    var left = texts.count
    for await (index, result) in answers {
      results[index] = result
      left -= 1
      if left == 0 { break }
    }
    return results.compactMap(\.self)
  }

  /// What follows a position; without a person, for the gateway itself.
  func replay(
    for person: Person? = nil, epoch: UInt64 = 0, after sequence: UInt64 = 0, maxBytes: UInt32 = 0,
    through: UInt64 = 0
  ) async throws(Status) -> V1.MessageReplay {
    let request = V1.MessageReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence,
      sessionID: person?.session().bytes ?? [], participantID: person?.participant.text ?? "",
      maxBytes: maxBytes, throughSequence: through)
    return try await call(V1.MessagingMethods.replay, request)
  }

  func end(_ meeting: MeetingID) async throws(Status) {
    _ = try await call(
      V1.MessagingMethods.endMeeting, V1.EndMeetingRequest(meetingID: meeting.text))
  }
}

extension V1.AppendRequest {
  static func from(
    _ person: Person, _ text: String, lifetime: Int32 = 0, to recipients: [Person] = []
  ) -> V1.AppendRequest {
    V1.AppendRequest(
      meetingID: MeetingID.planning.text, sessionID: person.session().bytes,
      sender: V1.AttendeeInfo(
        attendeeID: person.participant.text, externalUserID: "person-\(person.number)"),
      topic: "chat", data: Array(text.utf8), lifetimeMs: lifetime,
      recipients: recipients.map(\.attendee.text))
  }
}

extension V1.AppendReply {
  var accepted: V1.AcceptedAt? {
    if case .accepted(let place) = outcome { place } else { nil }
  }

  var throttled: V1.Throttled? {
    if case .throttled(let throttled) = outcome { throttled } else { nil }
  }
}

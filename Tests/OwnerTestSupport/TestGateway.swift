public import Bus
public import MeetingModel
public import Trials
public import Wire
public import ZeroMQ

/// The part of a gateway with which an owner of meeting state communicates. The gateway sends
/// requests, and follows the events of one meeting.
///
/// Extensions next to the tests of each owner define the requests.
public actor TestGateway {
  /// The instance name.
  public nonisolated let name: String

  /// The received events of the planning meeting.
  public nonisolated let seen = AwaitableEntryList<SeenEvent>()

  private let thread: SocketThread
  private let stream: FollowedStream
  private let options: CallOptions
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private let follower = StreamFollower()

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Creates a gateway that is not connected.
  ///
  /// - Parameters:
  ///   - stream: The stream of the planning meeting.
  ///   - options: The default options of requests. The timeout only keeps a test from hanging.
  public init(
    name: String = "gateway-a", following stream: FollowedStream,
    options: CallOptions = CallOptions(timeout: .seconds(50))
  ) {
    (self.name, self.stream, self.options) = (name, stream, options)
    thread = SocketThread(name: name)
  }

  /// Connects to an owner.
  public func open(requests: Endpoint, events: Endpoint) throws {
    let context = try ZMQContext()
    channel = try RequestChannel(to: requests, in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: events, instance: stream.instance, in: context, on: thread)
    subscriber.onEvent = { [unowned self] in follower.arrive($0.header, $0.body) }
    subscriber.onBeacon = { [unowned self] in
      for position in $0.positions where position.meetingID == MeetingID.planning.text {
        follower.observe(position)
      }
    }
    self.subscriber = subscriber
    follower.onEvent = { [seen] header, bytes in
      if let event = SeenEvent(header, bytes) { seen.append(event) }
    }
    follower.onCatchUp = { [unowned self] in catchUp(epoch: $0, after: $1) }
  }

  /// Closes the connection and stops the gateway's thread.
  public func close() {
    channel?.close()
    subscriber?.close()
    (channel, subscriber) = (nil, nil)
    thread.stop()
  }

  // MARK: Events

  /// Subscribes to the events of the planning meeting. The gateway records these events only after
  /// ``takeEvents(ofEpoch:after:)``.
  public func subscribe() { subscriber?.subscribe(to: stream.topic) }

  /// Starts to record the events after a position.
  public func takeEvents(ofEpoch epoch: UInt64, after sequence: UInt64) {
    follower.reset(epoch: epoch, sequence: sequence)
  }

  private func catchUp(epoch: UInt64, after sequence: UInt64) {
    guard let channel else { return }
    stream.catchUp(channel, options, epoch, sequence) { [unowned self] in finishCatchUp($0) }
  }

  private func finishCatchUp(_ missed: FollowedStream.Missed?) {
    switch missed {
    case .events(let events): follower.caughtUp(with: events)
    case .position(let epoch, let sequence): follower.reset(epoch: epoch, sequence: sequence)
    case nil: follower.catchUpFailed()
    }
  }

  /// Waits for the first event that satisfies `isWanted`, and returns this event.
  public func event(
    _ isWanted: @escaping @Sendable (SeenEvent) -> Bool
  ) async throws -> SeenEvent {
    let events = try await seen.wait(for: "an event", within: .seconds(50)) {
      $0.contains(where: isWanted)
    }
    guard let event = events.first(where: isWanted) else { throw CancellationError() }
    return event
  }

  /// Waits for `count` events, and returns all events so far.
  public func events(_ count: Int) async throws -> [SeenEvent] {
    try await seen.wait(for: "\(count) events", within: .seconds(50)) { $0.count >= count }
  }

  // MARK: Requests

  /// Sends a request and waits for the answer.
  public func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, options: CallOptions? = nil
  ) async throws(Status) -> Reply {
    try await begin(method, request, options: options)().get()
  }

  /// Sends a request without waiting for the answer. The owner reads later requests of this
  /// connection after this request.
  ///
  /// - Returns: A function that waits for the answer. Call the function once.
  public func begin<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, options: CallOptions? = nil
  ) -> @Sendable () async -> Result<Reply, Status> {
    let (answers, answer) = AsyncStream.makeStream(of: Result<Reply, Status>.self)
    start(method, request, options: options) { answer.yield($0) }
    return {
      await answers.first { _ in true }
        ?? .failure(Status(.cancelled, "The test does not wait for the answer."))
    }
  }

  /// Sends a request, and calls `then` with the answer on the gateway's thread.
  public func start<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, options: CallOptions? = nil,
    then: @escaping (Result<Reply, Status>) -> Void
  ) {
    guard let channel else {
      return then(.failure(Status(.unavailable, "The test's gateway is closed.")))
    }
    channel.call(method, request, options ?? self.options, then: then)
  }
}

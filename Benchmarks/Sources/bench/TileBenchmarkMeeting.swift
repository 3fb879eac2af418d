import Bus
import Foundation
import MeetingModel
import TestSupport
import Wire
import ZeroMQ

/// One meeting on a separate `video-tiles` process: 250 participants receive, and 25 of the
/// participants publish three layers.
///
/// This program acts as gateway and media.
actor TileBenchmarkMeeting {
  static let receivers = 250
  static let publishers = 25

  private let process: ServerProcess
  private let directory: String
  private let thread: SocketThread
  private let context: ZMQContext
  private let meeting = MeetingID.random()
  private let attendees = (0..<receivers).map { _ in AttendeeID.random() }
  private let sessions = (0..<receivers).map { _ in SessionID.random() }
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private var lastSequence: UInt64 = 0
  private var awaited: (sequence: UInt64, continuation: CheckedContinuation<Void, Never>)?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(in directory: String, on thread: SocketThread) throws {
    guard let binaries = ProcessInfo.processInfo.environment["CARILLON_BINARIES"] else {
      throw BenchError.missing("The directory of the services")
    }
    self.directory = directory
    self.thread = thread
    context = try ZMQContext()
    let places = ["--runtime-dir", "\(directory)/run", "--data-dir", "\(directory)/data"]
    process = ServerProcess(
      "video-tiles-a",
      ["\(binaries)/video-tiles", "--instance", "video-tiles-a", "--gateway-grace-seconds", "300"]
        + places, logPath: "\(directory)/video-tiles-a.log", on: thread)
  }

  /// Starts the process, makes all participants join, and runs the meeting during `body`.
  ///
  /// - Parameter isSubscribed: Whether everyone subscribes to everyone, each in a different order.
  ///   Otherwise the server selects all sources.
  static func hold<Result: Sendable>(
    isSubscribed: Bool, _ body: @Sendable (TileBenchmarkMeeting) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { directory in
      let thread = SocketThread(name: "tiles")
      defer {
        thread.stop()
        thread.join()
      }
      let meeting = try TileBenchmarkMeeting(in: directory, on: thread)
      do {
        try await meeting.begin(isSubscribed: isSubscribed)
        let result = try await body(meeting)
        try await meeting.end()
        return result
      } catch {
        say(meeting.process.log)
        try? await meeting.end()
        throw error
      }
    }
  }

  private func begin(isSubscribed: Bool) async throws {
    try await process.start()
    let process = process
    let place = LocalHTTP.Place.unixSocket(path: "\(directory)/run/video-tiles-a.http.sock")
    try await eventually("video-tiles to be ready", within: .seconds(20)) {
      guard process.isRunning else { throw BenchError.ended(process.name) }
      return (try? await LocalHTTP.ask("GET", "/readyz", at: place))?.status == 200
    }
    let base = "\(directory)/run/video-tiles-a"
    channel = try RequestChannel(to: .ipc("\(base).rpc.sock"), in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: .ipc("\(base).events.sock"), instance: "video-tiles-a", in: context, on: thread)
    subscriber.onEvent = { [unowned self] in arrive($0.header.sequence) }
    subscriber.subscribe(to: .tiles(of: meeting))
    self.subscriber = subscriber
    _ = try await call(
      V1.VideoTilesMethods.announce,
      V1.AnnounceTilesRequest(gateway: "gateway-a", last: true, gatewayRun: 1))
    for number in attendees.indices { try await join(number) }
    guard isSubscribed else { return }
    for number in attendees.indices { try await subscribe(number) }
  }

  private func end() async throws {
    channel?.close()
    subscriber?.close()
    (channel, subscriber) = (nil, nil)
    try await process.kill()
  }

  private func arrive(_ sequence: UInt64) {
    lastSequence = max(lastSequence, sequence)
    guard let awaited, awaited.sequence <= lastSequence else { return }
    self.awaited = nil
    awaited.continuation.resume()
  }

  private func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws -> Reply {
    guard let channel else { throw BenchError.closed }
    return try await channel.call(method, request, CallOptions(timeout: .seconds(20)))
  }

  private func join(_ number: Int) async throws {
    let choices = V1.VideoChoices(
      published: number < Self.publishers ? [Self.camera] : [], isReceiving: true)
    _ = try await call(
      V1.VideoTilesMethods.join,
      V1.JoinTilesRequest(
        session: V1.TileSession(
          meetingID: meeting.text, participantID: attendees[number].text,
          externalUserID: "person-\(number)", sessionID: sessions[number].bytes, choices: choices),
        gateway: "gateway-a", gatewayRun: 1))
  }

  private func subscribe(_ number: Int) async throws {
    let subscriptions = (0..<Self.publishers).map { publisher in
      V1.VideoSubscription(
        participantID: attendees[publisher].text,
        priority: V1.VideoPriority(rawValue: Int32(10 + (publisher + number) % 5 * 10)))
    }
    _ = try await call(
      V1.VideoTilesMethods.updateVideoSubscriptions,
      V1.UpdateVideoSubscriptionsRequest(
        meetingID: meeting.text, sessionID: sessions[number].bytes,
        addedOrUpdated: subscriptions))
  }

  private static let camera = V1.PublishedVideo(
    kind: .camera,
    layers: [(320, 180, 150_000), (640, 360, 600_000), (1_280, 720, 1_200_000)].map {
      V1.VideoLayer(
        width: $0.0, height: $0.1, framesPerSecond: 15, bitsPerSecond: $0.2, codec: .vp8)
    })

  // MARK: Measurements

  /// Reports a new bandwidth estimate for each receiver, as media does.
  func reportDownlink(bitsPerSecond: UInt32) async throws {
    let receivers = sessions.enumerated().map { number, session in
      V1.ReceiverDownlink(
        sessionID: session.bytes, bitsPerSecond: bitsPerSecond - UInt32(number))
    }
    _ = try await call(
      V1.VideoTilesMethods.reportDownlink,
      V1.ReportDownlinkRequest(meetingID: meeting.text, receivers: receivers))
  }

  /// Unpublishes and publishes the first camera, and waits for all receivers' events.
  func republish() async throws {
    _ = try await call(
      V1.VideoTilesMethods.unpublishVideo,
      V1.UnpublishVideoRequest(
        meetingID: meeting.text, sessionID: sessions[0].bytes, kind: .camera))
    _ = try await call(
      V1.VideoTilesMethods.publishVideo,
      V1.PublishVideoRequest(
        meetingID: meeting.text, sessionID: sessions[0].bytes, video: Self.camera))
    let snapshot = try await call(
      V1.VideoTilesMethods.snapshot,
      V1.TileSnapshotRequest(
        meetingID: meeting.text, participantIDs: [attendees[0].text]))
    guard lastSequence < snapshot.sequence else { return }
    await withCheckedContinuation { awaited = (snapshot.sequence, $0) }
  }

  /// Returns the time that the process has spent on decisions, in seconds.
  func secondsOfDeciding() async throws -> Double {
    let place = LocalHTTP.Place.unixSocket(path: "\(directory)/run/video-tiles-a.http.sock")
    let text = try await LocalHTTP.ask("GET", "/metrics", at: place).body
    let name = "carillon_video_tiles_decision_duration_seconds_sum "
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    guard let seconds = line.flatMap({ Double($0.dropFirst(name.count)) }) else {
      throw BenchError.missing(name)
    }
    return seconds
  }
}

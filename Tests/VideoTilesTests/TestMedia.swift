import Bus
import MeetingModel
import OwnerTestSupport
import Wire
import ZeroMQ

@testable import VideoTiles

/// Media's state of a meeting: the result of all items of `WatchDecisions`.
struct ForwardingView: Sendable {
  var sequence: UInt64 = 0
  var sources: [UInt32: V1.VideoSource] = [:]
  var publishers: [UInt32: [UInt8]] = [:]
  var receivers: [[UInt8]: V1.ReceiverDecision] = [:]
  var hasEnded = false
  var hasGap = false

  mutating func take(_ update: V1.ForwardingUpdate) {
    hasGap = hasGap || update.sequence != sequence + 1 || (sequence == 0 && !update.isComplete)
    if update.isComplete { (sources, publishers, receivers) = ([:], [:], [:]) }
    sequence = update.sequence
    for tile in update.endedTileIDs { (sources[tile], publishers[tile]) = (nil, nil) }
    for session in update.endedSessionIDs { receivers[session] = nil }
    for source in update.sources { sources[source.tileID] = source }
    for publisher in update.publishers { publishers[publisher.tileID] = publisher.sessionID }
    for receiver in update.receivers { receivers[receiver.sessionID] = receiver }
  }

  /// Returns what a receiver gets from a publisher.
  func forwarding(to receiver: Person, from publisher: Person) -> V1.Forwarding? {
    let tile = sources.values.first { $0.attendee?.attendeeID == publisher.participant.text }
    return receivers[receiver.session().bytes]?.forwardings.first { $0.tileID == tile?.tileID }
  }

  /// Returns the layers that a receiver gets from these publishers; `nil` without a decision.
  func layers(to receiver: Person, from publishers: [Person]) -> [UInt32?] {
    publishers.map { forwarding(to: receiver, from: $0)?.layer }
  }

  func reasons(to receiver: Person, from publishers: [Person]) -> [V1.ForwardingReason?] {
    publishers.map { forwarding(to: receiver, from: $0)?.reason }
  }
}

/// The part of media that video-tiles uses: its reports, and its stream of decisions.
actor TestMedia {
  private let thread = SocketThread(name: "media")
  private var channel: RequestChannel?
  private var view = ForwardingView()
  private var readers: [AsyncStream<Void>.Continuation] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(requests: Endpoint) throws {
    channel = try RequestChannel(to: requests, in: try ZMQContext(), on: thread)
  }

  func close() {
    channel?.close()
    channel = nil
    thread.stop()
  }

  /// Follows the decisions of the planning meeting from now on.
  func watch() {
    let request = V1.WatchDecisionsRequest(meetingID: MeetingID.planning.text)
    channel?.open(
      V1.VideoTilesMethods.watchDecisions, request, .init(),
      onItem: { [unowned self] in
        view.take($0)
        for reader in readers { reader.yield() }
      },
      onEnd: { [unowned self] _ in
        view.hasEnded = true
        for reader in readers { reader.yield() }
      })
  }

  /// Waits until media's state of the meeting satisfies `isWanted`, and returns this state.
  @discardableResult
  func view(_ isWanted: (ForwardingView) -> Bool) async throws -> ForwardingView {
    let (news, reader) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    readers.append(reader)
    reader.yield()
    for await _ in news where isWanted(view) { return view }
    throw CancellationError()
  }

  private func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws(Status) -> Reply {
    let outcome: Result<Reply, Status> = await withCheckedContinuation { continuation in
      guard let channel else {
        return continuation.resume(
          returning: .failure(Status(.unavailable, "The test's media is closed.")))
      }
      channel.call(method, request, CallOptions(timeout: .seconds(50))) {
        continuation.resume(returning: $0)
      }
    }
    return try outcome.get()
  }

  /// Reports the capacities of links, in kbit/s.
  func reportDownlink(_ links: [Person: UInt32]) async throws(Status) {
    let receivers = links.map { person, kilobits in
      V1.ReceiverDownlink(sessionID: person.session().bytes, bitsPerSecond: kilobits * 1_000)
    }
    _ = try await call(
      V1.VideoTilesMethods.reportDownlink,
      V1.ReportDownlinkRequest(meetingID: MeetingID.planning.text, receivers: receivers))
  }

  /// Reports whether the packets of a source's layer arrive.
  func reportTrack(_ tile: UInt32, layer: UInt32, isFlowing: Bool) async throws(Status) {
    _ = try await call(
      V1.VideoTilesMethods.reportTracks,
      V1.ReportTracksRequest(
        meetingID: MeetingID.planning.text,
        tracks: [V1.TrackState(tileID: tile, layer: layer, isFlowing: isFlowing)]))
  }
}

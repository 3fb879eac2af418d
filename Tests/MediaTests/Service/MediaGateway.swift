import Bus
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

/// The part of a gateway that media needs. This part sends requests and receives measurements.
actor MediaGateway {
  /// The metrics in one event of media, and the participants who receive this event.
  struct Report: Sendable {
    let participants: [String]
    let metrics: V1.MediaMetrics
  }

  /// A piece of a talker's speech, with the samples that the gateway received.
  struct Piece: Sendable {
    let chunk: V1.TalkerChunk
    let bytes: [UInt8]
  }

  nonisolated let told = AwaitableEntryList<Report>()
  nonisolated let pieces = AwaitableEntryList<Piece>()

  /// The statuses with which streams of talkers ended.
  nonisolated let ends = AwaitableEntryList<StatusCode>()

  /// The fences in media's beacons.
  nonisolated let fences = AwaitableEntryList<UInt64>()
  nonisolated let name: String
  private let run: UInt64
  private nonisolated let thread = SocketThread(name: "gateway")
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private var streams: [[UInt8]: StreamCallHandle] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ name: String, run: UInt64) { (self.name, self.run) = (name, run) }

  func open(requests: Endpoint, events: Endpoint, in context: ZMQContext) throws {
    channel = try RequestChannel(to: requests, in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: events, instance: "media-a", in: context, on: thread)
    subscriber.onEvent = { [told] event in
      let events = (try? V1.SessionEvents(packed: event.body))?.events ?? []
      for case .mediaMetrics(let metrics)? in events.map(\.event) {
        told.append(Report(participants: event.header.onlyFor, metrics: metrics))
      }
    }
    subscriber.onBeacon = { [fences] in if $0.fence > 0 { fences.append($0.fence) } }
    if let meeting = try? MeetingID(Guest.meeting) {
      subscriber.subscribe(to: .media(of: meeting))
    }
    self.subscriber = subscriber
  }

  func close() {
    subscriber?.close()
    channel?.close()
    (channel, subscriber) = (nil, nil)
    thread.stop()
  }

  func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, term: UInt64 = 0
  ) async throws(Status) -> Reply {
    let outcome: Result<Reply, Status> = await withCheckedContinuation { continuation in
      guard let channel else {
        return continuation.resume(
          returning: .failure(Status(.unavailable, "The test's gateway is closed.")))
      }
      channel.call(method, request, CallOptions(timeout: .seconds(50), term: term)) {
        continuation.resume(returning: $0)
      }
    }
    return try outcome.get()
  }

  // MARK: Sessions

  /// Admits a guest.
  ///
  /// - Parameter change: Changes the request. An unchanged request allows everything.
  @discardableResult
  func admit(
    _ guest: Guest, ticket: [UInt8]? = nil, term: UInt64 = 0,
    _ change: @Sendable (inout V1.AdmitRequest) -> Void = { _ in }
  ) async throws(Status) -> V1.AdmitReply {
    var request = V1.AdmitRequest(
      meetingID: Guest.meeting, sessionID: guest.session, attendee: guest.info,
      rights: V1.SendRights(capabilities: .all()), ticket: ticket ?? guest.ticket(),
      audioMode: .mono48K, audioSendSSRC: guest.ssrc, gateway: name, gatewayRun: run)
    change(&request)
    return try await call(V1.MediaMethods.admit, request, term: term)
  }

  func release(_ guest: Guest) async throws(Status) {
    _ = try await call(
      V1.MediaMethods.release,
      V1.ReleaseRequest(
        meetingID: Guest.meeting, sessionID: guest.session, gateway: name))
  }

  @discardableResult
  func set(
    _ change: V1.SetSendRightsRequest.Change, of guest: Guest
  ) async throws(Status) -> V1.SetSendRightsReply {
    try await call(
      V1.MediaMethods.setSendRights,
      V1.SetSendRightsRequest(
        meetingID: Guest.meeting, participantID: guest.id, change: change))
  }

  func sayAlive(
    run other: UInt64? = nil, echoing fence: UInt64 = 0, announcing announcement: UInt64 = 0
  ) async throws(Status) -> V1.GatewayAliveReply {
    try await call(
      V1.MediaMethods.gatewayAlive,
      V1.GatewayAliveRequest(
        gateway: name, gatewayRun: other ?? run, fence: fence, announcement: announcement))
  }

  func statistics() async throws(Status) -> V1.MediaStatistics {
    try await call(
      V1.MediaMethods.getStatistics, V1.GetMediaStatisticsRequest(meetingID: Guest.meeting))
  }

  /// Returns the media statistics of one participant; `nil` if media has no statistics of the
  /// participant.
  func statistics(of guest: Guest) async throws(Status) -> V1.ParticipantMedia? {
    try await statistics().participants.first { $0.attendee?.attendeeID == guest.id }
  }

  // MARK: Transcription

  static let stream = [UInt8](repeating: 9, count: 16)

  func hearTalkers(
    _ stream: [UInt8] = stream, credit: UInt32, chunkMs: UInt32 = 20, maxWaitingMs: UInt32 = 0
  ) {
    hear(
      V1.StreamTalkersRequest(
        meetingID: Guest.meeting, streamID: stream, credit: credit, chunkMs: chunkMs,
        maxWaitingMs: maxWaitingMs))
  }

  func hear(_ request: V1.StreamTalkersRequest) {
    streams[request.streamID] = channel?.openRaw(
      V1.MediaMethods.streamTalkers, request, CallOptions(timeout: .seconds(60)),
      onItem: { [pieces] item, raw in
        for (chunk, frame) in zip(item.chunks, raw) {
          pieces.append(Piece(chunk: chunk, bytes: frame.bytes))
        }
      }, onEnd: { [ends] in ends.append($0?.code ?? .ok) })
  }

  func stopHearing(_ stream: [UInt8] = stream) {
    if let handle = streams.removeValue(forKey: stream) { channel?.cancel(handle) }
  }

  func grant(_ credit: UInt32, to stream: [UInt8] = stream) async throws(Status) {
    _ = try await call(
      V1.MediaMethods.grantTalkerCredit,
      V1.GrantTalkerCreditRequest(meetingID: Guest.meeting, streamID: stream, credit: credit))
  }
}

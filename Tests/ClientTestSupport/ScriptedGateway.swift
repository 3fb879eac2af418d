import Bus
public import MeetingModel
import TestSupport
public import Trials
public import Wire
public import ZeroMQ

/// A gateway on real sockets. A test scripts the gateway's answers. The gateway records every
/// request.
///
/// Clients connect through a relay that a test can cut. Use the gateway only on its socket thread.
public final class ScriptedGateway {
  /// A data message that a client sent.
  public struct Sent: Sendable {
    public let request: V1.SendDataMessageRequest
    public let key: String
    public let sessionID: [UInt8]

    public var text: String { String(decoding: request.data, as: UTF8.self) }
  }

  public enum Answer {
    case accept
    case throttle(afterMs: UInt32)
    case fail(Status)
    /// The gateway does not answer until ``acceptWaiting()`` or the end of the connection.
    case keepWaiting
  }

  public let starts = AwaitableEntryList<V1.StartRequest>()
  public let sent = AwaitableEntryList<Sent>()
  public let stops = AwaitableEntryList<Int>()

  /// Returns the answer to a Start. The arguments are the request and the number of earlier Starts.
  public var onStart: (V1.StartRequest, Int) -> V1.SessionStarted = { request, count in
    .opened(count, resuming: !request.sessionID.isEmpty)
  }

  /// Returns the error of a Start; `nil` accepts the Start. The arguments are the request and the
  /// number of earlier Starts.
  public var refusesStart: (V1.StartRequest, Int) -> Status? = { _, _ in nil }

  /// Returns the answer to a message. The arguments are the message and the number of earlier
  /// messages.
  public var onSend: (Sent, Int) -> Answer = { _, _ in .accept }

  /// The requests to turn noise suppression on or off.
  public let voiceFocus = AwaitableEntryList<Bool>()

  /// Returns the error for a request to change noise suppression; `nil` accepts the request. The
  /// arguments are the requested value and the number of earlier requests.
  public var refusesVoiceFocus: (Bool, Int) -> Status? = { _, _ in nil }

  /// The requests to mute or unmute.
  public let mutes = AwaitableEntryList<Bool>()

  public let video = ScriptedVideo()
  /// The requests to set languages.
  public let languages = AwaitableEntryList<V1.SetTranscriptLanguagesRequest>()
  /// The requests for promotion.
  public let promotions = AwaitableEntryList<V1.PromoteToPrimaryMeetingRequest>()

  /// The ids of the sessions that requested demotion.
  public let demotions = AwaitableEntryList<[UInt8]>()

  /// Returns the answer to a promotion; `nil` for no answer until the loss of the connection.
  public var onPromote:
    (V1.PromoteToPrimaryMeetingRequest) ->
      Result<V1.PromoteToPrimaryMeetingReply, Status>? = { .success(.promoted(as: $0.attendeeID)) }
  public let relay: ByteRelay
  private let server: RequestServer
  private let endpoint: Endpoint
  private var sessions: [[UInt8]: SessionOutbox] = [:]
  private var waiting: [Call<V1.SendDataMessageReply>] = []
  private var unansweredPromotions: [Call<V1.PromoteToPrimaryMeetingReply>] = []
  private var lastSequence: UInt64 = 0

  public init(in directory: String, on thread: SocketThread) throws {
    endpoint = try .ipc("\(directory)/relay")
    server = try RequestServer(ofClientsAt: [.ipc("\(directory)/gateway")], on: thread)
    relay = try ByteRelay(at: "\(directory)/relay", to: "\(directory)/gateway")
    server.on(V1.AudioVideoFacadeMethods.start) { [unowned self] in start($0, $1) }
    server.on(V1.AudioVideoFacadeMethods.sendDataMessage) { [unowned self] in send($0, $1) }
    video.serve(on: server)
    server.on(V1.AudioVideoFacadeMethods.setVoiceFocus) { [unowned self] request, call in
      if let status = refusesVoiceFocus(request.isEnabled, voiceFocus.entries.count) {
        call.fail(status)
      } else {
        call.reply(.init(isEnabled: request.isEnabled))
      }
      voiceFocus.append(request.isEnabled)
    }
    server.on(V1.AudioVideoFacadeMethods.setMuted) { [unowned self] request, call in
      call.reply(.init(isMuted: request.isMuted))
      mutes.append(request.isMuted)
    }
    server.on(V1.AudioVideoFacadeMethods.setTranscriptLanguages) { [unowned self] request, call in
      call.reply(.init(isOffered: true))
      languages.append(request)
    }
    server.on(V1.AudioVideoFacadeMethods.promoteToPrimaryMeeting) {
      [unowned self] in promote($0, $1)
    }
    server.on(V1.AudioVideoFacadeMethods.demoteFromPrimaryMeeting) { [unowned self] _, call in
      call.reply(.init(wasPromoted: true))
      demotions.append(call.header.sessionID)
    }
    server.on(V1.AudioVideoFacadeMethods.keepAlive) { _, call in call.reply(.init()) }
    server.on(V1.AudioVideoFacadeMethods.stop) { [unowned self] _, call in
      stops.append(sent.entries.count)
      sessions.removeValue(forKey: call.header.sessionID)?.end(nil)
      call.reply(.init())
    }
  }

  public var url: String { endpoint.description }

  public func close() {
    relay.close()
    server.close()
  }

  // MARK: Sending

  /// Sends one event to every session.
  public func say(_ event: V1.SessionEvent.Event, positions: [V1.StreamPosition] = []) {
    say(V1.SessionEvents(events: [.init(event: event)], positions: positions))
  }

  /// Sends an item to every session except the session with this id.
  public func say(_ events: V1.SessionEvents, exceptTo sessionID: [UInt8] = []) {
    for (id, session) in sessions where id != sessionID {
      session.queue(PackedSessionEvents(events))
      _ = session.flush()
    }
  }

  /// Ends the stream of every session.
  public func end(_ status: Status) {
    for session in sessions.values { session.end(V1.Status(status)) }
    sessions = [:]
  }

  /// Accepts every message that has no answer yet.
  public func acceptWaiting() {
    for call in waiting { accept(call) }
    waiting = []
  }

  // MARK: Requests

  private func start(_ request: V1.StartRequest, _ stream: ServerStream<V1.SessionEvents>) {
    if let status = refusesStart(request, starts.entries.count) {
      starts.append(request)
      return stream.end(status)
    }
    let started = onStart(request, starts.entries.count)
    // The client has just sent the request, so the client is still connected.
    guard let session = SessionOutbox(to: stream.route, of: server, budget: .max) else { return }
    stream.detach()
    sessions[started.sessionID] = session
    session.queue(PackedSessionEvents(.init(events: [.init(event: .sessionStarted(started))])))
    _ = session.flush()
    starts.append(request)
  }

  private func send(
    _ request: V1.SendDataMessageRequest, _ call: Call<V1.SendDataMessageReply>
  ) {
    let message = Sent(
      request: request, key: call.header.idempotencyKey, sessionID: call.header.sessionID)
    switch onSend(message, sent.entries.count) {
    case .accept: accept(call)
    case .throttle(let wait):
      call.reply(.init(outcome: .throttled(.init(retryAfterMs: wait))))
    case .fail(let status): call.fail(status)
    case .keepWaiting: waiting.append(call)
    }
    sent.append(message)
  }

  private func promote(
    _ request: V1.PromoteToPrimaryMeetingRequest, _ call: Call<V1.PromoteToPrimaryMeetingReply>
  ) {
    switch onPromote(request) {
    case .success(let reply): call.reply(reply)
    case .failure(let status): call.fail(status)
    case nil: unansweredPromotions.append(call)
    }
    promotions.append(request)
  }

  private func accept(_ call: Call<V1.SendDataMessageReply>) {
    lastSequence += 1
    call.reply(
      .init(
        outcome: .accepted(
          .init(
            epoch: 1, sequence: lastSequence, timestampMs: 1000 + lastSequence,
            messageID: "m\(lastSequence)"))))
  }
}

/// Runs `body` on the thread of a scripted gateway, and closes the gateway afterwards.
public func withScriptedGateway(
  _ body: @escaping @Sendable (ScriptedGateway) async throws -> Void
) async throws {
  try await withSocketThread("gateway") { directory, _, thread in
    let gateway = try ScriptedGateway(in: directory, on: thread)
    defer { gateway.close() }
    try await body(gateway)
  }
}

extension V1.SessionStarted {
  /// Returns the event that a gateway sends when it opens or resumes a session.
  ///
  /// - Parameter number: A number that distinguishes sessions.
  public static func opened(
    _ number: Int, resuming isResumed: Bool = false, lost streams: [String] = []
  ) -> V1.SessionStarted {
    V1.SessionStarted(
      sessionID: [UInt8(number)] + [UInt8](repeating: 7, count: 15), isResumed: isResumed,
      isRecovered: false, keepAliveMs: 1000, serverTimeMs: 5_000_000, incompleteStreams: streams)
  }
}

extension V1.SessionEvents {
  /// Returns messages as a gateway forwards them, with the position after the last message.
  public static func messages(
    _ sequences: ClosedRange<UInt64>, epoch: UInt64 = 1, topic: String = "chat"
  ) -> V1.SessionEvents {
    V1.SessionEvents(
      events: sequences.map { sequence in
        V1.SessionEvent(
          event: .dataMessage(
            V1.DataMessage(
              sequence: sequence, topic: topic, data: Array("\(epoch)/\(sequence)".utf8),
              sender: .init(attendeeID: "bob", externalUserID: "Bob"),
              timestampMs: 1000 + sequence, lifetimeMs: 60_000, messageID: "m\(sequence)",
              recipients: ["ada"])))
      },
      positions: [
        V1.StreamPosition(stream: "messages", epoch: epoch, sequence: sequences.upperBound)
      ])
  }
}

extension V1.PromoteToPrimaryMeetingReply {
  /// Returns a gateway's answer to a promotion.
  ///
  /// - Parameter camera: The status of the camera; `ok` if the meeting has room for the camera's
  ///   video.
  public static func promoted(
    as attendeeID: String, camera: V1.SessionStatusCode = .ok
  ) -> V1.PromoteToPrimaryMeetingReply {
    V1.PromoteToPrimaryMeetingReply(
      attendee: .init(attendeeID: attendeeID, externalUserID: "user " + attendeeID),
      camera: .init(status: camera, isAvailable: camera == .ok))
  }
}

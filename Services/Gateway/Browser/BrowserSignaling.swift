import MeetingModel
import Wire

/// A value type for the exchange between a browser and its gateway.
///
/// The inputs are frames and answers. The outputs are frames and commands. The value has no access
/// to sessions, connections or clocks.
struct BrowserSignaling {
  /// The client's progress.
  enum Phase: Hashable {
    /// The client is connected and has not sent JOIN. This phase may last for minutes.
    case waiting
    case joining
    case joined
    /// The client has left, or its session has ended. The gateway now answers only LEAVE and pings.
    case leaving
  }

  /// A step for the gateway to carry out.
  enum Command: Hashable {
    case send(Signaling.SdkSignalFrame)
    case join(BrowserJoin)
    case setMuted(Bool)

    /// Applies the mute state that a SUBSCRIBE repeats.
    case repeatMuted(Bool)
    case sendMessage(V1.SendDataMessageRequest)
    /// Negotiates media for one SUBSCRIBE. The next negotiation waits until this negotiation has
    /// ended.
    case negotiate(BrowserSubscription)
    case changePictures(VideoSubscriptionChange)
    /// The user pauses or resumes the pictures of these streams.
    case setPaused(Bool, [UInt32])
    case promote(V1.PromoteToPrimaryMeetingRequest)
    case demote
    case leave
    /// The client has resumed reading, so the gateway may send the levels that the gateway skipped
    /// while the client was slow.
    case isAlive
    case close(CloseCode)
  }

  private(set) var phase = Phase.waiting
  private(set) var commands: [Command] = []

  /// Whether a SUBSCRIBE has arrived.
  private(set) var hasSubscribed = false

  /// Whether the gateway has answered a SUBSCRIBE. The gateway sends the roster after this answer.
  private(set) var hasAnswered = false

  /// Subscriptions that the gateway has not answered. The gateway negotiates the first of these
  /// subscriptions with `media`.
  private var subscriptions: [BrowserSubscription] = []

  /// The maximum number of unanswered subscriptions of one client.
  private static let mostSubscriptions = 4

  /// The timestamp of new frames, in milliseconds since 1970-01-01T00:00:00Z.
  private var now: UInt64 = 0

  /// Removes and returns the commands that were added since the last call.
  mutating func takeCommands() -> [Command] {
    defer { commands.removeAll(keepingCapacity: true) }
    return commands
  }

  // MARK: From the client

  /// Processes a frame from the client.
  mutating func take(_ frame: Signaling.SdkSignalFrame, at nowMs: UInt64) {
    now = nowMs
    switch frame.type {
    case .pingPong: takePing(frame.pingPong)
    case .join: takeJoin(frame.join)
    case .leave: takeLeave()
    case .subscribe: takeSubscribe(frame.sub)
    case .audioControl:
      guard phase == .joined, let isMuted = frame.audioControl?.muted else { return }
      commands.append(.setMuted(isMuted))
    case .dataMessage: takeMessages(frame.dataMessage)
    case .primaryMeetingJoin: takePromotion(frame.primaryMeetingJoin?.credentials)
    case .primaryMeetingLeave:
      if phase == .joined { commands.append(.demote) }
    case .remoteVideoUpdate:
      guard phase == .joined, let update = frame.remoteVideoUpdate else { return }
      commands.append(.changePictures(VideoSubscriptionChange(update)))
    case .pause: takePause(true, frame.pause)
    case .resume: takePause(false, frame.pause)
    default: break  // The gateway ignores measurements and frames of unknown kinds.
    }
  }

  /// Closes the connection after a message that is not a valid frame.
  mutating func takeGarbage() { commands.append(.close(.badFrame)) }

  private mutating func takePing(_ ping: Signaling.SdkPingPongFrame?) {
    guard let ping, ping.type == .ping else { return }
    send(.pingPong) { $0.pingPong = .init(type: .pong, pingID: ping.pingID) }
    if phase == .joined { commands.append(.isAlive) }
  }

  private mutating func takeJoin(_ join: Signaling.SdkJoinFrame?) {
    guard phase == .waiting, let join, let wish = BrowserJoin(join) else { return takeGarbage() }
    phase = .joining
    commands.append(.join(wish))
  }

  private mutating func takeLeave() {
    send(.leaveAck) { $0.leaveAck = .init() }
    if phase == .joining || phase == .joined { commands.append(.leave) }
    phase = .leaving
  }

  private mutating func takeSubscribe(_ subscribe: Signaling.SdkSubscribeFrame?) {
    guard phase != .leaving else { return }
    guard phase == .joined, let subscribe, subscriptions.count < Self.mostSubscriptions else {
      return takeGarbage()
    }
    hasSubscribed = true
    if let isMuted = subscribe.audioMuted { commands.append(.repeatMuted(isMuted)) }
    subscriptions.append(BrowserSubscription(subscribe))
    if subscriptions.count == 1 { negotiate() }
  }

  private mutating func negotiate() {
    guard let first = subscriptions.first else { return }
    commands.append(.negotiate(first))
  }

  private mutating func takePause(_ isPaused: Bool, _ pause: Signaling.SdkPauseResumeFrame?) {
    guard phase == .joined, let pause, !pause.streamIDs.isEmpty else { return }
    commands.append(.setPaused(isPaused, Array(pause.streamIDs.prefix(VideoSectionRequest.most))))
  }

  private mutating func takeMessages(_ frame: Signaling.SdkDataMessageFrame?) {
    guard phase != .leaving, let frame else { return }
    for message in frame.messages {
      let request = V1.SendDataMessageRequest(
        topic: message.topic ?? "", data: message.data ?? [],
        lifetimeMs: Int32(clamping: message.lifetimeMs ?? 0))
      guard phase == .joined else {
        throttle(request)
        continue
      }
      commands.append(.sendMessage(request))
    }
  }

  private mutating func takePromotion(_ credentials: Signaling.SdkMeetingSessionCredentials?) {
    guard phase == .joined else { return }
    commands.append(
      .promote(
        V1.PromoteToPrimaryMeetingRequest(
          attendeeID: credentials?.attendeeID ?? "",
          externalUserID: credentials?.externalUserID ?? "",
          joinToken: credentials?.joinToken ?? "")))
  }

  // MARK: Answers

  /// Records that the session has begun.
  mutating func hasJoined() {
    if phase == .joining { phase = .joined }
  }

  /// Answers the oldest unanswered SUBSCRIBE with the answer or the error of `media`.
  mutating func negotiated(_ answer: Result<SubscribeAnswer, Status>, at nowMs: UInt64) {
    now = nowMs
    guard !subscriptions.isEmpty else { return }
    subscriptions.removeFirst()
    send(.subscribeAck) { frame in
      switch answer {
      case .success(let answer):
        frame.suback = answer.frame
        frame.error = answer.refusal.map { .init(status: 206, description: $0.message) }
      case .failure(let status):
        let isTheirs = status.code == .invalidArgument
        frame.error = .init(status: isTheirs ? 400 : 503, description: status.message)
      }
    }
    hasAnswered = true
    negotiate()
  }

  /// Reports to the client that a service refused a data message. The gateway does not report an
  /// accepted data message.
  mutating func sent(
    _ request: V1.SendDataMessageRequest, _ result: Result<V1.SendDataMessageReply, Status>,
    at nowMs: UInt64
  ) {
    now = nowMs
    switch result {
    case .success(let reply):
      if case .throttled? = reply.outcome { throttle(request) }
    case .failure(let status) where status.isTransient || status.code == .resourceExhausted:
      throttle(request)
    case .failure(let status):
      notify(.error, status.message)
    }
  }

  private mutating func throttle(_ request: V1.SendDataMessageRequest) {
    send(.dataMessage) { frame in
      frame.dataMessage = .init(messages: [
        .init(topic: request.topic, data: request.data, ingestTimeNs: 0)
      ])
    }
  }

  /// Acknowledges a promotion, or refuses it.
  mutating func promoted(_ refusal: Status?, at nowMs: UInt64) {
    now = nowMs
    send(.primaryMeetingJoinAck) { frame in
      frame.primaryMeetingJoinAck = .init()
      frame.error = refusal.map { .init(status: $0.promotionError, description: $0.message) }
    }
  }

  /// Sends a text that the client writes to its log.
  mutating func notify(
    _ level: Signaling.SdkNotificationFrame.NotificationLevel, _ text: String
  ) {
    send(.notification) { $0.notification = .init(level: level, message: text) }
  }

  /// Ends the exchange after the session has ended, or after the gateway has refused the session.
  ///
  /// - Parameter isJoined: Whether the client has received its first INDEX.
  mutating func end(_ status: Status?, isJoined: Bool, at nowMs: UInt64) {
    now = nowMs
    let hasLeft = phase == .leaving
    phase = .leaving
    subscriptions = []
    guard !(hasLeft && status == nil) else { return }  // The client itself closes the connection.
    switch BrowserSessionEnd(status, isJoined: isJoined) {
    case .status(let number):
      send(.audioStatus) { $0.audioStatus = .init(audioStatus: number) }
    case .refusal(let number):
      send(.joinAck) { frame in
        frame.joinack = .init()
        frame.error = .init(status: number, description: status?.message)
      }
    case .close(let code):
      commands.append(.close(code))
    }
  }

  private mutating func send(
    _ kind: Signaling.SdkSignalFrame.Kind, _ fill: (inout Signaling.SdkSignalFrame) -> Void
  ) {
    var frame = Signaling.SdkSignalFrame(timestampMs: now, type: kind)
    fill(&frame)
    commands.append(.send(frame))
  }
}

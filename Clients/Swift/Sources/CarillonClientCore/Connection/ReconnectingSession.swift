internal import Bus
internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// One session from its start to its end, over any number of connections.
///
/// The actor runs on its socket thread. The actor treats a connection as lost when three
/// keep-alives have no answer, when the connection drops, or when the gateway ends the connection.
/// The actor then resumes the session on a new connection. The actor gives up at the reconnect
/// timeout, even during an attempt.
///
/// The actor's callbacks retain the actor until the session ends. At the end, ``clear()`` and the
/// close of the ``GatewayConnection`` release the actor.
actor ReconnectingSession {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  private enum Phase {
    case idle
    /// The client is opening the session for the first time.
    case opening
    case open
    /// The client has lost the connection, and tries to resume the session.
    case resuming
    case ended
  }

  nonisolated let thread: SocketThread
  private let context: ZMQContext
  private let request: SessionStartParameters
  nonisolated let delegate: any SessionConnectionDelegate
  private let media: (any MediaEngine)?
  private nonisolated let mute: LocalMuteState
  private nonisolated let voiceFocus: VoiceFocusSwitch
  private nonisolated let languages: TranscriptLanguages
  private nonisolated let outbox = MessageOutbox()
  private nonisolated let wishes = RequestedVideoBox()
  private nonisolated let urlRewriter: URLRewriter
  private nonisolated let logger: SessionLogger

  private var phase = Phase.idle
  private var link: GatewayConnection?
  private var linkNumber = 0
  private var gateways = GatewaySelector()
  private var sessionID: [UInt8] = []
  private var positions: [String: V1.StreamPosition] = [:]
  private var roster = ClientRosterState()
  private var messages = MessageCursor()
  private let sender: MessageSender
  private let video: SessionVideo
  private let promotion: ClientPromotionCalls
  private let requestedMute: SettingReporter<Bool>
  private let voiceFocusSetting: SettingReporter<Bool>
  private let languageSetting: SettingReporter<TranscriptLanguages.Choice>

  /// The components that use the connection, in the order in which they begin on a new connection.
  private let parts: [any SessionComponent]
  private var transcripts = SessionTranscripts()
  private var serverClock: ServerClock?
  private var backoff = Backoff()
  private let retry: ThreadTimer
  private var deadline: ConnectionDeadline
  private let giveUpAlarm: ThreadTimer
  private let missingAlarm: ThreadTimer
  private var dropTime = Duration.seconds(5)
  private var attempt: Task<Void, Never>?
  private var isLeaving = false
  private var isPoor = false
  private var isMediaLost = false
  private var audioSSRC: UInt32 = 0
  private var hasReportedLeave = false
  private var ending: [CheckedContinuation<Void, Never>] = []

  /// How long a stop waits for the answers to data messages before the client sends the stop to the
  /// gateway.
  private static let sendingTime = Duration.seconds(1)

  /// How long a stop waits for the gateway's answer.
  private static let leavingTime = Duration.seconds(2)

  init(
    _ request: SessionStartParameters, delegate: any SessionConnectionDelegate,
    mute: LocalMuteState,
    voiceFocus: VoiceFocusSwitch, languages: TranscriptLanguages,
    media: (any MediaEngine)? = nil, urlRewriter: @escaping URLRewriter, runtime: ClientRuntime,
    logger: SessionLogger
  ) {
    self.request = request
    deadline = ConnectionDeadline(reconnectTimeoutMs: request.reconnectTimeoutMs)
    self.delegate = delegate
    self.mute = mute
    self.voiceFocus = voiceFocus
    self.languages = languages
    self.logger = logger
    self.media = media
    self.urlRewriter = urlRewriter
    thread = runtime.thread
    retry = ThreadTimer(on: thread)
    giveUpAlarm = ThreadTimer(on: thread)
    missingAlarm = ThreadTimer(on: thread)
    context = runtime.context
    sender = MessageSender(of: outbox, on: runtime.thread, logger: logger)
    requestedMute = SettingReporter(of: mute)
    voiceFocusSetting = SettingReporter(of: voiceFocus)
    languageSetting = SettingReporter(of: languages)
    video = SessionVideo(
      of: request.attendeeId, telling: delegate, media, wishes, on: runtime.thread, logger: logger)
    promotion = ClientPromotionCalls(telling: delegate)
    parts = [video, promotion, voiceFocusSetting, languageSetting, requestedMute, sender]
  }

  // MARK: From the facade, on any thread

  /// Starts the session after the previous session has ended.
  nonisolated func begin(after previous: ReconnectingSession?) {
    Task(executorPreference: thread) {
      await previous?.ended()
      await self.open()
    }
  }

  nonisolated func leave() {
    Task(executorPreference: thread) { await self.stop() }
  }

  /// Sends the changed setting to the gateway: the mute, noise suppression or the languages.
  nonisolated func wishesDidChange() {
    Task(executorPreference: thread) { await self.sendSettings() }
  }

  nonisolated func send(_ message: OutgoingMessage) {
    switch outbox.add(message) {
    case .queued(let isFirst):
      if isFirst { announceMessages() }
    case .full(let isFirst):
      message.then?(.failure(.queueFull))
      if isFirst { announceMessages() }
    case .closed:
      logger.error("A data message was dropped: the session has ended.")
      message.then?(.failure(.notSent))
    }
  }

  private nonisolated func announceMessages() {
    Task(executorPreference: thread) { await self.sendMessages() }
  }

  nonisolated func want(_ wish: VideoRequestChange) {
    wishes.change { $0.apply(wish) }
    Task(executorPreference: thread) { await self.tellVideo() }
  }

  nonisolated func promote(as credentials: MeetingSessionCredentials, _ number: Int) {
    Task(executorPreference: thread) { await self.askForPromotion(as: credentials, number) }
  }

  nonisolated func demote() {
    Task(executorPreference: thread) { await self.endPromotion() }
  }

  // MARK: Opening

  private func open() {
    guard !isLeaving else { return finishLeaving() }
    phase = .opening
    deadline.open(at: thread.now)
    awaitDeadline()
    listenToParts()
    media?.begin(telling: self, mediaSettings)
    media?.setMuted(mute.isSilenced)
    delegate.connectionDidChange(.connecting, status: .ok)
    delegate.signalingDidChange(.opening)
    delegate.videoDidChange(.connecting, status: .ok)
    connect()
  }

  private func connect() {
    attempt = Task(executorPreference: thread) { await self.connectOnce() }
  }

  private func connectOnce() async {
    do {
      let endpoint = try await locate()
      guard !Task.isCancelled, !isLeaving, link == nil else { return }
      if let obstacle = SocketAccessFailure(to: endpoint) {
        logger.error("The gateway cannot be reached: \(obstacle.advice)")
      }
      try attach(GatewayConnection(to: endpoint, in: context, on: thread))
    } catch {
      logger.info("The gateway was not found: \(error)")
      tryAgain()
    }
  }

  /// Begins on a new connection.
  ///
  /// The callbacks of the connection carry the connection's number, so that the client ignores late
  /// events of an older connection.
  private func attach(_ link: GatewayConnection) {
    linkNumber += 1
    let number = linkNumber
    self.link = link
    link.onEvents = { [self] events in assumeIsolated { $0.take(events, from: number) } }
    link.onEnd = { [self] end in assumeIsolated { $0.linkEnded(end, number) } }
    link.start(startRequest())
    link.startAlarm.set(after: Self.attemptTime) { [self] in
      assumeIsolated { client in
        guard let link = client.link, !link.hasStarted else { return }
        client.linkEnded(.lost("no answer"), number)
      }
    }
  }

  /// How long one connection may take to open the session.
  private static let attemptTime = Duration.seconds(6)

  private func locate() async throws -> Endpoint {
    if let endpoint = gateways.next { return endpoint }
    let found = try await EndpointLocator.endpoint(for: request, urlRewriter: urlRewriter)
    gateways.begin(at: found)
    return found
  }

  private func startRequest() -> V1.StartRequest {
    let isReturn = !sessionID.isEmpty
    let languages = languages.choice
    mute.willReport(mute.isMuted)
    return V1.StartRequest(
      meetingID: request.meetingId, attendeeID: request.attendeeId, joinToken: request.joinToken,
      sessionID: sessionID, positions: isReturn ? sortedPositions : [], isMuted: mute.isMuted,
      clientName: "carillon-swift \(Versioning.sdkVersion())",
      video: isReturn ? video.declare() : nil, isVoiceFocusEnabled: voiceFocus.isEnabled,
      audioMode: V1.AudioMode(request.audioMode), audio: V1.MediaDirection(mediaSettings),
      transcriptLanguage: languages.view, spokenLanguage: languages.spoken,
      audioSendSSRC: audioSSRC)
  }

  private var sortedPositions: [V1.StreamPosition] {
    positions.values.sorted { $0.stream < $1.stream }
  }

  // MARK: The stream

  private func take(_ events: V1.SessionEvents, from number: Int) {
    guard number == linkNumber, let link else { return }
    guard !isLeaving || phase == .open else { return leave(onceStartedBy: events, link) }
    messages.beginItem(events.positions)
    for event in events.events {
      switch event.event {
      case .sessionStarted(let started):
        sessionDidStart(started, link)
      case .dataMessage(let message):
        if messages.receive(message) { delegate.dataMessageDidArrive(DataMessage(message)) }
      case .gatewaysChanged(let changed):
        take(gateways: changed.endpoints)
      case .eventsLost(let lost):
        if lost.stream == MessageCursor.stream { delegate.dataMessagesDidGetLost() }
      case .transcriptEvents(let batch):
        tell(transcripts.apply(batch))
      case .transcriptSnapshot(let snapshot):
        tell(transcripts.apply(snapshot))
      case .mediaMoved(let moved):
        mediaMoved(moved)
      case .mediaMetrics(let metrics):
        media?.take(ServerMeasuredMetrics(metrics))
      case .demotedFromPrimaryMeeting(let ended):
        promotion.take(ended)
      case let event where video.take(event):
        break
      default:
        let change = roster.apply(event)
        tell(change)
        if change.hasMissing { giveMissingTime() }
        learnMute(from: event)
        holdMute()
      }
    }
    for position in events.positions { positions[position.stream] = position }
    link.positions = sortedPositions
  }

  private func sessionDidStart(_ started: V1.SessionStarted, _ link: GatewayConnection) {
    let isReturn = !sessionID.isEmpty
    sessionID = started.sessionID
    serverClock = ServerClock(timeMs: started.serverTimeMs, at: thread.now)
    if let seconds = started.limits?.dropAfterSeconds, seconds > 0 { dropTime = .seconds(seconds) }
    backoff = Backoff()
    take(gateways: started.gateways)
    link.begin(started)
    phase = .open
    isMediaLost = false
    isConnected()
    delegate.signalingDidChange(.opened)
    delegate.connectionDidChange(.connected, status: quality)
    link.onKeepAlive = { [self] in
      assumeIsolated { client in for part in client.parts { part.keepAliveWasAnswered() } }
    }
    if isReturn { delegate.dataMessagesDidResume(isRecovered: started.hasAllMessages) }
    for part in parts { part.begin(started, on: link) }
  }

  private func listenToParts() {
    promotion.onChange = { [self] attendee in
      assumeIsolated { client in
        client.video.act(as: attendee?.attendeeId)
        client.holdMute()
      }
    }
    promotion.onCamera = { [self] camera in assumeIsolated { $0.video.take(camera) } }
    sender.onThrottled = { [self] message, throttled in
      assumeIsolated { $0.returnToSender(message, throttled) }
    }
    sender.onIdle = { [self] in assumeIsolated { $0.messagesAreSent() } }
  }

  /// Stores the gateways at which the session can resume.
  ///
  /// Skips an address for which the application's rewriter returns no valid endpoint.
  private func take(gateways endpoints: [String]) {
    gateways.take(endpoints.compactMap { try? Endpoint(urlRewriter($0)) })
  }

  /// Starts the timeout for attendees who are missing from the roster after the roster's owner has
  /// failed. The timeout is the server's drop timeout, as for any other attendee whose connection
  /// is lost.
  private func giveMissingTime() {
    missingAlarm.set(after: dropTime) { [self] in
      assumeIsolated { $0.tell($0.roster.confirmMissing()) }
    }
  }

  private func tell(_ change: ClientRosterState.Change) {
    if !change.presence.isEmpty { delegate.presenceDidChange(change.presence) }
    if change.hasAllLevels {
      if let volumes = change.volumes { delegate.volumesDidChange(volumes) }
      if let signals = change.signals { delegate.signalsDidChange(signals) }
    } else {
      if let volumes = change.volumes { delegate.someVolumesDidChange(volumes) }
      if let signals = change.signals { delegate.someSignalsDidChange(signals) }
    }
  }

  // MARK: Settings

  private func sendSettings() {
    requestedMute.tell()
    voiceFocusSetting.tell()
    languageSetting.tell()
  }

  private func tellVideo() { video.wishesDidChange() }

  /// Applies a host's mute of the attendee ``actorId``.
  private func learnMute(from event: V1.SessionEvent) {
    for isMuted in event.reportedMutes(of: actorId) where mute.learn(isMuted) {
      requestedMute.wasToldByGateway()
    }
  }

  /// Applies an operator's mute of the attendee ``actorId``.
  private func holdMute() {
    mute.hold(roster.isMutedByOperator[actorId] ?? false)
    media?.setMuted(mute.isSilenced)
  }

  // MARK: Promotion

  /// The client's attendee id in the meeting where other attendees see the client.
  private var actorId: String { promotion.promoted?.attendeeId ?? request.attendeeId }

  private func askForPromotion(as credentials: MeetingSessionCredentials, _ number: Int) {
    promotion.promote(as: credentials, number)
  }

  private func endPromotion() { promotion.demote() }

  // MARK: Data messages

  private func sendMessages() { sender.sendWaiting() }

  private func returnToSender(_ message: OutgoingMessage, _ throttled: V1.Throttled) {
    delegate.dataMessageDidArrive(
      DataMessage(
        throttled: message, from: promotion.promoted?.credentials ?? request.credentials,
        at: serverClock?.timeMs(at: thread.now) ?? 0,
        retryAfterMs: Int(throttled.retryAfterMs)))
  }

  // MARK: Media

  private var mediaSettings: SessionMediaSettings {
    SessionMediaSettings(of: request, isCarried: media != nil)
  }

  private func mediaMoved(_ moved: V1.MediaMoved) {
    guard var place = MediaEndpoint(moved) else {
      return logger.error("Media has moved to a place that is none.")
    }
    place.endpoint = urlRewriter(place.endpoint)
    audioSSRC = place.format.audioSent
    media?.move(to: place)
    // The call for Voice Focus fails until `media` has admitted the session, so this code now
    // repeats the call.
    voiceFocusSetting.tell()
  }

  private func tell(_ news: [TranscriptUpdate]) {
    for news in news { delegate.transcriptDidArrive(news) }
  }

  private var quality: MeetingSessionStatusCode { isPoor ? .networkBecomePoor : .ok }

  func mediaQualityDidChange(to isPoor: Bool) {
    self.isPoor = isPoor
    guard case .open = phase, !isMediaLost else { return }
    delegate.connectionDidChange(.connected, status: quality)
  }

  func mediaDidStop(_ isLost: Bool) {
    guard case .open = phase, !isLeaving else { return }
    isMediaLost = isLost
    if isLost {
      deadline.lose(at: thread.now)
      awaitDeadline()
      delegate.connectionDidChange(.reconnecting, status: .ok)
    } else {
      isConnected()
      delegate.connectionDidChange(.connected, status: quality)
    }
  }

  // MARK: Losing and ending

  private func linkEnded(_ end: GatewayConnection.EndReason, _ number: Int) {
    guard number == linkNumber, let link else { return }
    self.link = nil
    link.close()
    if case .ended = phase { return }  // The link was open only for the client's leave.
    for part in parts { part.connectionWasLost() }
    if isLeaving { return finishLeaving() }
    switch end {
    case .ended(let status) where !status.isWorthResuming:
      finish(SessionEnd(status))
    case .ended(let status):
      if status.reason == .draining { gateways.lose() }
      lose(.signalingClientClosed, pause: status.retryAfter)
    case .lost:
      gateways.lose()
      lose(.signalingClientDisconnected)
    }
  }

  /// - Parameter pause: The delay that the gateway requested before the next attempt.
  private func lose(_ cause: SignalingDroppedError, pause: Duration? = nil) {
    switch phase {
    case .open:
      phase = .resuming
      deadline.lose(at: thread.now)
      awaitDeadline()
      delegate.connectionDidChange(.reconnecting, status: .ok)
      delegate.signalingDidChange(.dropped(cause))
      delegate.signalingDidChange(.opening)
      delegate.videoDidChange(.connecting, status: .ok)
      connect()
    case .opening, .resuming:
      tryAgain(after: pause)
    case .idle, .ended:
      break
    }
  }

  private func tryAgain(after pause: Duration? = nil) {
    switch phase {
    case .opening, .resuming:
      retry.set(after: pause ?? backoff.delay()) { [self] in
        assumeIsolated { $0.connect() }
      }
    case .idle, .open, .ended:
      break
    }
  }

  // MARK: Giving up

  /// Sets the alarm that ends the session at the deadline, even if an attempt hangs.
  private func awaitDeadline() {
    guard let wait = deadline.wait(at: thread.now) else { return giveUpAlarm.cancel() }
    giveUpAlarm.set(after: wait) { [self] in assumeIsolated { $0.giveUp() } }
  }

  private func isConnected() {
    deadline.connect()
    awaitDeadline()
  }

  private func giveUp() {
    guard !isLeaving else { return }
    let isOpen = if case .open = phase { true } else { false }
    // If the client has lost only the connection to `media`, the client reports its leave, so that
    // the gateway need not wait for a timeout.
    if isOpen, let link {
      (link.onEvents, link.onKeepAlive) = (nil, nil)
      link.stop()
    } else {
      link?.close()
      link = nil
    }
    finish(.givenUp)
    guard link != nil else { return }
    let number = linkNumber
    retry.set(after: Self.leavingTime) { [self] in
      assumeIsolated { $0.linkEnded(.lost("no answer to the leave"), number) }
    }
  }

  private func finish(_ end: SessionEnd) {
    phase = .ended
    mute.close()
    voiceFocus.close()
    sender.close()  // The unsent messages precede the report of the session's end.
    delegate.connectionDidChange(end.state, status: end.status)
    clear()
  }

  // MARK: Leaving

  private func stop() {
    guard !isLeaving else { return }
    isLeaving = true
    guard let link, phase == .open || link.hasAsked else {
      self.link?.close()
      self.link = nil
      return finishLeaving()
    }
    guard phase == .open else { return limitLeave(on: link) }
    delegate.connectionDidChange(.disconnecting, status: .ok)
    guard !sender.isIdle else { return tellLeave(on: link) }
    retry.set(after: Self.sendingTime) { [self] in
      assumeIsolated { $0.messagesAreSent() }
    }
  }

  /// Reports the leave after the server has answered the earlier messages, or after
  /// ``sendingTime``.
  private func messagesAreSent() {
    guard isLeaving, !hasReportedLeave, let link else { return }
    tellLeave(on: link)
  }

  /// Reports the leave of a session that the application stopped while the `Start` was in flight.
  ///
  /// The `Start` opens the session in any case. Without a leave, `presence` would later report the
  /// attendee as dropped. The client reports the leave only now, because the report needs the
  /// session's id.
  private func leave(onceStartedBy events: V1.SessionEvents, _ link: GatewayConnection) {
    for case .sessionStarted(let started) in events.events.map(\.event) where !hasReportedLeave {
      link.begin(started)
      tellLeave(on: link)
    }
  }

  private func tellLeave(on link: GatewayConnection) {
    hasReportedLeave = true
    link.stop()
    limitLeave(on: link)
  }

  private func limitLeave(on link: GatewayConnection) {
    let number = linkNumber
    retry.set(after: Self.leavingTime) { [self] in
      assumeIsolated { $0.linkEnded(.lost("no answer to the leave"), number) }
    }
  }

  private func finishLeaving() {
    sender.close()  // Returned messages precede the report of the session's end.
    let wasEnded = if case .ended = phase { true } else { false }
    phase = .ended
    if !wasEnded { delegate.connectionDidChange(.disconnectedNormally, status: .ok) }
    delegate.connectionDidStop()
    clear()
  }

  private func clear() {
    for alarm in [retry, missingAlarm, giveUpAlarm] { alarm.cancel() }
    attempt?.cancel()
    attempt = nil
    for part in parts { part.close() }
    media?.end()
    roster = ClientRosterState()
    positions = [:]
    for waiter in ending { waiter.resume() }
    ending = []
  }

  /// Returns after the session has ended.
  private func ended() async {
    // This check is inside the closure, because this method may suspend before the closure, and the
    // session may end in the meantime.
    await withCheckedContinuation { continuation in
      if case .ended = phase { continuation.resume() } else { ending.append(continuation) }
    }
  }
}

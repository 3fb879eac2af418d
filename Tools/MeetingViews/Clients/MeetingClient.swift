package import CarillonClientCore

/// A session of the client library, seen as a stream of events.
package final class MeetingClient: Sendable {
  private let session: any CarillonMeetingSession
  private let observer: MeetingObserver

  /// A session that is not started yet.
  ///
  /// - Parameters:
  ///   - topics: Data messages on these are among the events.
  ///   - onLevel: Called on main with each volume and signal strength that is a new one.
  ///   - onEvent: Called on main with all that is heard beside them, in order.
  package convenience init(
    _ configuration: MeetingSessionConfiguration, topics: [String] = [],
    logLevel: LogLevel = .OFF,
    onLevel: @escaping @Sendable (LevelChange) -> Void = { _ in },
    onEvent: @escaping @Sendable (ClientEvent) -> Void
  ) {
    let user = configuration.credentials.externalUserId
    self.init(
      MeetingSessionWithoutMedia(
        configuration: configuration, logger: ConsoleLogger(name: user, level: logLevel)),
      topics: topics, onLevel: onLevel, onEvent: onEvent)
  }

  /// A session of the caller's making that is not started yet.
  package init(
    _ session: any CarillonMeetingSession, topics: [String] = [],
    onLevel: @escaping @Sendable (LevelChange) -> Void = { _ in },
    onEvent: @escaping @Sendable (ClientEvent) -> Void
  ) {
    self.session = session
    observer = MeetingObserver(onEvent: onEvent, onLevel: onLevel)
    session.audioVideo.addAudioVideoObserver(observer: observer)
    session.audioVideo.addRealtimeObserver(observer: observer)
    for topic in topics {
      session.audioVideo.addRealtimeDataMessageObserver(topic: topic, observer: observer)
    }
    if !topics.isEmpty {
      session.dataMessageLog.addDataMessageLogObserver(observer: observer)
    }
  }

  /// Lets what is said come among the events, from the start on.
  ///
  /// - Throws: `TranscriptLanguageError`.
  package func readTranscripts(_ wish: TranscriptViewOptions) throws {
    try session.transcriptLanguages.setTranscriptLanguages(view: wish.language, spoken: nil)
    session.audioVideo.addRealtimeTranscriptEventObserver(observer: observer)
  }

  /// Begins to connect; without a choice of devices it opens none.
  package func start(
    _ configuration: AudioVideoConfiguration = AudioVideoConfiguration(
      audioDeviceCapabilities: .none)
  ) throws {
    try session.audioVideo.start(audioVideoConfiguration: configuration)
  }

  /// Leaves; the end follows as an event.
  package func stop() { session.audioVideo.stop() }

  /// - Returns: Whether the change was accepted.
  package func setMuted(_ isMuted: Bool) -> Bool {
    isMuted
      ? session.audioVideo.realtimeLocalMute() : session.audioVideo.realtimeLocalUnmute()
  }

  /// Asks to act as an attendee of the primary meeting; what becomes of it comes as events.
  package func promote(as credentials: MeetingSessionCredentials) {
    let attendee = AttendeeName(
      attendeeID: credentials.attendeeId, externalUserID: credentials.externalUserId)
    session.audioVideo.promoteToPrimaryMeeting(
      credentials: credentials, observer: PromotionWatcher(of: attendee, onEvent: observer.onEvent))
  }

  /// Goes back to watching; the end of the promotion comes as an event.
  package func demote() { session.audioVideo.demoteFromPrimaryMeeting() }

  /// Sends a data message, however long the connection is lost meanwhile.
  ///
  /// - Returns: Its place in the meeting's log, once it is there.
  /// - Throws: `SendDataMessageError`, `DataMessageFailure`.
  package func send(
    _ data: Any, on topic: String, lifetimeMs: Int32 = 0, to recipients: [String] = []
  ) async throws -> DataMessageReceipt {
    try await session.dataMessageLog.realtimeSendDataMessage(
      topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: recipients)
  }

  /// Hands a data message over to be sent; messages leave in the order of the calls.
  ///
  /// - Parameter completion: Called once, on main, unless the call throws.
  package func send(
    _ data: Any, on topic: String, lifetimeMs: Int32 = 0,
    completion: @escaping @Sendable (Result<DataMessageReceipt, DataMessageFailure>) -> Void
  ) throws {
    try session.dataMessageLog.realtimeSendDataMessage(
      topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: [], completion: completion)
  }
}

extension MeetingSessionConfiguration {
  /// A configuration of one endpoint, without the answers of the control API.
  package convenience init(
    meetingID: String, attendee: AttendeeName, joinToken: String, gateway: String
  ) {
    self.init(
      meetingId: meetingID,
      credentials: MeetingSessionCredentials(
        attendeeId: attendee.attendeeID, externalUserId: attendee.externalUserID,
        joinToken: joinToken),
      // Only the gateway is asked; the library refuses blank audio URLs.
      urls: MeetingSessionURLs(
        audioFallbackUrl: gateway, audioHostUrl: gateway, turnControlUrl: "",
        signalingUrl: gateway, urlRewriter: URLRewriterUtils.defaultUrlRewriter,
        ingestionUrl: nil, gatewayUrl: gateway),
      urlRewriter: URLRewriterUtils.defaultUrlRewriter)
  }
}

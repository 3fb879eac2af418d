package import CarillonClientCore

/// A session of the client library as a stream of events.
package final class MeetingEventClient: Sendable {
  private let session: any CarillonMeetingSession
  private let observer: SessionEventAdapter

  /// Creates a session without starting it.
  ///
  /// - Parameters:
  ///   - topics: The topics of the data messages to include in the events.
  ///   - onLevel: Called on the main thread when a volume or signal strength changes.
  ///   - onEvent: Called on the main thread with all other events, in order.
  package convenience init(
    _ configuration: MeetingSessionConfiguration, topics: [String] = [],
    logLevel: LogLevel = .OFF,
    onLevel: @escaping @Sendable (AttendeeLevelChange) -> Void = { _ in },
    onEvent: @escaping @Sendable (ObservedEvent) -> Void
  ) {
    let user = configuration.credentials.externalUserId
    self.init(
      MeetingSessionWithoutMedia(
        configuration: configuration, logger: ConsoleLogger(name: user, level: logLevel)),
      topics: topics, onLevel: onLevel, onEvent: onEvent)
  }

  /// Wraps a session that the caller has made and not started.
  package init(
    _ session: any CarillonMeetingSession, topics: [String] = [],
    onLevel: @escaping @Sendable (AttendeeLevelChange) -> Void = { _ in },
    onEvent: @escaping @Sendable (ObservedEvent) -> Void
  ) {
    self.session = session
    observer = SessionEventAdapter(onEvent: onEvent, onLevel: onLevel)
    session.audioVideo.addAudioVideoObserver(observer: observer)
    session.audioVideo.addRealtimeObserver(observer: observer)
    for topic in topics {
      session.audioVideo.addRealtimeDataMessageObserver(topic: topic, observer: observer)
    }
    if !topics.isEmpty {
      session.dataMessageLog.addDataMessageLogObserver(observer: observer)
    }
  }

  /// Adds transcript lines to the events. Call this method before the start.
  ///
  /// - Throws: `TranscriptLanguageError`.
  package func readTranscripts(_ wish: TranscriptViewOptions) throws {
    try session.transcriptLanguages.setTranscriptLanguages(view: wish.language, spoken: nil)
    session.audioVideo.addRealtimeTranscriptEventObserver(observer: observer)
  }

  /// Starts to connect; the default configuration opens no devices.
  package func start(
    _ configuration: AudioVideoConfiguration = AudioVideoConfiguration(
      audioDeviceCapabilities: .none)
  ) throws {
    try session.audioVideo.start(audioVideoConfiguration: configuration)
  }

  /// Leaves the meeting. An event reports the end of the session.
  package func stop() { session.audioVideo.stop() }

  /// Mutes or unmutes the local attendee.
  ///
  /// - Returns: Whether the session accepted the change.
  package func setMuted(_ isMuted: Bool) -> Bool {
    isMuted
      ? session.audioVideo.realtimeLocalMute() : session.audioVideo.realtimeLocalUnmute()
  }

  /// Requests a promotion to an attendee of the primary meeting. An event reports the result.
  package func promote(as credentials: MeetingSessionCredentials) {
    let attendee = AttendeeName(
      attendeeID: credentials.attendeeId, externalUserID: credentials.externalUserId)
    session.audioVideo.promoteToPrimaryMeeting(
      credentials: credentials, observer: PromotionObserver(of: attendee, onEvent: observer.onEvent)
    )
  }

  /// Ends the promotion. An event reports the end.
  package func demote() { session.audioVideo.demoteFromPrimaryMeeting() }

  /// Sends a data message, and waits while the client has no connection.
  ///
  /// - Returns: The message's position in the meeting's log, after the server has acknowledged the
  ///   message.
  /// - Throws: `SendDataMessageError`, `DataMessageFailure`.
  package func send(
    _ data: Any, on topic: String, lifetimeMs: Int32 = 0, to recipients: [String] = []
  ) async throws -> DataMessageReceipt {
    try await session.dataMessageLog.realtimeSendDataMessage(
      topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: recipients)
  }

  /// Enqueues a data message. The client sends messages in the order of the calls.
  ///
  /// - Parameter completion: Called once, on the main thread, unless the call throws.
  package func send(
    _ data: Any, on topic: String, lifetimeMs: Int32 = 0,
    completion: @escaping @Sendable (Result<DataMessageReceipt, DataMessageFailure>) -> Void
  ) throws {
    try session.dataMessageLog.realtimeSendDataMessage(
      topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: [], completion: completion)
  }
}

extension MeetingSessionConfiguration {
  /// Creates a configuration from one endpoint. The configuration needs no responses of the control
  /// API.
  package convenience init(
    meetingID: String, attendee: AttendeeName, joinToken: String, gateway: String
  ) {
    self.init(
      meetingId: meetingID,
      credentials: MeetingSessionCredentials(
        attendeeId: attendee.attendeeID, externalUserId: attendee.externalUserID,
        joinToken: joinToken),
      // This client connects only to the gateway. The audio URLs are set because the library
      // rejects blank audio URLs.
      urls: MeetingSessionURLs(
        audioFallbackUrl: gateway, audioHostUrl: gateway, turnControlUrl: "",
        signalingUrl: gateway, urlRewriter: URLRewriterUtils.defaultUrlRewriter,
        ingestionUrl: nil, gatewayUrl: gateway),
      urlRewriter: URLRewriterUtils.defaultUrlRewriter)
  }
}

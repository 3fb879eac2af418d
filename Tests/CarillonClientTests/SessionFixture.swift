import Foundation

@testable import CarillonClientCore

/// A session on a mock connection. The fixture records every callback.
struct SessionFixture {
  let connection = MockConnection()
  let contentConnection = MockConnection()
  let recorder = Recorder()
  let logger = RecordingLogger()
  let time = ManualTime()
  let session: SessionComponents

  var audioVideo: any AudioVideoFacade { session.audioVideo }

  /// - Parameter observesEvents: Whether the fixture also records analytics events.
  init(
    permissions: any PermissionProvider = FixedPermissionProvider(),
    audioHostUrl: String = "media.example:2020",
    audioFallbackUrl: String = "wss://media.example/calls/m",
    features: MeetingFeatures = MeetingFeatures(), reporter: (any EventReporter)? = nil,
    observesEvents: Bool = false,
    makeCamera: @escaping @Sendable () -> (any VideoCaptureSource)? = { nil },
    makeMedia: @escaping @Sendable () -> (any MediaEngine)? = { NotedMedia() }
  ) {
    let time = time
    let connections = MockConnections(connection, contentConnection)
    let configuration = MeetingSessionConfiguration(
      meetingId: "m", externalMeetingId: "tea time",
      credentials: MeetingSessionCredentials(
        attendeeId: "ada", externalUserId: "Ada L.", joinToken: "secret"),
      urls: MeetingSessionURLs(
        audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl,
        turnControlUrl: "https://turn.example", signalingUrl: "wss://signal.example/control/m",
        urlRewriter: URLRewriterUtils.defaultUrlRewriter, ingestionUrl: nil,
        gatewayUrl: "tcp://gateway.example:7400"),
      urlRewriter: URLRewriterUtils.defaultUrlRewriter, meetingFeatures: features)
    session = SessionComponents(
      configuration: configuration, log: SessionLogger(logger: logger), reporter: reporter,
      environment: SessionDependencies(
        wallClockMs: { 1_000_000 + time.nowMs }, uptimeMs: { time.nowMs },
        makeScheduler: { time.makeScheduler(intervalMs: $0, callback: $1) },
        permissions: permissions, makeCamera: { _ in makeCamera() },
        makeMedia: { _ in makeMedia() },
        makeConnection: { _, _, _ in connections.next() },
        appStateMonitor: DefaultAppStateMonitor(root: "/nowhere")))
    audioVideo.addAudioVideoObserver(observer: recorder)
    audioVideo.addRealtimeObserver(observer: recorder)
    if observesEvents { audioVideo.addEventAnalyticsObserver(observer: recorder) }
  }

  /// Returns the configuration of a session that connects to this endpoint.
  static func configuration(
    at url: String, as attendeeId: String = "ada",
    urlRewriter: @escaping URLRewriter = URLRewriterUtils.defaultUrlRewriter
  ) -> MeetingSessionConfiguration {
    MeetingSessionConfiguration(
      meetingId: "m",
      credentials: MeetingSessionCredentials(
        attendeeId: attendeeId, externalUserId: "user " + attendeeId, joinToken: "secret"),
      urls: MeetingSessionURLs(
        audioFallbackUrl: "ws://localhost/calls", audioHostUrl: "localhost:7401",
        turnControlUrl: "", signalingUrl: url, urlRewriter: URLRewriterUtils.defaultUrlRewriter,
        ingestionUrl: nil, gatewayUrl: url),
      urlRewriter: urlRewriter)
  }

  /// The delegate of the latest start.
  var delegate: any SessionConnectionDelegate {
    get throws {
      guard let delegate = connection.delegate else { throw MediaError.illegalState }
      return delegate
    }
  }

  /// Starts the session, and makes the mock connection report that it is connected.
  func connect() async throws {
    try audioVideo.start()
    try delegate.connectionDidChange(.connecting, status: .ok)
    try delegate.connectionDidChange(.connected, status: .ok)
    _ = await recorder.lines()
  }

  /// The names of the events in the history so far.
  var history: [String] {
    session.eventAnalyticsController.getMeetingHistory().map {
      $0.meetingHistoryEventName.description
    }
  }
}

extension AttendeePresenceReport {
  init(_ attendeeId: String, _ status: AttendeeStatus) {
    self.init(attendeeId: attendeeId, externalUserId: "user \(attendeeId)", status: status)
  }
}

extension VolumeReport {
  init(_ attendeeId: String, _ level: VolumeLevel) {
    self.init(attendeeId: attendeeId, externalUserId: "user \(attendeeId)", level: level)
  }
}

extension SignalReport {
  init(_ attendeeId: String, _ strength: SignalStrength) {
    self.init(attendeeId: attendeeId, externalUserId: "user \(attendeeId)", strength: strength)
  }
}

extension AttendeeInfo {
  convenience init(_ attendeeId: String) {
    self.init(attendeeId: attendeeId, externalUserId: "user \(attendeeId)")
  }
}

/// The components of a session over a Carillon gateway: the session's facade, controllers and
/// connection.
///
/// `DefaultMeetingSession` of `CarillonClient` and `MeetingSessionWithoutMedia` expose the
/// components. Creating the components has no effect on the network.
package final class SessionComponents: Sendable {
  package let configuration: MeetingSessionConfiguration
  package let audioVideo: any AudioVideoFacade
  package let eventAnalyticsController: any EventAnalyticsController
  package let dataMessageLog: any DataMessageLogFacade
  package let transcriptLanguages: any TranscriptLanguageFacade
  package let encodedVideo: any EncodedVideoFacade

  /// The receiver of the media engine's frames.
  let mediaTracks: any VideoFrameReceiver

  private let log: SessionLogger

  package var logger: any Logger { log.logger }

  /// - Parameters:
  ///   - eventReporterFactory: Creates the reporter of events; `nil` to report no events. If the
  ///     configuration names a server for events and there is no reporter, the session logs that it
  ///     sends no events.
  ///   - makeMedia: Creates the media engine of the session, and the media engine of its content
  ///     share; returns `nil` for a session without media. If this closure throws an error, the
  ///     session cannot start.
  package convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    eventReporterFactory: (any EventReporterFactory)?, permissionProvider: any PermissionProvider,
    makeMedia: @escaping @Sendable (SessionLogger) throws -> (any MediaEngine)?
  ) {
    let log = SessionLogger(logger: logger)
    if eventReporterFactory == nil, configuration.urls.ingestionUrl?.isEmpty == false {
      // Gateways accept events at this URL, but only a reporter would send the events.
      log.info("No events are sent: that takes a DefaultMeetingEventReporterFactory.")
    }
    var environment = SessionDependencies.live(permissions: permissionProvider)
    environment.makeMedia = makeMedia
    self.init(
      configuration: configuration, log: log, reporter: eventReporterFactory?.createEventReporter(),
      environment: environment)
  }

  init(
    configuration: MeetingSessionConfiguration, log: SessionLogger, reporter: (any EventReporter)?,
    environment: SessionDependencies
  ) {
    let statistics = MeetingStatisticsCollector(uptimeMs: environment.uptimeMs)
    let eventAnalytics = DefaultEventAnalyticsController(
      configuration: configuration, statistics: statistics, environment: environment,
      reporter: reporter)
    let identity = LocalAttendeeIdentity(configuration.credentials)
    let tiles = VideoTileTable(of: identity, statistics: statistics, log: log)
    let media = Result { try environment.makeMedia(log) }
    let contentMedia = Result { try environment.makeMedia(log) }
    let metrics = MetricsCollector(uptimeMs: environment.uptimeMs)
    let camera = environment.makeCamera(log)
    (camera as? DefaultCameraCaptureSource)?
      .setEventAnalyticsController(eventAnalyticsController: eventAnalytics)
    let connection = environment.makeConnection(log, media, configuration.urlRewriter)
    let contentShare = DefaultContentShareController(
      configuration: configuration, identity: identity,
      connection: environment.makeConnection(log, contentMedia, configuration.urlRewriter),
      media: (try? contentMedia.get()) ?? nil, hasMedia: contentMedia.isAnything,
      eventAnalytics: eventAnalytics, metrics: metrics, uptimeMs: environment.uptimeMs, log: log)
    let voices = SessionObservers(
      identity: identity, audioVideoObservers: ObserverRegistry(),
      realtimeObservers: ObserverRegistry(),
      dataMessageObservers: DataMessageObservers(), dataMessageLogObservers: ObserverRegistry(),
      transcriptObservers: ObserverRegistry(),
      tiles: tiles,
      localVideo: LocalVideo(
        frames: tiles, media: (try? media.get()) ?? nil, internalCamera: camera),
      activeSpeakerDetector: DefaultActiveSpeakerDetector(of: identity, environment: environment),
      eventAnalytics: eventAnalytics, statistics: statistics, metrics: metrics,
      contentShare: contentShare)
    let lifecycle = SessionLifecycle(
      configuration: configuration, connection: connection, environment: environment,
      voices: voices, log: log)
    let realtimeController = DefaultRealtimeController(
      lifecycle: lifecycle, voices: voices, log: log)
    self.configuration = configuration
    self.log = log
    eventAnalyticsController = eventAnalytics
    dataMessageLog = realtimeController
    transcriptLanguages = realtimeController
    encodedVideo = DefaultEncodedVideoController(
      media: (try? media.get()) ?? nil, hasMedia: media.isAnything, log: log)
    mediaTracks = tiles
    audioVideo = DefaultAudioVideoFacade(
      audioVideoController: DefaultAudioVideoController(
        configuration: configuration, log: log, lifecycle: lifecycle, voices: voices,
        environment: environment, hasMedia: media.isAnything),
      realtimeController: realtimeController,
      deviceController: DefaultDeviceController(
        routes: environment.audioRoutes, localVideo: voices.localVideo,
        eventAnalytics: eventAnalytics, log: log),
      videoTileController: DefaultVideoTileController(
        tiles: tiles, lifecycle: lifecycle, hasMedia: media.isAnything, log: log),
      activeSpeakerDetector: voices.activeSpeakerDetector,
      contentShareController: contentShare,
      eventAnalyticsController: eventAnalytics)
  }
}

extension Result where Success == (any MediaEngine)?, Failure == any Error {
  /// Whether the session has a media engine, or failed to create one.
  fileprivate var isAnything: Bool {
    switch self {
    case .success(let media): media != nil
    case .failure: true
    }
  }
}

public import Foundation

/// A session over a Carillon gateway.
///
/// Making one has no effect on the network; `audioVideo.start()` begins to connect. Sessions are
/// independent of each other, however many there are in a process.
public final class DefaultMeetingSession: NSObject, MeetingSession {
  public let configuration: MeetingSessionConfiguration
  public let audioVideo: any AudioVideoFacade
  public let eventAnalyticsController: any EventAnalyticsController

  /// Receipts, recipients and more for data messages. An addition of Carillon.
  public let dataMessageLog: any DataMessageLogFacade

  /// Which language transcripts come in, and which is spoken. An addition of Carillon.
  public let transcriptLanguages: any TranscriptLanguageFacade

  /// Where the media side brings frames.
  let mediaTracks: any MediaTracks

  private let log: SessionLog

  public var logger: any Logger { log.logger }

  /// A session that grants every permission and, in this version, reports no events.
  public convenience init(configuration: MeetingSessionConfiguration, logger: any Logger) {
    self.init(
      configuration: configuration, logger: logger, permissionProvider: FixedPermissionProvider())
  }

  /// A session that reports its events through the factory's reporter.
  public convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    eventReporterFactory: any EventReporterFactory
  ) {
    self.init(
      configuration: configuration, logger: logger, eventReporterFactory: eventReporterFactory,
      permissionProvider: FixedPermissionProvider())
  }

  /// A session that asks the provider for permissions. An addition of Carillon.
  public convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    permissionProvider: any PermissionProvider
  ) {
    if configuration.urls.ingestionUrl?.isEmpty == false {
      SessionLog(logger: logger).notAvailableYet("Sending events to ingestionUrl")
    }
    self.init(
      configuration: configuration, logger: logger,
      eventReporterFactory: NoopEventReporterFactory(), permissionProvider: permissionProvider)
  }

  /// The full form. An addition of Carillon.
  public convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    eventReporterFactory: any EventReporterFactory, permissionProvider: any PermissionProvider
  ) {
    let log = SessionLog(logger: logger)
    self.init(
      configuration: configuration, log: log, reporter: eventReporterFactory.createEventReporter(),
      environment: .live(permissions: permissionProvider))
  }

  /// A session with a media half. For `CarillonClientMedia`.
  package convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    permissionProvider: any PermissionProvider,
    makeMedia: @escaping @Sendable (SessionLog) -> (any MediaEngine)?
  ) {
    var environment = SessionEnvironment.live(permissions: permissionProvider)
    environment.makeMedia = makeMedia
    self.init(
      configuration: configuration, log: SessionLog(logger: logger),
      reporter: NoopEventReporterFactory().createEventReporter(), environment: environment)
  }

  init(
    configuration: MeetingSessionConfiguration, log: SessionLog, reporter: (any EventReporter)?,
    environment: SessionEnvironment
  ) {
    let statistics = MeetingStatisticsCollector(uptimeMs: environment.uptimeMs)
    let eventAnalytics = DefaultEventAnalyticsController(
      configuration: configuration, statistics: statistics, environment: environment,
      reporter: reporter)
    let identity = LocalIdentity(configuration.credentials)
    let tiles = VideoTileTable(of: identity, statistics: statistics, log: log)
    let (media, contentMedia) = (environment.makeMedia(log), environment.makeMedia(log))
    let metrics = MetricsBoard(uptimeMs: environment.uptimeMs)
    let connection = environment.makeConnection(log, media)
    let contentShare = DefaultContentShareController(
      configuration: configuration, identity: identity,
      connection: environment.makeConnection(log, contentMedia), media: contentMedia,
      eventAnalytics: eventAnalytics, metrics: metrics, log: log)
    let voices = SessionVoices(
      identity: identity, audioVideoObservers: ObserverRegistry(),
      realtimeObservers: ObserverRegistry(),
      dataMessageObservers: DataMessageObservers(), dataMessageLogObservers: ObserverRegistry(),
      transcriptObservers: ObserverRegistry(),
      tiles: tiles, localVideo: LocalVideo(frames: tiles, media: media),
      activeSpeakerDetector: DefaultActiveSpeakerDetector(of: identity, environment: environment),
      eventAnalytics: eventAnalytics, statistics: statistics, metrics: metrics,
      contentShare: contentShare)
    let lifecycle = SessionLifecycle(
      configuration: configuration, connection: connection, environment: environment, voices: voices
    )
    let realtimeController = DefaultRealtimeController(
      lifecycle: lifecycle, voices: voices, log: log)
    self.configuration = configuration
    self.log = log
    eventAnalyticsController = eventAnalytics
    dataMessageLog = realtimeController
    transcriptLanguages = realtimeController
    mediaTracks = tiles
    audioVideo = DefaultAudioVideoFacade(
      audioVideoController: DefaultAudioVideoController(
        configuration: configuration, log: log, lifecycle: lifecycle, voices: voices,
        environment: environment),
      realtimeController: realtimeController,
      deviceController: DefaultDeviceController(
        routes: environment.audioRoutes, localVideo: voices.localVideo,
        eventAnalytics: eventAnalytics, log: log),
      videoTileController: DefaultVideoTileController(tiles: tiles, lifecycle: lifecycle),
      activeSpeakerDetector: voices.activeSpeakerDetector,
      contentShareController: contentShare,
      eventAnalyticsController: eventAnalytics)
  }
}

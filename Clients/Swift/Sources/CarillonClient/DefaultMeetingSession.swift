public import Foundation

/// A session over a Carillon gateway that is heard and hears, is seen and sees.
///
/// Making one has no effect on the network; `audioVideo.start()` begins to connect. Sessions are
/// independent of each other, however many there are in a process.
public final class DefaultMeetingSession: NSObject, CarillonMeetingSession {
  private let parts: SessionComponents

  public var configuration: MeetingSessionConfiguration { parts.configuration }
  public var logger: any Logger { parts.logger }
  public var audioVideo: any AudioVideoFacade { parts.audioVideo }
  public var eventAnalyticsController: any EventAnalyticsController {
    parts.eventAnalyticsController
  }
  public var dataMessageLog: any DataMessageLogFacade { parts.dataMessageLog }
  public var transcriptLanguages: any TranscriptLanguageFacade { parts.transcriptLanguages }

  /// A session that grants every permission and sends its events nowhere. It is silent and plays
  /// nothing, as no machine here has a sound card; pictures are those of its sources.
  public convenience init(configuration: MeetingSessionConfiguration, logger: any Logger) {
    self.init(configuration: configuration, logger: logger, audio: MediaAudio())
  }

  /// A session that reports its events through the factory's reporter.
  public convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    eventReporterFactory: any EventReporterFactory
  ) {
    self.init(
      configuration: configuration, logger: logger, audio: MediaAudio(),
      eventReporterFactory: eventReporterFactory)
  }

  /// The full form. An addition of Carillon.
  ///
  /// - Parameters:
  ///   - configuration: The meeting, the attendee and where the gateway is.
  ///   - logger: Where the session writes what happens.
  ///   - audio: What the session says, and where it hears.
  ///   - eventReporterFactory: Makes what the session reports its events to; `nil` for none.
  ///   - permissionProvider: Asked for permissions; every one is granted by default.
  public init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    audio: MediaAudio = MediaAudio(), eventReporterFactory: (any EventReporterFactory)? = nil,
    permissionProvider: any PermissionProvider = FixedPermissionProvider()
  ) {
    parts = SessionComponents(
      configuration: configuration, logger: logger, eventReporterFactory: eventReporterFactory,
      permissionProvider: permissionProvider, makeMedia: { try audio.makeEngine(log: $0) })
  }
}

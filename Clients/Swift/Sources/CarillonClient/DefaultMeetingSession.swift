public import Foundation

/// A session that sends and receives audio and video over a Carillon gateway.
///
/// Creating a session has no effect on the network; `audioVideo.start()` begins to connect. The
/// sessions of a process are independent of each other.
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
  public var encodedVideo: any EncodedVideoFacade { parts.encodedVideo }

  /// Creates a session that grants every permission and reports no events.
  ///
  /// The session sends silence and plays nothing, because the library does not use sound cards.
  public convenience init(configuration: MeetingSessionConfiguration, logger: any Logger) {
    self.init(configuration: configuration, logger: logger, audio: MediaAudio())
  }

  /// Creates a session that reports its events through the factory's reporter.
  public convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    eventReporterFactory: any EventReporterFactory
  ) {
    self.init(
      configuration: configuration, logger: logger, audio: MediaAudio(),
      eventReporterFactory: eventReporterFactory)
  }

  /// Creates a session with all its dependencies. Carillon adds this initializer to the interface
  /// of the meetings SDK for iOS.
  ///
  /// - Parameters:
  ///   - configuration: The meeting, the attendee and the service URLs.
  ///   - logger: The logger of the session.
  ///   - audio: The microphone and the loudspeaker of the session.
  ///   - eventReporterFactory: Creates the reporter of the session's events; `nil` to report no
  ///     events.
  ///   - permissionProvider: Decides about permissions. The default provider grants all
  ///     permissions.
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

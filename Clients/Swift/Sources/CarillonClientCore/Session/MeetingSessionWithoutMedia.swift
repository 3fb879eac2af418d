public import Foundation

/// A session over a Carillon gateway that takes part in everything but sound and pictures: for the
/// roster, messages, captions, and who shows what. It links no codec.
///
/// What would need media says so: `startLocalVideo()` throws `CarillonClientError.noMedia`, a
/// content share ends with `videoServiceFailed`, and calls that can do neither log an error: a
/// source is not sent, and no pictures and no metrics come. `DefaultMeetingSession` of
/// `CarillonClient` has media.
public final class MeetingSessionWithoutMedia: NSObject, CarillonMeetingSession {
  private let parts: SessionComponents

  public var configuration: MeetingSessionConfiguration { parts.configuration }
  public var logger: any Logger { parts.logger }
  public var audioVideo: any AudioVideoFacade { parts.audioVideo }
  public var eventAnalyticsController: any EventAnalyticsController {
    parts.eventAnalyticsController
  }
  public var dataMessageLog: any DataMessageLogFacade { parts.dataMessageLog }
  public var transcriptLanguages: any TranscriptLanguageFacade { parts.transcriptLanguages }

  /// Makes a session, without any effect on the network; `audioVideo.start()` begins to connect.
  ///
  /// - Parameters:
  ///   - eventReporterFactory: Makes what the session reports its events to; `nil` for none.
  ///   - permissionProvider: Asked for permissions; every one is granted by default.
  public convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger,
    eventReporterFactory: (any EventReporterFactory)? = nil,
    permissionProvider: any PermissionProvider = FixedPermissionProvider()
  ) {
    self.init(
      SessionComponents(
        configuration: configuration, logger: logger, eventReporterFactory: eventReporterFactory,
        permissionProvider: permissionProvider, makeMedia: { _ in nil }))
  }

  init(_ parts: SessionComponents) {
    self.parts = parts
  }
}

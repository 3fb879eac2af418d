public import Foundation

/// A session over a Carillon gateway without audio and video: it receives the roster, messages,
/// transcripts and the list of video sources.
///
/// It links no codec. Calls that need media fail: `startLocalVideo()` throws
/// `CarillonClientError.noMedia`, and a content share ends with `videoServiceFailed`. Calls that
/// cannot report a failure log an error: the session sends no source, and delivers no frames and no
/// metrics. `DefaultMeetingSession` of `CarillonClient` has media.
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

  /// Creates a session, without any effect on the network; `audioVideo.start()` begins to connect.
  ///
  /// - Parameters:
  ///   - eventReporterFactory: Creates the reporter of the session's events; `nil` for none.
  ///   - permissionProvider: Decides about permissions; by default it grants all.
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

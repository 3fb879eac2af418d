public import Foundation

/// A session without audio and video over a Carillon gateway. The session receives the roster,
/// messages, transcripts and the list of video sources.
///
/// This type links no codec. Calls that need media fail: `startLocalVideo()` throws
/// `CarillonClientError.noMedia`, and a content share ends with `videoServiceFailed`. Other calls
/// that need media log an error. The session sends no video of a source, and delivers no frames and
/// no metrics. `DefaultMeetingSession` of `CarillonClient` has media.
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
  public var encodedVideo: any EncodedVideoFacade { parts.encodedVideo }

  /// Creates a session. The creation has no effect on the network. `audioVideo.start()` begins to
  /// connect.
  ///
  /// - Parameters:
  ///   - eventReporterFactory: Creates the reporter of the session's events; `nil` to report no
  ///     events.
  ///   - permissionProvider: Decides about permissions. The default provider grants all
  ///     permissions.
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

import Foundation
import TestSupport
import Trials

@testable import CarillonClientCore

/// A session of the library over real sockets, with what it hears of data messages.
final class ConnectedClient: Sendable {
  /// What the observers heard, one line a callback: `started false`, `dropped`, `resumed true`,
  /// `stopped ok`, and of messages topic and text.
  let heard = Journal<String>()
  let messages = Journal<DataMessage>()
  let logger = RecordingLogger()

  /// What the observers of video, tiles and content heard.
  let seen = Journal<String>()
  let sources = Journal<MainBound<RemoteVideoSource>>()
  private let session: SessionComponents

  init(
    to url: String, as attendeeId: String = "ada", hearing topics: [String] = ["chat"],
    media: (any MediaEngine)? = NotedMedia(),
    urlRewriter: @escaping URLRewriter = URLRewriterUtils.defaultUrlRewriter
  ) {
    let configuration = SessionFixture.configuration(
      at: url, as: attendeeId, urlRewriter: urlRewriter)
    session = SessionComponents(
      configuration: configuration, logger: logger, eventReporterFactory: nil,
      permissionProvider: FixedPermissionProvider(), makeMedia: { _ in media })
    session.audioVideo.addAudioVideoObserver(observer: self)
    session.audioVideo.addVideoTileObserver(observer: self)
    session.audioVideo.addContentShareObserver(observer: self)
    session.dataMessageLog.addDataMessageLogObserver(observer: self)
    for topic in topics {
      session.audioVideo.addRealtimeDataMessageObserver(topic: topic, observer: self)
    }
  }

  var audioVideo: any AudioVideoFacade { session.audioVideo }

  var meetingSession: any CarillonMeetingSession { MeetingSessionWithoutMedia(session) }

  var languages: any TranscriptLanguageFacade { session.transcriptLanguages }

  var log: any DataMessageLogFacade { session.dataMessageLog }

  /// Where the media side brings frames.
  var tracks: any MediaTracks { session.mediaTracks }

  /// Starts, and waits until the session is open.
  ///
  /// - Parameter times: How often it has started then.
  func join(again times: Int = 1) async throws {
    try audioVideo.start()
    try await hears("started false", times: times)
  }

  func send(_ data: Any, on topic: String = "chat", lifetimeMs: Int32 = 0) throws {
    try audioVideo.realtimeSendDataMessage(topic: topic, data: data, lifetimeMs: lifetimeMs)
  }

  /// Waits until a line was heard that many times.
  func hears(_ line: String, times: Int = 1) async throws {
    try await heard.wait(for: line) { $0.count { $0 == line } >= times }
  }

  /// The messages heard, when there are that many.
  func texts(_ count: Int) async throws -> [String] {
    try await messages.wait(for: "\(count) messages") { $0.count >= count }.map {
      $0.text() ?? "?"
    }
  }
}

extension ConnectedClient: DataMessageObserver, DataMessageLogObserver, AudioVideoObserver {
  func dataMessageDidReceived(dataMessage: DataMessage) {
    messages.append(dataMessage)
    heard.append("\(dataMessage.topic) \(dataMessage.text() ?? "?")")
  }
  func dataMessagesDidResume(recovered: Bool) { heard.append("resumed \(recovered)") }
  func dataMessagesDidGetLost() { heard.append("lost") }
  func audioSessionDidStart(reconnecting: Bool) { heard.append("started \(reconnecting)") }
  func audioSessionDidDrop() { heard.append("dropped") }
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    heard.append("stopped \(sessionStatus.statusCode.description)")
  }
  func audioSessionDidStartConnecting(reconnecting: Bool) {}
  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
}

import Foundation
import TestSupport
import Trials

@testable import CarillonClientCore

/// A session of the library over real sockets. This class records data messages and callbacks.
final class ConnectedClient: Sendable {
  /// The callbacks of the observers, one line each: `started false`, `dropped`, `resumed true`,
  /// `stopped ok`. For a message, the line contains the message's topic and text.
  let heard = AwaitableEntryList<String>()
  let messages = AwaitableEntryList<DataMessage>()
  let logger = RecordingLogger()

  /// The callbacks about video, tiles and content, one line each.
  let seen = AwaitableEntryList<String>()
  let sources = AwaitableEntryList<MainQueueBox<RemoteVideoSource>>()
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

  /// The tracks through which the media engine delivers frames.
  var tracks: any VideoFrameReceiver { session.mediaTracks }

  /// Starts the session, and waits until the session is open.
  ///
  /// - Parameter times: The number of reported starts to wait for.
  func join(again times: Int = 1) async throws {
    try audioVideo.start()
    try await hears("started false", times: times)
  }

  func send(_ data: Any, on topic: String = "chat", lifetimeMs: Int32 = 0) throws {
    try audioVideo.realtimeSendDataMessage(topic: topic, data: data, lifetimeMs: lifetimeMs)
  }

  /// Waits until ``heard`` contains a line at least `times` times.
  func hears(_ line: String, times: Int = 1) async throws {
    try await heard.wait(for: line) { $0.count { $0 == line } >= times }
  }

  /// Waits until at least `count` messages have arrived, and returns the texts of all messages.
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

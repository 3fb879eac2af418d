import AdaptiveTrials
import CarillonClient
import Foundation
import MeetingModel
import Synchronization
import TestSupport
import Trials
import Wire

/// One attendee with a session of the client library that sends and receives data messages.
final class Talker: Sendable {
  static let topic = "history"

  let name: String

  /// The number of talkers that joined before this talker.
  let position: Int
  let heard = AwaitableEntryList<HeardMessage>()

  /// The texts of the talker's messages that the server returned as throttled.
  let returned = AwaitableEntryList<String>()
  private let session: MeetingSessionWithoutMedia
  private let hasLosses = Mutex(false)
  private let states = AwaitableEntryList<Bool>()

  init(
    _ attendee: V1.AttendeeRecord, position: Int, through gatewayURL: String, signalingURL: String
  ) {
    name = attendee.externalUserID
    self.position = position
    let configuration = MeetingSessionConfiguration(
      attendee, through: gatewayURL, signalingURL: signalingURL)
    session = MeetingSessionWithoutMedia(
      configuration: configuration, logger: ConsoleLogger(name: name, level: .OFF))
    session.audioVideo.addAudioVideoObserver(observer: self)
    session.audioVideo.addRealtimeDataMessageObserver(topic: Self.topic, observer: self)
    session.dataMessageLog.addDataMessageLogObserver(observer: self)
  }

  /// Starts the session, and waits until the session has started.
  func join() async throws {
    try session.audioVideo.start()
    try await states.wait(for: "\(name) to start") { $0.contains(true) }
  }

  func leave() { session.audioVideo.stop() }

  /// Sends a message and waits for its outcome, even while the session has no connection.
  func send(_ text: String, lifetimeMs: Int32) async -> SentMessage.Outcome {
    do {
      let receipt = try await session.dataMessageLog.realtimeSendDataMessage(
        topic: Self.topic, data: text, lifetimeMs: lifetimeMs, recipients: [])
      return .accepted(sequence: receipt.sequence, id: receipt.messageId)
    } catch DataMessageFailure.throttled {
      return .throttled
    } catch {
      return .unknown
    }
  }

  /// Sends a message without waiting for its outcome.
  func say(_ text: String) throws {
    try session.audioVideo.realtimeSendDataMessage(topic: Self.topic, data: text, lifetimeMs: 0)
  }

  /// Waits until the talker has received a text.
  func hears(_ text: String) async throws {
    try await heard.wait(for: "\(name) to hear \(text)", within: .seconds(30)) {
      $0.contains { $0.text == text }
    }
  }

  var history: MessageHistory {
    MessageHistory(
      name: name, position: position, heard: heard.entries,
      isComplete: !hasLosses.withLock { $0 })
  }
}

extension Talker: DataMessageObserver {
  func dataMessageDidReceived(dataMessage: DataMessage) {
    guard !dataMessage.throttled else { return returned.append(dataMessage.text() ?? "") }
    let now = Int64(WallClock.nowMs)
    heard.append(
      HeardMessage(
        sequence: dataMessage.sequence, id: dataMessage.messageId, text: dataMessage.text() ?? "",
        sender: dataMessage.senderExternalUserId, lifetimeMs: dataMessage.lifetimeMs,
        ageMs: now - dataMessage.timestampMs))
  }
}

extension Talker: DataMessageLogObserver {
  func dataMessagesDidResume(recovered: Bool) {
    if !recovered { hasLosses.withLock { $0 = true } }
  }
}

extension Talker: AudioVideoObserver {
  func audioSessionDidStart(reconnecting: Bool) { states.append(true) }
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) { states.append(false) }
  func audioSessionDidStartConnecting(reconnecting: Bool) {}
  func audioSessionDidDrop() {}
  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
  func videoSessionDidStartConnecting() {}
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {}
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {}
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {}
  func cameraSendAvailabilityDidChange(available: Bool) {}
}

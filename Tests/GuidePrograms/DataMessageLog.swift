import CarillonClient
import Foundation

/// Carillon's additions to section 10 of the guide `api_overview.md`: receipts, recipients,
/// positions in the log, and a report on whether a lost connection caused a loss of messages.
class DataMessageLog: NSObject, DataMessageObserver, DataMessageLogObserver {
  let meetingSession: CarillonMeetingSession
  let logger: Logger
  var lastSequence: UInt64 = 0
  var isComplete = true

  init(meetingSession: CarillonMeetingSession) {
    self.meetingSession = meetingSession
    self.logger = meetingSession.logger
    super.init()
    meetingSession.audioVideo.addRealtimeDataMessageObserver(topic: "orders", observer: self)
    meetingSession.dataMessageLog.addDataMessageLogObserver(observer: self)
  }

  func order(_ text: String, from attendees: [AttendeeInfo]) throws {
    try meetingSession.dataMessageLog.realtimeSendDataMessage(
      topic: "orders", data: text, lifetimeMs: 0, recipients: attendees.map { $0.attendeeId }
    ) { result in
      switch result {
      case .success(let receipt):
        self.logger.info(msg: "Stored as \(receipt.messageId), number \(receipt.sequence)")
      case .failure(.throttled(let retryAfterMs)):
        self.logger.info(msg: "Once more in \(retryAfterMs) ms")
      case .failure(let failure):
        self.logger.error(msg: failure.description)
      }
    }
  }

  func orderAndWait(_ text: String) async throws -> UInt64 {
    let receipt = try await meetingSession.dataMessageLog.realtimeSendDataMessage(
      topic: "orders", data: text, lifetimeMs: 300_000, recipients: [])
    return receipt.sequence
  }

  func dataMessageDidReceived(dataMessage: DataMessage) {
    guard !dataMessage.throttled else { return }
    lastSequence = dataMessage.sequence
    let audience = dataMessage.recipients.isEmpty ? "everybody" : "some"
    logger.info(msg: "\(dataMessage.messageId) for \(audience), kept \(dataMessage.lifetimeMs) ms")
  }

  func dataMessagesDidResume(recovered: Bool) {
    isComplete = isComplete && recovered
  }

  func dataMessagesDidGetLost() {
    isComplete = false
  }
}

import CarillonClient
import Foundation

/// The code of section 10 of the guide `api_overview.md`: text, bytes and JSON on three topics.
///
/// In a replica meeting, the same program receives messages of the primary's attendees. The program
/// can send messages while its attendee is promoted.
class DataMessages: NSObject, DataMessageObserver {
  let meetingSession: MeetingSession
  let logger: Logger
  var chat: [String] = []
  var strokes: [Data] = []
  var polls: [[String: Any]] = []
  var unsent: [DataMessage] = []

  static let topics = ["chat", "whiteboard", "poll"]

  init(meetingSession: MeetingSession) {
    self.meetingSession = meetingSession
    self.logger = meetingSession.logger
    super.init()
  }

  /// Adds the observers before the start, so that no message is missed.
  func startMeeting() throws {
    for topic in DataMessages.topics {
      meetingSession.audioVideo.addRealtimeDataMessageObserver(topic: topic, observer: self)
    }
    try meetingSession.audioVideo.start()
  }

  func endMeeting() {
    for topic in DataMessages.topics {
      meetingSession.audioVideo.removeRealtimeDataMessageObserverFromTopic(topic: topic)
    }
    meetingSession.audioVideo.stop()
  }

  func say(_ text: String) {
    do {
      // Attendees who join within five minutes receive the message too.
      try meetingSession.audioVideo.realtimeSendDataMessage(
        topic: "chat", data: text, lifetimeMs: 300_000)
    } catch SendDataMessageError.invalidDataLength {
      logger.error(msg: "The text is longer than 2 KB")
    } catch let error as SendDataMessageError {
      logger.error(msg: "Not sent: \(error.description)")
    } catch {
      logger.error(msg: error.localizedDescription)
    }
  }

  func draw(_ points: [UInt8]) throws {
    try meetingSession.audioVideo.realtimeSendDataMessage(
      topic: "whiteboard", data: points, lifetimeMs: 0)
  }

  func ask(_ question: String, answers: [String]) throws {
    let poll: [String: Any] = ["question": question, "answers": answers]
    try meetingSession.audioVideo.realtimeSendDataMessage(
      topic: "poll", data: poll, lifetimeMs: 60_000)
  }

  /// Sends a message without a lifetime. Only the class `DefaultAudioVideoFacade` allows this call;
  /// the protocol `AudioVideoFacade` requires a lifetime.
  func ping(_ audioVideo: DefaultAudioVideoFacade) throws {
    try audioVideo.realtimeSendDataMessage(topic: "whiteboard", data: Data([0]))
  }

  func dataMessageDidReceived(dataMessage: DataMessage) {
    guard !dataMessage.throttled else {
      unsent.append(dataMessage)
      return
    }
    switch dataMessage.topic {
    case "chat":
      guard let text = dataMessage.text() else { return }
      let seconds = TimeInterval(dataMessage.timestampMs) / 1000
      let sender = dataMessage.senderExternalUserId
      chat.append("\(Date(timeIntervalSince1970: seconds)) \(sender): \(text)")
    case "whiteboard":
      guard dataMessage.senderAttendeeId != meetingSession.configuration.credentials.attendeeId
      else { return }
      strokes.append(dataMessage.data)
    case "poll":
      if let poll = dataMessage.fromJSON() as? [String: Any] { polls.append(poll) }
    default:
      break
    }
  }
}

internal import MeetingModel

/// A data message on its way to the server, checked.
struct OutgoingMessage: Sendable {
  typealias Outcome = Result<DataMessageReceipt, DataMessageFailure>

  let topic: String
  let data: [UInt8]
  let lifetimeMs: Int32

  /// Attendee ids; empty for everybody.
  let recipients: [String]

  /// What is called once, on any thread, when it is known what became of the message.
  let then: (@Sendable (Outcome) -> Void)?

  /// Most attendees that one message may be addressed to.
  static let mostRecipients = 250

  /// Checks lifetime, topic, type and length, in this order, and then the recipients.
  ///
  /// - Throws: `SendDataMessageError`, `DataMessageFailure.invalidRecipients`, and what
  ///   `JSONSerialization` throws.
  init(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String] = [],
    then: (@Sendable (Outcome) -> Void)? = nil
  ) throws {
    guard lifetimeMs >= 0 else { throw SendDataMessageError.negativeLifetimeParameter }
    guard DataMessageTopic.isValid(topic) else { throw SendDataMessageError.invalidTopic }
    self.data = try DataMessagePayload.bytes(of: data)
    guard recipients.count <= Self.mostRecipients,
      recipients.allSatisfy({ (try? AttendeeID($0)) != nil })
    else { throw DataMessageFailure.invalidRecipients }
    self.topic = topic
    self.lifetimeMs = lifetimeMs
    self.recipients = recipients
    self.then = then
  }

  /// What it counts for where messages wait.
  var size: Int {
    data.count + topic.utf8.count + recipients.reduce(0) { $0 + $1.utf8.count }
  }
}

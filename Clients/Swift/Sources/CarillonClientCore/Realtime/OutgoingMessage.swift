internal import MeetingModel

/// A checked data message to send to the server.
struct OutgoingMessage: Sendable {
  typealias Outcome = Result<DataMessageReceipt, DataMessageFailure>

  let topic: String
  let data: [UInt8]
  let lifetimeMs: Int32

  /// The attendee ids of the recipients; empty for all attendees.
  let recipients: [String]

  /// Receives the outcome of the message once, on any thread.
  let then: (@Sendable (Outcome) -> Void)?

  /// The maximum number of recipients of one message.
  static let mostRecipients = 250

  /// Creates a message after a check of lifetime, topic, type, length and recipients, in this
  /// order.
  ///
  /// - Throws: `SendDataMessageError`, `DataMessageFailure.invalidRecipients`, and the errors of
  ///   `JSONSerialization`.
  init(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String] = [],
    then: (@Sendable (Outcome) -> Void)? = nil
  ) throws {
    guard lifetimeMs >= 0 else { throw SendDataMessageError.negativeLifetimeParameter }
    guard DataMessageTopicRule.isValid(topic) else { throw SendDataMessageError.invalidTopic }
    self.data = try DataMessagePayloadEncoder.bytes(of: data)
    guard recipients.count <= Self.mostRecipients,
      recipients.allSatisfy({ (try? AttendeeID($0)) != nil })
    else { throw DataMessageFailure.invalidRecipients }
    self.topic = topic
    self.lifetimeMs = lifetimeMs
    self.recipients = recipients
    self.then = then
  }

  /// The number of bytes that the message occupies in a queue.
  var size: Int {
    data.count + topic.utf8.count + recipients.reduce(0) { $0 + $1.utf8.count }
  }
}

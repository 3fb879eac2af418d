/// Carillon's additions to data messages, available as `CarillonMeetingSession.dataMessageLog`.
///
/// The additions change nothing for a program that does not use these additions.
public protocol DataMessageLogFacade: AnyObject, Sendable {
  /// Sends a message as `realtimeSendDataMessage(topic:data:lifetimeMs:)` does, and reports the
  /// outcome.
  ///
  /// - Parameters:
  ///   - recipients: The attendee ids of the recipients, at most 250; empty for all attendees.
  ///   - completion: Receives the outcome once, on the main thread, unless the call throws. A lost
  ///     connection delays the outcome.
  /// - Throws: `SendDataMessageError` or `DataMessageFailure.invalidRecipients`, checked in this
  ///   order. While the session is not started, the call throws nothing.
  func realtimeSendDataMessage(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String],
    completion: @escaping (Result<DataMessageReceipt, DataMessageFailure>) -> Void) throws

  /// Sends a message, and returns when the message is on the server's disk.
  ///
  /// The session sends the messages of one caller in the order of the calls, even if the caller
  /// does not wait for each receipt. Cancelling the task does not cancel the message.
  ///
  /// - Throws: `SendDataMessageError`, `DataMessageFailure`.
  func realtimeSendDataMessage(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String]
  ) async throws -> DataMessageReceipt

  /// Adds an observer, in any state. The observer remains registered after `stop()`.
  func addDataMessageLogObserver(observer: any DataMessageLogObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeDataMessageLogObserver(observer: any DataMessageLogObserver)
}

/// An observer of gaps in the meeting's data messages.
///
/// Carillon adds this protocol to the interface of the meetings SDK for iOS. The library makes all
/// calls on the main thread.
public protocol DataMessageLogObserver: AnyObject {
  /// The session has restored a lost connection. This call precedes the messages that the session
  /// missed in the meantime.
  ///
  /// - Parameter recovered: Whether all missed messages follow. If `false`, this attendee does not
  ///   get some messages, because the server does not know which messages the session missed, or no
  ///   longer keeps these messages.
  func dataMessagesDidResume(recovered: Bool)

  /// This attendee does not get some data messages. The session has only now detected the loss.
  ///
  /// This call may follow `dataMessagesDidResume(recovered: true)`. The next message is the first
  /// message after the lost messages.
  func dataMessagesDidGetLost()
}

extension DataMessageLogObserver {
  public func dataMessagesDidGetLost() {}
}

/// The position of a sent data message in the meeting's log. Carillon adds this type to the
/// interface of the meetings SDK for iOS.
///
/// The message is on disk, and each present recipient receives the message once.
public struct DataMessageReceipt: Hashable, Sendable {
  /// The message's position in the meeting's log. Positions start at 1.
  public let sequence: UInt64

  /// The message's id, as receivers see it.
  public let messageId: String

  /// The time at which the server accepted the message, in milliseconds since 1970.
  public let timestampMs: Int64

  /// Creates a receipt, for tests of applications.
  public init(sequence: UInt64, messageId: String, timestampMs: Int64) {
    self.sequence = sequence
    self.messageId = messageId
    self.timestampMs = timestampMs
  }
}

/// The reasons why a data message has no receipt. Carillon adds this type to the interface of the
/// meetings SDK for iOS.
public enum DataMessageFailure: Error, Hashable, Sendable {
  /// The session is not started.
  case notStarted
  /// There are more than 250 recipients, or a recipient is not an attendee id.
  case invalidRecipients
  /// The queue is full. The observers of the message's topic also receive this message.
  case queueFull
  /// The meeting has reached its limit of messages. The server did not accept the message. The
  /// application can send the message again after `retryAfterMs`.
  case throttled(retryAfterMs: Int)
  /// The server rejected the message. The text is the server's reason.
  case refused(String)
  /// The session ended before it sent the message.
  case notSent
  /// The session sent the message, but no answer arrived in time. The session does not know whether
  /// the server delivered the message.
  case unconfirmed
}

extension DataMessageFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notStarted: "The session is not started."
    case .invalidRecipients: "A message may have up to 250 recipients, all of them attendee ids."
    case .queueFull: "Too many data messages wait to be sent."
    case .throttled(let waitMs): "Too many data messages; send it again in \(waitMs) ms."
    case .refused(let why): why
    case .notSent: "The session ended before the data message could be sent."
    case .unconfirmed: "No answer came: the data message may have been delivered or not."
    }
  }
}

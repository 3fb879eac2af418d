/// What Carillon adds to data messages. `CarillonMeetingSession.dataMessageLog` has it; nothing
/// changes for a program that does not use it.
public protocol DataMessageLogFacade: AnyObject, Sendable {
  /// Sends a message as `realtimeSendDataMessage(topic:data:lifetimeMs:)` does, and tells what
  /// became of it.
  ///
  /// - Parameters:
  ///   - recipients: Ids of the attendees who get it, at most 250; nobody else does. Empty:
  ///     everybody.
  ///   - completion: Called once on main, however long the connection is lost meanwhile, unless the
  ///     call throws.
  /// - Throws: `SendDataMessageError`, then `DataMessageFailure.invalidRecipients`. Nothing while
  ///   the session is not started.
  func realtimeSendDataMessage(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String],
    completion: @escaping (Result<DataMessageReceipt, DataMessageFailure>) -> Void) throws

  /// Sends a message, and returns when it is on the server's disk.
  ///
  /// Messages of one caller that do not wait for each other are sent in the order of the calls.
  /// Cancelling the task does not take the message back.
  ///
  /// - Throws: `SendDataMessageError`, `DataMessageFailure`.
  func realtimeSendDataMessage(
    topic: String, data: Any, lifetimeMs: Int32, recipients: [String]
  ) async throws -> DataMessageReceipt

  /// Adds an observer in any state; it survives `stop()`.
  func addDataMessageLogObserver(observer: any DataMessageLogObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeDataMessageLogObserver(observer: any DataMessageLogObserver)
}

/// Hears how a session came back to the meeting's data messages. An addition of Carillon. All calls
/// come on main.
public protocol DataMessageLogObserver: AnyObject {
  /// A lost connection is back. Comes before the messages that were missed meanwhile.
  ///
  /// - Parameter recovered: Whether all of them follow. If not, some are lost for this attendee:
  ///   the server could not tell which, or keeps them no more.
  func dataMessagesDidResume(recovered: Bool)

  /// Data messages are lost for this attendee, which became known only now: also after
  /// `dataMessagesDidResume(recovered: true)`. What arrives next goes on behind them.
  func dataMessagesDidGetLost()
}

extension DataMessageLogObserver {
  public func dataMessagesDidGetLost() {}
}

/// Where a sent data message is in the meeting's log. An addition of Carillon.
///
/// The message is on disk, and reaches every attendee who is present once.
public struct DataMessageReceipt: Hashable, Sendable {
  /// Its place among the messages of the meeting, from 1.
  public let sequence: UInt64

  /// Its id as receivers see it.
  public let messageId: String

  /// When the server accepted it, in milliseconds since 1970.
  public let timestampMs: Int64

  /// Makes a receipt, for tests of applications.
  public init(sequence: UInt64, messageId: String, timestampMs: Int64) {
    self.sequence = sequence
    self.messageId = messageId
    self.timestampMs = timestampMs
  }
}

/// Why a data message has no receipt. An addition of Carillon.
public enum DataMessageFailure: Error, Hashable, Sendable {
  /// The session is not started.
  case notStarted
  /// There are more than 250 recipients, or one of them is no attendee id.
  case invalidRecipients
  /// Too many messages wait to be sent; this one also comes back to the observers of its topic.
  case queueFull
  /// The meeting's limit is used up; the message was not delivered. It may be sent again.
  case throttled(retryAfterMs: Int)
  /// The server does not take it; its words say why.
  case refused(String)
  /// The session ended before it could be sent.
  case notSent
  /// It was sent, and no answer came in time: it may have been delivered or not.
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

/// What Carillon adds to data messages. `DefaultMeetingSession.dataMessageLog` has it; nothing
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

  func removeDataMessageLogObserver(observer: any DataMessageLogObserver)
}

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

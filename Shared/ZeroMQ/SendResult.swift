/// The outcome of passing a message to a socket.
public enum SendResult: Hashable, Sendable {
  /// libzmq has accepted the whole message.
  case sent
  /// The socket sent nothing, because no peer is connected or every queue is at its high-water
  /// mark.
  ///
  /// Retry later, or drop the message.
  case wouldBlock
  /// The socket sent nothing, because no peer of this router has the given routing id.
  case unroutable
}

/// What became of a message given to a socket.
public enum SendResult: Hashable, Sendable {
  /// libzmq has the whole message.
  case sent
  /// Nothing was sent: no peer is connected or every queue is at its high-water mark. Try again
  /// later, or drop the message.
  case wouldBlock
  /// Nothing was sent: no peer of this router has that routing id (any more).
  case unroutable
}

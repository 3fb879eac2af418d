/// What a socket shares with the thread that watches it: whether the handle may still be used.
///
/// Not `Sendable`, and only touched by the thread that owns the socket.
final class SocketState {
  /// How many watches poll the handle. A socket must not be closed before they end.
  var watchCount = 0
  /// Whether `zmq_close` has not been called.
  var isOpen = true
  /// Whether messages may wait that the descriptor of the socket does not tell of, because a call
  /// has taken its news in. Set by every call that can, and unset when the socket was found empty.
  var mayHaveEvents = true
}

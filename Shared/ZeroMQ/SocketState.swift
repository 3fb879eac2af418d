/// The state that a socket shares with the thread that watches it.
///
/// It is not `Sendable`, and only the thread that owns the socket uses it.
final class SocketState {
  /// The number of watches that poll the handle; the socket must not be closed before they end.
  var watchCount = 0
  /// Whether `zmq_close` has not been called.
  var isOpen = true
  /// Whether messages may wait that the descriptor does not signal, because a call consumed the
  /// events.
  ///
  /// Every such call sets it, and it is cleared when the socket was found empty.
  var mayHaveEvents = true
}

/// The state that a socket shares with the thread that watches it.
///
/// It is not `Sendable`, and only the thread that owns the socket uses it.
final class SocketState {
  /// The number of watches that poll the handle; the socket must not be closed before they end.
  var watchCount = 0
  /// Whether `zmq_close` has not been called.
  var isOpen = true
  /// Whether messages may wait without a signal of the descriptor, because a call consumed the
  /// events.
  ///
  /// Every such call sets it. It is cleared when the socket is found empty.
  var mayHaveEvents = true
}

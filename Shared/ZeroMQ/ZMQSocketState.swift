/// The state that a socket shares with the thread that watches the socket.
///
/// The state is not `Sendable`, and only the thread that owns the socket uses the state.
final class ZMQSocketState {
  /// The number of watches that poll the handle. The owner must not close the socket before the end
  /// of these watches.
  var watchCount = 0
  /// Whether the socket is open: nobody has called `zmq_close`.
  var isOpen = true
  /// Whether messages may wait although the descriptor does not signal them, because a call
  /// consumed the events.
  ///
  /// Every call that consumes events sets this flag. Code that finds the socket empty clears this
  /// flag.
  var mayHaveEvents = true
}

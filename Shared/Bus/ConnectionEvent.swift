internal import ZeroMQ

/// An event of a connection to a server's socket.
public enum ConnectionEvent: String, Sendable, CaseIterable {
  /// A peer connected.
  case accepted
  /// The server could not accept a peer, for example because the process has no descriptors left.
  case acceptFailed = "accept_failed"
  /// The server reached its limit of connections. New peers wait until a connected peer
  /// disconnects.
  case acceptPaused = "accept_paused"
  /// The server disconnected a peer because of too many connections. The peer's handshake was
  /// incomplete, or the peer's address had too many connections.
  case crowdedOut = "crowded_out"
  /// The ZMTP handshake with a peer failed or timed out, so the connection ends.
  case handshakeFailed = "handshake_failed"
  /// The server ended a connection, because the server had served no request of this connection for
  /// too long.
  case idle
  /// After the handshake, a peer broke the protocol or exceeded a limit, for example with a message
  /// that was too large.
  case protocolViolated = "protocol_violated"
  /// A peer did not finish a message in time.
  case overdue
  /// A peer sent too many commands, or too many requests that the server refused.
  case flooded
  /// Unfinished messages and unread answers exceeded their budget, and this peer used the largest
  /// share.
  case overBudget = "over_budget"
  /// The server's list of admitted keys no longer contains the peer's key.
  case revoked
  /// This process ended the connection, or the listener closed.
  case dismissed
  /// A peer disconnected.
  ///
  /// libzmq also sends this event after it has disconnected a peer whose message was too large.
  case ended
}

extension ConnectionEvent {
  /// Makes the event for a bound socket's monitor event; `nil` for a monitor event without a
  /// counterpart.
  init?(_ event: MonitorEvent) {
    switch event {
    case .accepted: self = .accepted
    case .acceptFailed: self = .acceptFailed
    case .handshakeFailed: self = .handshakeFailed
    case .disconnected: self = .ended
    case .connected, .connectRetried, .listening, .bindFailed, .handshakeSucceeded, .closed:
      return nil
    }
  }
}

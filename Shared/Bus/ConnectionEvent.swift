internal import ZeroMQ

/// An event of a connection to a server's socket.
public enum ConnectionEvent: String, Sendable, CaseIterable {
  /// A peer connected.
  case accepted
  /// A peer could not be accepted, for example because no descriptors are left.
  case acceptFailed = "accept_failed"
  /// The limit of connections is reached: new peers wait until one disconnects.
  case acceptPaused = "accept_paused"
  /// A peer was disconnected because of too many connections: its handshake was incomplete, or its
  /// address has too many connections.
  case crowdedOut = "crowded_out"
  /// A peer did not complete the ZMTP handshake, or not in time; its connection ends.
  case handshakeFailed = "handshake_failed"
  /// A peer had no request served for so long that the server ended its connection.
  case idle
  /// A peer broke the protocol or one of its limits after the handshake, for example with a message
  /// that was too large.
  case protocolViolated = "protocol_violated"
  /// A peer did not finish a message in time.
  case overdue
  /// A peer sent too many commands, or too many requests that were refused.
  case flooded
  /// Unfinished messages and unread answers exceeded their budget, and this peer used the most of
  /// it.
  case overBudget = "over_budget"
  /// A peer's key is no longer admitted.
  case revoked
  /// A connection was ended by its user in this process, or by closing the listener.
  case dismissed
  /// A peer disconnected.
  ///
  /// With libzmq, also a peer that was cut off because its message was too large.
  case ended
}

extension ConnectionEvent {
  /// Makes the event for a bound socket's monitor event; `nil` for an irrelevant one.
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

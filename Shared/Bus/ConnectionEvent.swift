internal import ZeroMQ

/// What became of a connection to a server's socket.
public enum ConnectionEvent: String, Sendable, CaseIterable {
  /// A peer connected.
  case accepted
  /// A peer could not be accepted: no descriptors are left, for one.
  case acceptFailed = "accept_failed"
  /// As many are connected as may be: whoever comes waits until somebody goes.
  case acceptPaused = "accept_paused"
  /// A peer had to go because too many come: it had not said who it is, or its address has too many
  /// connections.
  case crowdedOut = "crowded_out"
  /// A peer did not say in time, or not in ZMTP, who it is; its connection ends.
  case handshakeFailed = "handshake_failed"
  /// A peer went so long without a request that is served that its connection is ended from here.
  case idle
  /// A peer that had said who it is broke the protocol or a limit of it: a message was too large,
  /// for one.
  case protocolViolated = "protocol_violated"
  /// A peer did not finish in time a message that it began.
  case overdue
  /// A peer sent commands, or requests that were refused, without end.
  case flooded
  /// Too much was kept of what peers do not finish or do not read, and most of it for this one.
  case overBudget = "over_budget"
  /// A peer's key is not welcome any more.
  case revoked
  /// A connection was ended from here because whoever it belongs to is done with it.
  case dismissed
  /// A peer is gone. Where libzmq listens, also one that was cut off because a message was too
  /// large.
  case ended
}

extension ConnectionEvent {
  /// What a monitor's event means for a bound socket; `nil` for one that means nothing.
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

internal import ZeroMQ

/// What became of a connection to a server's socket.
public enum ConnectionEvent: String, Sendable, CaseIterable {
  /// A peer connected.
  case accepted
  /// A peer could not be accepted: no descriptors are left, for one.
  case acceptFailed = "accept_failed"
  /// A peer did not say in time, or not in ZMTP, who it is; its connection ends.
  case handshakeFailed = "handshake_failed"
  /// A peer went so long without a request that is served that its connection is ended from here.
  case idle
  /// A connection is gone, or was cut off because a message was too large.
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

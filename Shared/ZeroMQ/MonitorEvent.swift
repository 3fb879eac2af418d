internal import CZeroMQ

/// What happened to a connection of a socket (zmq_socket_monitor(3)).
///
/// `endpoint` is libzmq's text for the local or remote end. For accepted ipc connections it is the
/// path that was bound.
public enum MonitorEvent: Hashable, Sendable {
  /// Why two peers that had a connection did not come together.
  public enum HandshakeFailure: Hashable, Sendable {
    /// The connection ended, or nothing came in time; an `errno` value.
    case interrupted(code: Int32)
    /// The peer does not speak ZMTP, or not as agreed; a `ZMQ_PROTOCOL_ERROR_…` value of zmq.h.
    case violatedProtocol(code: Int32)
    /// The peer was not admitted; a status of ZAP: 300, 400 or 500.
    case refused(status: Int32)

    /// Whether a side that connects does not try again after it (`session_base_t::engine_error` of
    /// libzmq): its socket is of no use any more.
    public var isFinal: Bool {
      switch self {
      case .interrupted: false
      case .violatedProtocol, .refused: true
      }
    }

    /// Whether one side encrypts and the other does not, or not in the same way.
    public var isOtherMechanism: Bool {
      self == .violatedProtocol(code: ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
    }

    /// Whether what was sealed was sealed for another key.
    public var isOtherKey: Bool {
      self == .violatedProtocol(code: ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC)
    }
  }

  /// Connected; the handshake follows.
  case connected(endpoint: String)
  /// The next attempt to connect comes after `delay`.
  case connectRetried(endpoint: String, delay: Duration)
  /// Bound.
  case listening(endpoint: String)
  /// The socket was not bound; the number is an `errno`.
  case bindFailed(endpoint: String, code: Int32)
  /// A peer connected; the handshake follows.
  case accepted(endpoint: String, connection: Connection)
  /// A peer could not be accepted; an `errno` value, `EMFILE` when no descriptors are left.
  case acceptFailed(endpoint: String, code: Int32)
  /// The peers know each other: from now on messages pass.
  case handshakeSucceeded(endpoint: String)
  /// The connection ended before messages could pass.
  case handshakeFailed(endpoint: String, reason: HandshakeFailure)
  /// A connection was lost, after or during the handshake.
  case disconnected(endpoint: String, connection: Connection)
  /// A connection or a bound endpoint was closed from this side.
  case closed(endpoint: String)

  /// The events to ask libzmq for: those above and the one that ends a monitor.
  static var mask: Int32 {
    ZMQ_EVENT_CONNECTED | ZMQ_EVENT_CONNECT_RETRIED | ZMQ_EVENT_LISTENING | ZMQ_EVENT_BIND_FAILED
      | ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_ACCEPT_FAILED | ZMQ_EVENT_CLOSED | ZMQ_EVENT_DISCONNECTED
      | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
      | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
      | ZMQ_EVENT_MONITOR_STOPPED
  }

  /// An event as libzmq numbers it; `nil` for one that is not in ``mask``.
  init?(number: Int32, value: Int32, endpoint: String) {
    switch number {
    case ZMQ_EVENT_CONNECTED: self = .connected(endpoint: endpoint)
    case ZMQ_EVENT_CONNECT_RETRIED:
      self = .connectRetried(endpoint: endpoint, delay: .milliseconds(value))
    case ZMQ_EVENT_LISTENING: self = .listening(endpoint: endpoint)
    case ZMQ_EVENT_BIND_FAILED: self = .bindFailed(endpoint: endpoint, code: value)
    case ZMQ_EVENT_ACCEPTED:
      self = .accepted(endpoint: endpoint, connection: Connection(descriptor: value))
    case ZMQ_EVENT_ACCEPT_FAILED: self = .acceptFailed(endpoint: endpoint, code: value)
    case ZMQ_EVENT_CLOSED: self = .closed(endpoint: endpoint)
    case ZMQ_EVENT_DISCONNECTED:
      self = .disconnected(endpoint: endpoint, connection: Connection(descriptor: value))
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: self = .handshakeSucceeded(endpoint: endpoint)
    case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL:
      self = .handshakeFailed(endpoint: endpoint, reason: .interrupted(code: value))
    case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
      self = .handshakeFailed(endpoint: endpoint, reason: .violatedProtocol(code: value))
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
      self = .handshakeFailed(endpoint: endpoint, reason: .refused(status: value))
    default: return nil
    }
  }
}

internal import CZeroMQ

/// An event of a socket's connection (zmq_socket_monitor(3)).
///
/// `endpoint` is libzmq's text for the local or remote end. For accepted ipc connections,
/// `endpoint` is the bound path.
public enum MonitorEvent: Hashable, Sendable {
  /// The reason why a handshake failed.
  public enum HandshakeFailure: Hashable, Sendable {
    /// The connection ended or the handshake timed out. `code` is an `errno` value.
    case interrupted(code: Int32)
    /// The peer violated ZMTP or the mechanism. `code` is a `ZMQ_PROTOCOL_ERROR_…` value of zmq.h.
    case violatedProtocol(code: Int32)
    /// The server did not admit the peer. `status` is a ZAP status: 300, 400 or 500.
    case refused(status: Int32)

    /// Whether the connecting side does not retry, so that the socket of the connecting side is
    /// useless (`session_base_t::engine_error` of libzmq).
    public var isFinal: Bool {
      switch self {
      case .interrupted: false
      case .violatedProtocol, .refused: true
      }
    }

    /// Whether the two sides use different mechanisms, for example because only one side encrypts.
    public var isOtherMechanism: Bool {
      self == .violatedProtocol(code: ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
    }

    /// Whether the peer sealed a box for another key.
    public var isOtherKey: Bool {
      self == .violatedProtocol(code: ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC)
    }
  }

  /// The socket established the connection; the handshake follows.
  case connected(endpoint: String)
  /// The next connection attempt follows after `delay`.
  case connectRetried(endpoint: String, delay: Duration)
  /// libzmq bound the socket.
  case listening(endpoint: String)
  /// libzmq could not bind the socket. `code` is an `errno` value.
  case bindFailed(endpoint: String, code: Int32)
  /// A peer connected; the handshake follows.
  case accepted(endpoint: String, connection: BoundSocketConnection)
  /// libzmq could not accept a peer. `code` is an `errno` value: `EMFILE` if the process has no
  /// descriptors left.
  case acceptFailed(endpoint: String, code: Int32)
  /// The handshake succeeded; messages can pass.
  case handshakeSucceeded(endpoint: String)
  /// The connection ended before the handshake was complete.
  case handshakeFailed(endpoint: String, reason: HandshakeFailure)
  /// The socket lost a connection, after or during the handshake.
  case disconnected(endpoint: String, connection: BoundSocketConnection)
  /// This side closed a connection or a bound endpoint.
  case closed(endpoint: String)

  /// The events to request from libzmq: the events of this type, and the end of a monitor.
  static var mask: Int32 {
    ZMQ_EVENT_CONNECTED | ZMQ_EVENT_CONNECT_RETRIED | ZMQ_EVENT_LISTENING | ZMQ_EVENT_BIND_FAILED
      | ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_ACCEPT_FAILED | ZMQ_EVENT_CLOSED | ZMQ_EVENT_DISCONNECTED
      | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
      | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
      | ZMQ_EVENT_MONITOR_STOPPED
  }

  /// Converts an event of libzmq; `nil` for an event that is not in ``mask``.
  init?(number: Int32, value: Int32, endpoint: String) {
    switch number {
    case ZMQ_EVENT_CONNECTED: self = .connected(endpoint: endpoint)
    case ZMQ_EVENT_CONNECT_RETRIED:
      self = .connectRetried(endpoint: endpoint, delay: .milliseconds(value))
    case ZMQ_EVENT_LISTENING: self = .listening(endpoint: endpoint)
    case ZMQ_EVENT_BIND_FAILED: self = .bindFailed(endpoint: endpoint, code: value)
    case ZMQ_EVENT_ACCEPTED:
      self = .accepted(endpoint: endpoint, connection: BoundSocketConnection(descriptor: value))
    case ZMQ_EVENT_ACCEPT_FAILED: self = .acceptFailed(endpoint: endpoint, code: value)
    case ZMQ_EVENT_CLOSED: self = .closed(endpoint: endpoint)
    case ZMQ_EVENT_DISCONNECTED:
      self = .disconnected(endpoint: endpoint, connection: BoundSocketConnection(descriptor: value))
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

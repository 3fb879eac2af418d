internal import CZeroMQ

/// A setting of a socket (zmq_setsockopt(3)).
///
/// Except for linger and subscriptions, an option counts for what is bound or connected
/// afterwards. Durations are rounded to whole milliseconds.
public enum SocketOption: Hashable, Sendable {
  /// A peer that sends a larger part is disconnected; `nil` removes the limit. Bytes per part, not
  /// per message. Has no effect on inproc.
  case maximumMessageSize(Int?)
  /// How long unsent messages may hold up the end of the context once the socket is closed.
  case linger(Duration)
  /// Most messages waiting per peer to be sent; 0 is no limit.
  case sendHighWaterMark(Int)
  /// Most messages waiting per peer to be received; 0 is no limit.
  case receiveHighWaterMark(Int)
  /// How often to ping a peer (ipc and tcp), and after what silence to drop the connection.
  case heartbeat(interval: Duration, timeout: Duration)
  /// The first and the longest pause before connecting again; each doubles the one before, with
  /// random jitter.
  case reconnect(initial: Duration, maximum: Duration)
  /// The name under which a router knows this socket: 1–255 bytes, the first not 0. Any peer can
  /// choose any name, so it is never an authority.
  case routingID([UInt8])
  /// Most connections waiting to be accepted (listen(2)).
  case backlog(Int)
  /// How long a new connection may take to say who it is; libzmq's default is 30 s.
  case handshakeTimeout(Duration)
  /// How long a tcp connection attempt may take; zero leaves it to the system.
  case connectTimeout(Duration)
  /// Encrypts, as the side that others know by its public key; clients of any key come in.
  case curveServer(secretKey: SocketKey)
  /// Has whoever answers at `inproc://zeromq.zap.01` decide who comes in, and tells it what for
  /// (27/ZAP). While nobody answers nobody comes in. 1–255 bytes.
  case admission(domain: String)
  /// Encrypts, as a side that connects to the owner of `serverKey`, with a pair of keys of its own.
  case curveClient(serverKey: SocketKey, publicKey: SocketKey, secretKey: SocketKey)

  /// Calls libzmq's setter for each number the option consists of.
  func apply(to handle: UnsafeMutableRawPointer) throws(ZeroMQError) {
    switch self {
    case .maximumMessageSize(let bytes):
      var value = Int64(bytes ?? -1)
      try check(unsafe zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &value, MemoryLayout<Int64>.size))
    case .linger(let duration):
      unsafe try set(ZMQ_LINGER, to: duration.milliseconds, on: handle)
    case .sendHighWaterMark(let messages):
      unsafe try set(ZMQ_SNDHWM, to: Int32(clamping: messages), on: handle)
    case .receiveHighWaterMark(let messages):
      unsafe try set(ZMQ_RCVHWM, to: Int32(clamping: messages), on: handle)
    case .heartbeat(let interval, let timeout):
      unsafe try set(ZMQ_HEARTBEAT_IVL, to: interval.milliseconds, on: handle)
      unsafe try set(ZMQ_HEARTBEAT_TIMEOUT, to: timeout.milliseconds, on: handle)
    case .reconnect(let initial, let maximum):
      unsafe try set(ZMQ_RECONNECT_IVL, to: initial.milliseconds, on: handle)
      unsafe try set(ZMQ_RECONNECT_IVL_MAX, to: maximum.milliseconds, on: handle)
    case .routingID(let bytes):
      guard bytes.first != 0 else { throw .invalidOption(self, code: EINVAL) }
      try check(unsafe zmq_setsockopt(handle, ZMQ_ROUTING_ID, bytes, bytes.count))
    case .backlog(let connections):
      unsafe try set(ZMQ_BACKLOG, to: Int32(clamping: connections), on: handle)
    case .handshakeTimeout(let duration):
      unsafe try set(ZMQ_HANDSHAKE_IVL, to: duration.milliseconds, on: handle)
    case .connectTimeout(let duration):
      unsafe try set(ZMQ_CONNECT_TIMEOUT, to: duration.milliseconds, on: handle)
    case .curveServer(let secretKey):
      unsafe try set(ZMQ_CURVE_SERVER, to: 1, on: handle)
      unsafe try set(ZMQ_CURVE_SECRETKEY, to: secretKey, on: handle)
    case .admission(let domain):
      guard !domain.isEmpty else { throw .invalidOption(self, code: EINVAL) }
      let bytes = Array(domain.utf8)
      try check(unsafe zmq_setsockopt(handle, ZMQ_ZAP_DOMAIN, bytes, bytes.count))
      unsafe try set(Self.enforcedDomain, to: 1, on: handle)
    case .curveClient(let serverKey, let publicKey, let secretKey):
      unsafe try set(ZMQ_CURVE_SERVERKEY, to: serverKey, on: handle)
      unsafe try set(ZMQ_CURVE_PUBLICKEY, to: publicKey, on: handle)
      unsafe try set(ZMQ_CURVE_SECRETKEY, to: secretKey, on: handle)
    }
  }

  /// `ZMQ_ZAP_ENFORCE_DOMAIN`, which Debian's header hides as a draft and its library heeds.
  private static let enforcedDomain: Int32 = 93

  private func set(
    _ option: Int32, to value: Int32, on handle: UnsafeMutableRawPointer
  ) throws(ZeroMQError) {
    var value = value
    try check(unsafe zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size))
  }

  private func set(
    _ option: Int32, to key: SocketKey, on handle: UnsafeMutableRawPointer
  ) throws(ZeroMQError) {
    try check(unsafe zmq_setsockopt(handle, option, key.bytes, key.bytes.count))
  }

  private func check(_ result: Int32) throws(ZeroMQError) {
    guard result == 0 else { throw .invalidOption(self, code: zmq_errno()) }
  }
}

extension Duration {
  /// Nanoseconds, as far as they go.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong ? .max : whole &+ attoseconds / 1_000_000_000
  }

  /// Whole milliseconds, rounded up, so that nothing happens too early.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    let perMillisecond: Int64 = 1_000_000_000_000_000
    let rest = attoseconds / perMillisecond + (attoseconds % perMillisecond > 0 ? 1 : 0)
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return Int32(clamping: product + rest)
  }
}

internal import CZeroMQ

/// A setting of a socket (zmq_setsockopt(3)).
///
/// Every option except linger and subscriptions applies only to later calls of bind and connect.
/// This type rounds durations to whole milliseconds.
public enum SocketOption: Hashable, Sendable {
  /// The maximum size of a part, in bytes. The socket disconnects a peer that sends a larger part.
  ///
  /// The value `nil` removes the limit. The limit applies to each part, not to the message, and has
  /// no effect on inproc.
  case maximumMessageSize(Int?)
  /// How long the unsent messages of a closed socket may delay the end of the context.
  case linger(Duration)
  /// The maximum number of messages per peer that wait for sending; 0 is no limit.
  case sendHighWaterMark(Int)
  /// The maximum number of messages per peer that wait for the receiver; 0 is no limit.
  case receiveHighWaterMark(Int)
  /// The interval of pings to a peer (ipc and tcp), and the silence after which libzmq drops a
  /// connection.
  case heartbeat(interval: Duration, timeout: Duration)
  /// The first and the longest delay of reconnects. Each delay is twice the previous delay, with
  /// random jitter.
  case reconnect(initial: Duration, maximum: Duration)
  /// The name by which a router knows this socket: 1–255 bytes, the first byte not 0.
  ///
  /// Any peer can choose any name, so a name proves no identity.
  case routingID([UInt8])
  /// The maximum number of connections that the kernel keeps until the socket accepts them
  /// (listen(2)).
  case backlog(Int)
  /// The time limit of the handshake of a new connection; libzmq's default is 30 s.
  case handshakeTimeout(Duration)
  /// The time limit of a tcp connection attempt; zero selects the system's limit.
  case connectTimeout(Duration)
  /// Encrypts as the server, whose public key the clients know. Admits clients with any key.
  case curveServer(secretKey: CurveKey)
  /// Delegates admission to the handler at `inproc://zeromq.zap.01`, which receives this domain
  /// (27/ZAP).
  ///
  /// Without a handler, the socket admits no client. The domain has 1–255 bytes.
  case admission(domain: String)
  /// Encrypts as a client that has its own pair of keys and connects to the owner of `serverKey`.
  case curveClient(serverKey: CurveKey, publicKey: CurveKey, secretKey: CurveKey)

  /// Calls libzmq's setter for each number that the option consists of.
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

  /// `ZMQ_ZAP_ENFORCE_DOMAIN`. Debian's header hides this option as a draft, but Debian's library
  /// supports it.
  private static let enforcedDomain: Int32 = 93

  private func set(
    _ option: Int32, to value: Int32, on handle: UnsafeMutableRawPointer
  ) throws(ZeroMQError) {
    var value = value
    try check(unsafe zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size))
  }

  private func set(
    _ option: Int32, to key: CurveKey, on handle: UnsafeMutableRawPointer
  ) throws(ZeroMQError) {
    try check(unsafe zmq_setsockopt(handle, option, key.bytes, key.bytes.count))
  }

  private func check(_ result: Int32) throws(ZeroMQError) {
    guard result == 0 else { throw .invalidOption(self, code: zmq_errno()) }
  }
}

extension Duration {
  /// The duration in nanoseconds, limited to the range of `Int64`.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong ? .max : whole &+ attoseconds / 1_000_000_000
  }

  /// The duration in whole milliseconds, rounded up, so that no timer fires too early.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    let perMillisecond: Int64 = 1_000_000_000_000_000
    let rest = attoseconds / perMillisecond + (attoseconds % perMillisecond > 0 ? 1 : 0)
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return Int32(clamping: product + rest)
  }
}

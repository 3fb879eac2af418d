internal import CZeroMQ
internal import Glibc

extension Socket {
  /// Starts to accept peers at `endpoint`. For ipc, take an ``EndpointLock`` first.
  ///
  /// - Throws: ``ZeroMQError/endpointInUse(_:)`` or
  ///   ``ZeroMQError/endpointFailed(_:operation:code:)``.
  public borrowing func bind(to endpoint: Endpoint) throws(ZeroMQError) {
    try prepare(for: endpoint)
    state.mayHaveEvents = true
    var result = unsafe zmq_bind(handle, endpoint.address)
    // When libzmq reports a failure to a monitor, libzmq can overwrite errno with EAGAIN. A failed
    // bind itself never returns EAGAIN. libzmq 4.3.4 overwrites errno in this way at most once per
    // millisecond, so the next attempt returns the cause.
    if result != 0, zmq_errno() == EAGAIN { result = unsafe zmq_bind(handle, endpoint.address) }
    try check(result, "Binding", endpoint)
  }

  /// Connects to `endpoint` as soon as the other side binds it, and reconnects after each loss.
  ///
  /// If the endpoint has a key, the connection is encrypted. The connection uses the keys of the
  /// context's ``ZMQContext/identity``, or a new pair if the context has no identity. Later
  /// connections of the socket are encrypted too, because libzmq cannot switch encryption off.
  ///
  /// - Throws: ``ZeroMQError/endpointFailed(_:operation:code:)``.
  public borrowing func connect(to endpoint: Endpoint) throws(ZeroMQError) {
    try prepare(for: endpoint)
    if let serverKey = endpoint.serverKey {
      let own = if let identity = context.identity { identity } else { try CurveKeyPair() }
      try set(
        .curveClient(
          serverKey: serverKey, publicKey: own.publicKey, secretKey: own.secretKey))
    }
    state.mayHaveEvents = true
    try check(unsafe zmq_connect(handle, endpoint.address), "Connecting to", endpoint)
  }

  /// Stops accepting peers at `endpoint`. Connected peers remain connected.
  ///
  /// - Throws: ``ZeroMQError/endpointFailed(_:operation:code:)`` if the socket has not bound the
  ///   endpoint.
  public borrowing func unbind(from endpoint: Endpoint) throws(ZeroMQError) {
    state.mayHaveEvents = true
    try check(unsafe zmq_unbind(handle, endpoint.address), "Unbinding", endpoint)
  }

  /// Closes the connection to `endpoint`, and drops the messages that wait for this connection.
  ///
  /// - Throws: ``ZeroMQError/endpointFailed(_:operation:code:)`` if the endpoint was not connected.
  public borrowing func disconnect(from endpoint: Endpoint) throws(ZeroMQError) {
    state.mayHaveEvents = true
    try check(unsafe zmq_disconnect(handle, endpoint.address), "Disconnecting from", endpoint)
  }

  /// Returns the last bound or connected endpoint, with the port that the system chose for tcp port
  /// 0.
  ///
  /// - Throws: ``ZeroMQError/invalidEndpoint(_:reason:)`` if the socket has no endpoint yet.
  public borrowing func lastEndpoint() throws(ZeroMQError) -> Endpoint {
    var text = [UInt8](repeating: 0, count: 1024)
    var count = text.count
    guard unsafe zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &text, &count) == 0 else {
      throw .failed(operation: "Asking for the last endpoint", code: zmq_errno())
    }
    return try Endpoint(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
  }

  // This code enables IPv6 only for IPv6 addresses, because IPv6 would change the meaning of `*`
  // and names.
  private borrowing func prepare(for endpoint: Endpoint) throws(ZeroMQError) {
    guard case .tcp = endpoint.transport else { return }
    unsafe try Self.set(ZMQ_IPV6, to: endpoint.isIPv6 ? 1 : 0, on: handle)
  }

  private borrowing func check(
    _ result: Int32, _ operation: String, _ endpoint: Endpoint
  ) throws(ZeroMQError) {
    guard result != 0 else { return }
    let code = zmq_errno()
    throw code == EADDRINUSE
      ? .endpointInUse(endpoint)
      : .endpointFailed(endpoint, operation: operation, code: code)
  }
}

internal import ZeroMQ

/// A socket that answers libzmq's authentication requests in one context.
///
/// All calls run on its ``SocketThread``.
final class ZAPSocket {
  private let admission: KeyAdmission
  private let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?

  private static let requestsPerTurn = 64

  /// The endpoint of authentication requests (27/ZAP).
  private static var endpoint: Endpoint {
    get throws(ZeroMQError) { try .inproc("zeromq.zap.01") }
  }

  /// - Throws: ``ZeroMQError`` if this context already has an authenticator.
  init(
    _ admission: KeyAdmission, in context: ZMQContext, on thread: SocketThread
  ) throws(ZeroMQError) {
    (self.admission, self.thread) = (admission, thread)
    let socket = try Socket(.router, in: context)
    try socket.bind(to: Self.endpoint)
    self.socket = consume socket
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
  }

  /// Stops answering. Another socket may answer in this context as soon as this method returns.
  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    // After this code closes the socket, the endpoint stays bound until libzmq's own thread has
    // closed the socket. So this code unbinds the endpoint first. Unbinding does not fail, because
    // this socket has bound the endpoint.
    _ = withSocket { socket in try? socket.unbind(from: Self.endpoint) }
    socket = nil
  }

  private func receive() {
    for _ in 0..<Self.requestsPerTurn {
      guard let message = withSocket({ socket in try? socket.receive() }) ?? nil else { return }
      answer(message)
    }
  }

  /// Answers a message that consists of a return route, an empty frame and the request.
  private func answer(_ message: [MessageFrame]) {
    guard message.count > 2, message[1].count == 0 else { return }
    let reply = ZAPRequest.answer(to: message.dropFirst(2).map(\.bytes)) { key, role in
      admission.verdict(on: key, as: role)
    }
    guard let reply else { return }
    let frames = [message[0], message[1]] + reply.frames.map { MessageFrame($0) }
    // The send fails if the requester has disconnected. Such a requester no longer needs the
    // answer.
    _ = withSocket { socket in try? socket.send(frames) }
  }

  private func withSocket<Result>(_ body: (borrowing Socket) -> Result) -> Result? {
    switch socket {
    case .some(let socket): body(socket)
    case .none: nil
    }
  }
}

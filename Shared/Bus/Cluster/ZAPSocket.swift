internal import ZeroMQ

/// Where libzmq asks who may come in: the one socket of a context that answers it. Lives on its
/// ``SocketThread``.
final class ZAPSocket {
  private let admission: KeyAdmission
  private let thread: SocketThread
  private var socket: Socket?
  private var watch: WatchID?

  private static let requestsPerTurn = 64

  /// - Throws: ``ZeroMQError`` if somebody else answers in this context.
  init(
    _ admission: KeyAdmission, in context: Context, on thread: SocketThread
  ) throws(ZeroMQError) {
    (self.admission, self.thread) = (admission, thread)
    let socket = try Socket(.router, in: context)
    try socket.bind(to: .inproc("zeromq.zap.01"))
    self.socket = consume socket
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
  }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    socket = nil
  }

  private func receive() {
    for _ in 0..<Self.requestsPerTurn {
      guard let message = withSocket({ socket in try? socket.receive() }) ?? nil else { return }
      answer(message)
    }
  }

  /// A message is the route back, an empty frame and the request.
  private func answer(_ message: [Frame]) {
    guard message.count > 2, message[1].count == 0 else { return }
    let reply = ZAPRequest.answer(to: message.dropFirst(2).map(\.bytes)) { key, role in
      admission.verdict(on: key, as: role)
    }
    guard let reply else { return }
    let frames = [message[0], message[1]] + reply.frames.map { Frame($0) }
    // Whoever asked may have gone: then nobody waits for the answer.
    _ = withSocket { socket in try? socket.send(frames) }
  }

  private func withSocket<Result>(_ body: (borrowing Socket) -> Result) -> Result? {
    switch socket {
    case .some(let socket): body(socket)
    case .none: nil
    }
  }
}

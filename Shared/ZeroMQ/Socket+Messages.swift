internal import CZeroMQ
internal import Glibc

extension Socket {
  /// Sends a message of one part.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(_ frame: MessageFrame) throws(ZeroMQError) -> SendResult {
    try sendFirst(frame, hasMore: false)
  }

  /// Sends a message of two parts. On a router, the first part is the routing id of the peer, and
  /// the second part is the message for this peer.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    route: MessageFrame, _ frame: MessageFrame
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendFirst(route, hasMore: true)
    guard result == .sent else { return result }
    return try sendPart(frame, hasMore: false)
  }

  /// Sends a message of one part. A closure writes the bytes directly into the message.
  ///
  /// Use this method for bytes that you send once: this method needs neither an object nor a copy.
  /// Use ``MessageFrame`` for bytes that you keep or send to many peers.
  ///
  /// - Parameters:
  ///   - size: The number of bytes, 0 or more.
  ///   - initializer: Must append exactly `size` bytes to its span.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    size: Int, initializingWith initializer: (inout OutputRawSpan) -> Void
  ) throws(ZeroMQError) -> SendResult {
    var message = unsafe Self.message(size: size, initializer)
    defer { unsafe zmq_msg_close(&message) }
    return try sendFirst(&message, hasMore: false)
  }

  /// Sends a message of two parts. A closure writes the second part directly into the message.
  ///
  /// On a router, the first part is the routing id of the peer.
  ///
  /// - Parameters:
  ///   - size: The number of bytes, 0 or more.
  ///   - initializer: Must append exactly `size` bytes to its span.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    route: RawSpan, size: Int, initializingWith initializer: (inout OutputRawSpan) -> Void
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendRoute(route)
    guard result == .sent else { return result }
    var message = unsafe Self.message(size: size, initializer)
    defer { unsafe zmq_msg_close(&message) }
    return try sendPart(&message, hasMore: false)
  }

  /// Sends a message of two parts. On a router, the first part is the routing id of the peer, and
  /// the second part is the message for this peer.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    route: RawSpan, _ frame: MessageFrame
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendRoute(route)
    guard result == .sent else { return result }
    return try sendPart(frame, hasMore: false)
  }

  /// Sends a message of one part as a copy of the bytes.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(copying bytes: RawSpan) throws(ZeroMQError) -> SendResult {
    var message = Self.message(copying: bytes)
    defer { unsafe zmq_msg_close(&message) }
    return try sendFirst(&message, hasMore: false)
  }

  /// Sends a message of two parts. The second part is a copy of the bytes.
  ///
  /// On a router, the first part is the routing id of the peer.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    route: RawSpan, copying bytes: RawSpan
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendRoute(route)
    guard result == .sent else { return result }
    var message = Self.message(copying: bytes)
    defer { unsafe zmq_msg_close(&message) }
    return try sendPart(&message, hasMore: false)
  }

  private borrowing func sendRoute(_ route: RawSpan) throws(ZeroMQError) -> SendResult {
    var message = Self.message(copying: route)
    defer { unsafe zmq_msg_close(&message) }
    return try sendFirst(&message, hasMore: true)
  }

  /// Returns a message with these bytes. The caller must close the message.
  private static func message(copying bytes: RawSpan) -> zmq_msg_t {
    unsafe message(size: bytes.byteCount) { output in
      unsafe bytes.withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target, count in
          unsafe target.copyMemory(from: source)
          count = source.count
        }
      }
    }
  }

  /// Returns a message of `size` bytes that `initializer` writes. The caller must close the
  /// message.
  @unsafe private static func message(
    size: Int, _ initializer: (inout OutputRawSpan) -> Void
  ) -> zmq_msg_t {
    precondition(size >= 0, "The size of a message is not negative.")
    var message = zmq_msg_t()
    precondition(unsafe zmq_msg_init_size(&message, size) == 0, "A message needs memory.")
    let target = unsafe UnsafeMutableRawBufferPointer(start: zmq_msg_data(&message), count: size)
    var output = unsafe OutputRawSpan(buffer: target, initializedCount: 0)
    initializer(&output)
    let written = unsafe output.finalize(for: target)
    precondition(written == size, "The initialiser of a message must write every byte.")
    return message
  }

  /// Sends a message of one or more parts, completely or not at all.
  ///
  /// libzmq decides at the first part whether the message fits, and delivers the parts together. If
  /// the peer disconnects before the last part, libzmq drops the whole message.
  ///
  /// - Parameter frames: The parts; never empty.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(_ frames: [MessageFrame]) throws(ZeroMQError) -> SendResult {
    precondition(!frames.isEmpty, "A message has at least one part.")
    var result = try sendFirst(frames[0], hasMore: frames.count > 1)
    guard result == .sent else { return result }
    for index in frames.indices.dropFirst() {
      let partResult = try sendPart(frames[index], hasMore: index + 1 < frames.count)
      guard partResult != .sent else { continue }
      // A dealer that loses its peer within a message drops all parts up to the last part. The
      // socket must receive the last part. Otherwise the socket would treat the next message as the
      // rest of this message.
      guard kind.swallowsRestOfBrokenMessage else { return partResult }
      result = partResult
    }
    return result
  }

  private borrowing func sendFirst(
    _ frame: MessageFrame, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    try frame.storage.withCopy { (message) throws(ZeroMQError) in
      try sendFirst(&message, hasMore: hasMore)
    }
  }

  private borrowing func sendPart(
    _ frame: MessageFrame, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    try frame.storage.withCopy { (message) throws(ZeroMQError) in
      try sendPart(&message, hasMore: hasMore)
    }
  }

  /// Sends a first part, and retries once if the first attempt would block.
  ///
  /// For up to 1 ms, a send does not notice that a peer has connected or has read messages. A query
  /// of the events makes the socket notice.
  private borrowing func sendFirst(
    _ message: inout zmq_msg_t, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendPart(&message, hasMore: hasMore)
    guard result == .wouldBlock else { return result }
    var events: Int32 = 0
    var size = MemoryLayout<Int32>.size
    guard unsafe zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) == 0,
      events & ZMQ_POLLOUT != 0
    else { return .wouldBlock }
    return try sendPart(&message, hasMore: hasMore)
  }

  /// Sends a part. On success, libzmq owns the part, and leaves an empty part.
  private borrowing func sendPart(
    _ message: inout zmq_msg_t, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    let flags = hasMore ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
    state.mayHaveEvents = true
    while unsafe zmq_msg_send(&message, handle, flags) < 0 {
      switch zmq_errno() {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case EHOSTUNREACH: return .unroutable
      case let code: throw .failed(operation: "Sending", code: code)
      }
    }
    return .sent
  }

  /// Receives the next message.
  ///
  /// - Returns: All parts, or `nil` if no message waits. If a message has more than
  ///   ``maximumParts`` parts, returns the first `maximumParts + 1` parts, and drops the rest. So a
  ///   count above `maximumParts` always marks an invalid message. On a router, the first part of
  ///   such a message identifies the peer that sent the message.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot receive.
  public borrowing func receive() throws(ZeroMQError) -> [MessageFrame]? {
    guard let first = try receivePart() else { return nil }
    guard first.hasMore else { return [first.frame] }
    guard let second = try receivePart() else { return [first.frame] }
    var frames = [first.frame, second.frame]
    var hasMore = second.hasMore
    // The parts of a message arrive together, so `receivePart` does not return `nil` between two
    // parts.
    while hasMore, let part = try receivePart() {
      if frames.count <= Self.maximumParts { frames.append(part.frame) }
      hasMore = part.hasMore
    }
    return frames
  }

  /// Receives the next message into `message`, and replaces the previous content of `message`.
  ///
  /// - Returns: `false` when no message waits.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot receive.
  public borrowing func receive(into message: inout ReceiveBuffer) throws(ZeroMQError) -> Bool {
    message.partCount = 0
    if !message.others.isEmpty { message.others = [] }
    guard try receivePart(into: &message.first) else { return false }
    message.partCount = 1
    guard unsafe zmq_msg_more(&message.first) != 0, try receivePart(into: &message.second) else {
      return true
    }
    message.partCount = 2
    var hasMore = unsafe zmq_msg_more(&message.second) != 0
    while hasMore, let part = try receivePart() {
      if message.partCount <= Self.maximumParts {
        message.others.append(part.frame)
        message.partCount += 1
      }
      hasMore = part.hasMore
    }
    return true
  }

  private borrowing func receivePart() throws(ZeroMQError) -> (frame: MessageFrame, hasMore: Bool)?
  {
    var message = zmq_msg_t()
    unsafe zmq_msg_init(&message)
    // After a failure, the message is empty and needs no close.
    guard try receivePart(into: &message) else { return nil }
    let hasMore = unsafe zmq_msg_more(&message) != 0
    return (MessageFrame(storage: .taking(&message)), hasMore)
  }

  /// Receives a part into an initialized message, and replaces the previous content of this
  /// message.
  private borrowing func receivePart(into message: inout zmq_msg_t) throws(ZeroMQError) -> Bool {
    state.mayHaveEvents = true
    while unsafe zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) < 0 {
      let code = zmq_errno()
      guard code != EINTR else { continue }
      guard code == EAGAIN else { throw .failed(operation: "Receiving", code: code) }
      // libzmq processes all events of the socket before libzmq reports that the call would block.
      state.mayHaveEvents = false
      return false
    }
    return true
  }
}

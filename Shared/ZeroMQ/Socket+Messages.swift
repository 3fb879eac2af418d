internal import CZeroMQ
internal import Glibc

extension Socket {
  /// Sends a message of one part.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(_ frame: Frame) throws(ZeroMQError) -> SendResult {
    try sendFirst(frame, hasMore: false)
  }

  /// Sends a message of two parts: on a router, the routing id of the peer and then its message.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    route: Frame, _ frame: Frame
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendFirst(route, hasMore: true)
    guard result == .sent else { return result }
    return try sendPart(frame, hasMore: false)
  }

  /// Sends a message of one part, whose bytes are written straight into it.
  ///
  /// This is for what is sent once: it costs neither an object nor a copy. ``Frame`` is for bytes
  /// that are kept or sent to many.
  ///
  /// - Parameters:
  ///   - size: The number of bytes, 0 or more.
  ///   - initializer: Must append exactly `size` bytes to the span it is given.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    size: Int, initializingWith initializer: (inout OutputRawSpan) -> Void
  ) throws(ZeroMQError) -> SendResult {
    var message = unsafe Self.message(size: size, initializer)
    defer { unsafe zmq_msg_close(&message) }
    return try sendFirst(&message, hasMore: false)
  }

  /// Sends a message of two parts, the second written straight into it: on a router, the routing id
  /// of the peer and then its message.
  ///
  /// - Parameters:
  ///   - size: The number of bytes, 0 or more.
  ///   - initializer: Must append exactly `size` bytes to the span it is given.
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

  /// Sends a message of two parts: on a router, the routing id of the peer and then its message.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(
    route: RawSpan, _ frame: Frame
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendRoute(route)
    guard result == .sent else { return result }
    return try sendPart(frame, hasMore: false)
  }

  /// Sends a message of one part, a copy of lent bytes.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(copying bytes: RawSpan) throws(ZeroMQError) -> SendResult {
    var message = Self.message(copying: bytes)
    defer { unsafe zmq_msg_close(&message) }
    return try sendFirst(&message, hasMore: false)
  }

  /// Sends a message of two parts, the second a copy of lent bytes: on a router, the routing id of
  /// the peer and then its message.
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

  /// A message with these bytes; the caller closes it.
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

  /// A message of `size` bytes that `initializer` writes; the caller closes it.
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

  /// Sends a message of one part or more, all or nothing.
  ///
  /// libzmq decides with the first part whether the message fits, and hands the parts on together.
  /// A peer that goes away in between loses the whole message.
  ///
  /// - Parameter frames: Never empty.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot send.
  public borrowing func send(_ frames: [Frame]) throws(ZeroMQError) -> SendResult {
    precondition(!frames.isEmpty, "A message has at least one part.")
    var result = try sendFirst(frames[0], hasMore: frames.count > 1)
    guard result == .sent else { return result }
    for index in frames.indices.dropFirst() {
      let partResult = try sendPart(frames[index], hasMore: index + 1 < frames.count)
      guard partResult != .sent else { continue }
      // A dealer that lost its peer in the middle drops all parts up to the last one. It must be
      // given that, or it would take the next message for the rest of this one.
      guard kind.swallowsRestOfBrokenMessage else { return partResult }
      result = partResult
    }
    return result
  }

  private borrowing func sendFirst(
    _ frame: Frame, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    try frame.storage.withCopy { (message) throws(ZeroMQError) in
      try sendFirst(&message, hasMore: hasMore)
    }
  }

  private borrowing func sendPart(
    _ frame: Frame, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    try frame.storage.withCopy { (message) throws(ZeroMQError) in
      try sendPart(&message, hasMore: hasMore)
    }
  }

  /// Sends a first part, and once more when that would block: for up to a millisecond, a send
  /// overlooks that a peer has connected or has read; asking for the events does not.
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

  /// Sends a part. libzmq takes it over on success and leaves an empty one behind.
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

  /// Takes the next message, or answers `nil` when none waits.
  ///
  /// - Returns: All parts. Of a message with more than ``maximumParts`` parts, the first
  ///   `maximumParts + 1`; the rest is read and dropped. So a longer count than `maximumParts`
  ///   always means a message that breaks the rules, and on a router the first part says whose.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot receive.
  public borrowing func receive() throws(ZeroMQError) -> [Frame]? {
    guard let first = try receivePart() else { return nil }
    guard first.hasMore else { return [first.frame] }
    guard let second = try receivePart() else { return [first.frame] }
    var frames = [first.frame, second.frame]
    var hasMore = second.hasMore
    // The parts of a message arrive together, so `nil` cannot come in between.
    while hasMore, let part = try receivePart() {
      if frames.count <= Self.maximumParts { frames.append(part.frame) }
      hasMore = part.hasMore
    }
    return frames
  }

  /// Takes the next message into `message`, in place of what that holds.
  ///
  /// - Returns: False when none waits.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when this kind of socket cannot receive.
  public borrowing func receive(into message: inout ReceivedMessage) throws(ZeroMQError) -> Bool {
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

  private borrowing func receivePart() throws(ZeroMQError) -> (frame: Frame, hasMore: Bool)? {
    var message = zmq_msg_t()
    unsafe zmq_msg_init(&message)
    // What receiving leaves after a failure is empty and needs no closing.
    guard try receivePart(into: &message) else { return nil }
    let hasMore = unsafe zmq_msg_more(&message) != 0
    return (Frame(storage: .taking(&message)), hasMore)
  }

  /// Takes a part into an initialised message, in place of what that holds.
  private borrowing func receivePart(into message: inout zmq_msg_t) throws(ZeroMQError) -> Bool {
    state.mayHaveEvents = true
    while unsafe zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) < 0 {
      let code = zmq_errno()
      guard code != EINTR else { continue }
      guard code == EAGAIN else { throw .failed(operation: "Receiving", code: code) }
      // The socket hears all its news before libzmq says that it blocks.
      state.mayHaveEvents = false
      return false
    }
    return true
  }
}

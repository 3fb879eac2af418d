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

  /// Sends a first part, and once more when that would block: for up to a millisecond, a send
  /// overlooks that a peer has connected or has read; asking for the events does not.
  private borrowing func sendFirst(
    _ frame: Frame, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    let result = try sendPart(frame, hasMore: hasMore)
    guard result == .wouldBlock else { return result }
    var events: Int32 = 0
    var size = MemoryLayout<Int32>.size
    guard unsafe zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) == 0,
      events & ZMQ_POLLOUT != 0
    else { return .wouldBlock }
    return try sendPart(frame, hasMore: hasMore)
  }

  private borrowing func sendPart(
    _ frame: Frame, hasMore: Bool
  ) throws(ZeroMQError) -> SendResult {
    let flags = hasMore ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
    state.mayHaveNews = true
    let code = unsafe frame.storage.withCopy { message in
      while unsafe zmq_msg_send(message, handle, flags) < 0 {
        let code = zmq_errno()
        if code != EINTR { return code }
      }
      return 0
    }
    switch code {
    case 0: return .sent
    case EAGAIN: return .wouldBlock
    case EHOSTUNREACH: return .unroutable
    default: throw .failed(operation: "Sending", code: code)
    }
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

  private borrowing func receivePart() throws(ZeroMQError) -> (frame: Frame, hasMore: Bool)? {
    var message = zmq_msg_t()
    unsafe zmq_msg_init(&message)
    state.mayHaveNews = true
    while unsafe zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) < 0 {
      let code = zmq_errno()
      guard code != EINTR else { continue }
      unsafe zmq_msg_close(&message)
      guard code == EAGAIN else { throw .failed(operation: "Receiving", code: code) }
      // Before libzmq says so, the socket hears all its news.
      state.mayHaveNews = false
      return nil
    }
    let hasMore = unsafe zmq_msg_more(&message) != 0
    return (Frame(storage: .taking(&message)), hasMore)
  }
}

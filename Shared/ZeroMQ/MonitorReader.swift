internal import CZeroMQ

/// The id of a monitor of a ``SocketThread``.
public struct SocketMonitorID: Hashable, Sendable {
  let number: UInt64
}

/// The receiving end of a monitor, to which libzmq sends each event as two parts over an inproc
/// pair.
@safe final class MonitorReader {
  /// A message of the pair.
  enum Notice {
    case event(MonitorEvent)
    case stopped
  }

  let pair: Socket
  let onEvent: (MonitorEvent) -> Void
  let onEnd: () -> Void
  var watch: PollWatchID?
  private let monitored: UnsafeMutableRawPointer
  private let state: ZMQSocketState

  /// Enables the monitor of `socket`.
  init(
    _ socket: borrowing Socket, name: String, onEvent: @escaping (MonitorEvent) -> Void,
    onEnd: @escaping () -> Void
  ) throws(ZeroMQError) {
    let endpoint = try Endpoint.inproc(name)
    let pair = try Socket(.pair, in: socket.context)
    // libzmq's I/O thread blocks when the queue of `pair` is full, so this queue must have no
    // limit.
    try pair.set(.receiveHighWaterMark(0))
    guard unsafe zmq_socket_monitor(socket.handle, endpoint.address, MonitorEvent.mask) == 0 else {
      throw .failed(operation: "Monitoring a socket", code: zmq_errno())
    }
    do throws(ZeroMQError) {
      try pair.connect(to: endpoint)
    } catch {
      _ = unsafe zmq_socket_monitor(socket.handle, nil, 0)
      throw error
    }
    self.pair = pair
    self.onEvent = onEvent
    self.onEnd = onEnd
    unsafe monitored = unsafe socket.handle
    state = socket.state
  }

  /// Disables the monitor, unless the close of the socket has already disabled it.
  ///
  /// Call this method before closing the pair: without a reader, the next event would block
  /// libzmq's I/O thread forever.
  func switchOff() {
    guard state.isOpen else { return }
    _ = unsafe zmq_socket_monitor(monitored, nil, 0)
  }

  /// Returns the next notice, or `nil` when none waits.
  func next() -> Notice? {
    // Receiving from an open pair does not fail.
    while let frames = try? pair.receive() {
      guard let header = frames.first, header.count == 6 else { continue }
      let (number, value) = header.withBytes { bytes in
        (
          Int32(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt16.self)),
          unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 2, as: Int32.self)
        )
      }
      if number == ZMQ_EVENT_MONITOR_STOPPED { return .stopped }
      let endpoint = frames.count > 1 ? String(decoding: frames[1].bytes, as: UTF8.self) : ""
      guard let event = MonitorEvent(number: number, value: value, endpoint: endpoint) else {
        continue
      }
      return .event(event)
    }
    return nil
  }
}

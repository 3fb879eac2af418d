internal import Synchronization

extension SocketThread {
  /// How many monitors this process has made. Numbered by thread they could be named alike: libzmq
  /// forgets a name some time after its socket was closed, and by then another thread may follow.
  private static let monitorsMade = Atomic<UInt64>(0)

  /// Calls `onEvent` for what happens to the connections of a socket from now on.
  ///
  /// One monitor per socket. It ends with the socket, or by ``stopMonitoring(_:)``. Events wait
  /// without limit until the thread takes them, so that they never hold up libzmq. Only on the
  /// thread.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when the context has no sockets left.
  public func monitor(
    _ socket: borrowing Socket, onEvent: @escaping (MonitorEvent) -> Void
  ) throws(ZeroMQError) -> MonitorID {
    try monitor(socket, onEvent: onEvent, onEnd: {})
  }

  /// The same events as a sequence, which ends with the socket.
  ///
  /// Ending the iteration ends the monitor with its next event. Only on the thread.
  ///
  /// - Parameter capacity: How many events wait for the iterating task; the oldest are dropped.
  public func monitorEvents(
    of socket: borrowing Socket, keepingNewest capacity: Int = 256
  ) throws(ZeroMQError) -> AsyncStream<MonitorEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MonitorEvent.self, bufferingPolicy: .bufferingNewest(capacity))
    var id: MonitorID?
    id = try monitor(
      socket,
      onEvent: { [unowned self] event in
        // The monitor is part of the thread and cannot outlive it.
        if case .terminated = continuation.yield(event), let id { stopMonitoring(id) }
      },
      onEnd: { continuation.finish() })
    return stream
  }

  /// Ends a monitor. One that has ended with its socket is no error. Only on the thread.
  public func stopMonitoring(_ id: MonitorID) {
    requireCurrent()
    guard let reader = monitors.removeValue(forKey: id) else { return }
    reader.switchOff()
    if let watch = reader.watch.take() { unwatch(watch) }
    reader.onEnd()
  }

  private func monitor(
    _ socket: borrowing Socket, onEvent: @escaping (MonitorEvent) -> Void,
    onEnd: @escaping () -> Void
  ) throws(ZeroMQError) -> MonitorID {
    requireCurrent()
    let id = MonitorID(number: Self.monitorsMade.add(1, ordering: .relaxed).newValue)
    let reader = try MonitorReader(
      socket, name: "monitor-\(id.number)", onEvent: onEvent, onEnd: onEnd)
    monitors[id] = reader
    reader.watch = watch(reader.pair) { [unowned self] in readMonitor(id) }
    return id
  }

  private func readMonitor(_ id: MonitorID) {
    // Looked up each time, because a handler may end its monitor.
    while let reader = monitors[id], let notice = reader.next() {
      switch notice {
      case .event(let event): reader.onEvent(event)
      case .stopped: stopMonitoring(id)
      }
    }
  }
}

internal import Synchronization

extension SocketThread {
  /// The number of monitors that this process has created.
  ///
  /// If each thread numbered its monitors separately, two monitors could have the same name: libzmq
  /// frees a name only some time after the socket with this name has closed, and another thread may
  /// already exist at that time.
  private static let monitorsMade = Atomic<UInt64>(0)

  /// Calls `onEvent` for each event of a socket's connections after this call.
  ///
  /// A socket has at most one monitor. The monitor ends with the socket, or by
  /// ``stopMonitoring(_:)``. The queue of events has no limit, so that events never block libzmq.
  /// Call this method only on the thread.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when the context has no sockets left.
  public func monitor(
    _ socket: borrowing Socket, onEvent: @escaping (MonitorEvent) -> Void
  ) throws(ZeroMQError) -> SocketMonitorID {
    try monitor(socket, onEvent: onEvent, onEnd: {})
  }

  /// Returns the events of a socket's connections as a sequence, which ends with the socket.
  ///
  /// If the caller ends the iteration, the monitor ends at the monitor's next event. Call this
  /// method only on the thread.
  ///
  /// - Parameter capacity: The maximum number of events that wait for the iterating task; at the
  ///   limit, the stream drops the oldest events.
  public func monitorEvents(
    of socket: borrowing Socket, keepingNewest capacity: Int = 256
  ) throws(ZeroMQError) -> AsyncStream<MonitorEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MonitorEvent.self, bufferingPolicy: .bufferingNewest(capacity))
    var id: SocketMonitorID?
    id = try monitor(
      socket,
      onEvent: { [unowned self] event in
        // The monitor is part of the thread and cannot exist longer than the thread.
        if case .terminated = continuation.yield(event), let id { stopMonitoring(id) }
      },
      onEnd: { continuation.finish() })
    return stream
  }

  /// Ends a monitor. Has no effect if the monitor ended with its socket.
  ///
  /// Call this method only on the thread.
  public func stopMonitoring(_ id: SocketMonitorID) {
    requireCurrent()
    guard let reader = monitors.removeValue(forKey: id) else { return }
    reader.switchOff()
    if let watch = reader.watch.take() { unwatch(watch) }
    reader.onEnd()
  }

  private func monitor(
    _ socket: borrowing Socket, onEvent: @escaping (MonitorEvent) -> Void,
    onEnd: @escaping () -> Void
  ) throws(ZeroMQError) -> SocketMonitorID {
    requireCurrent()
    let id = SocketMonitorID(number: Self.monitorsMade.add(1, ordering: .relaxed).newValue)
    let reader = try MonitorReader(
      socket, name: "monitor-\(id.number)", onEvent: onEvent, onEnd: onEnd)
    monitors[id] = reader
    reader.watch = watch(reader.pair) { [unowned self] in readMonitor(id) }
    return id
  }

  private func readMonitor(_ id: SocketMonitorID) {
    // This loop looks the monitor up each time, because a handler may remove the monitor.
    while let reader = monitors[id], let notice = reader.next() {
      switch notice {
      case .event(let event): reader.onEvent(event)
      case .stopped: stopMonitoring(id)
      }
    }
  }
}

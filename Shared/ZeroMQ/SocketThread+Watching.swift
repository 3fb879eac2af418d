/// Names a hook of a ``SocketThread``.
public struct HookID: Hashable, Sendable {
  let number: UInt64
}

/// What runs on the thread without being a job. All of it may only be called on the thread.
///
/// The closures need not be `Sendable`: they are made, called and released on the thread. They run
/// outside any task; in one that an actor of this thread made, `assumeIsolated` works.
extension SocketThread {
  /// Calls `onReadable` whenever messages wait, once per turn of the loop.
  ///
  /// Level-triggered: a handler may leave messages for the next turn, and should when there are
  /// many, so that other sockets have theirs. End the watch before the socket is closed.
  public func watch(
    _ socket: borrowing Socket, onReadable: @escaping () -> Void
  ) -> WatchID {
    requireCurrent()
    return pollSet.add(socket, onReadable)
  }

  /// Calls `onReadable` whenever a descriptor is readable, has an error or was hung up.
  ///
  /// The descriptor stays the caller's; end the watch before closing it.
  public func watch(
    fileDescriptor: Int32, onReadable: @escaping () -> Void
  ) -> WatchID {
    requireCurrent()
    return pollSet.add(fileDescriptor: fileDescriptor, onReadable)
  }

  /// Ends a watch at once, also when its handler was about to be called in this turn.
  ///
  /// Each watch ends once; one that has ended with the loop is no error.
  public func unwatch(_ watch: WatchID) {
    requireCurrent()
    let handler = pollSet.remove(watch)
    precondition(handler != nil || isStopping, "End a watch once.")
    withExtendedLifetime(handler) {}
  }

  /// Calls `body` once, not before `delay` has passed; a little later when idle.
  ///
  /// Timers that are due at the same time run in the order of their scheduling.
  public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerID {
    requireCurrent()
    return timers.add(at: ContinuousClock.now + max(delay, .zero), body)
  }

  /// Forgets a timer. One that ran, or was cancelled before, is no error.
  public func cancel(_ timer: TimerID) {
    requireCurrent()
    let body = timers.cancel(timer)
    withExtendedLifetime(body) {}
  }

  /// Calls `body` in every turn of the loop, after handlers and jobs and before polling.
  ///
  /// What was gathered in this turn can be sent there in one go. When hooks add jobs, these run and
  /// the hooks are called again. Hooks run in the order in which they were added.
  ///
  /// - Parameter isLast: Runs behind those of whom this is not said, which may give it work: it
  ///   sends.
  public func addBeforePoll(isLast: Bool = false, _ body: @escaping () -> Void) -> HookID {
    requireCurrent()
    let id = HookID(number: nextHookNumber)
    nextHookNumber += 1
    if isLast {
      hooks.append((id, body))
    } else {
      hooks.insert((id, body), at: hooks.count - lastHooks.count)
    }
    if isLast { lastHooks.insert(id) }
    return id
  }

  /// Calls a hook no more. One that has ended with the loop is no error.
  public func removeBeforePoll(_ hook: HookID) {
    requireCurrent()
    guard let index = hooks.firstIndex(where: { $0.id == hook }) else {
      precondition(isStopping, "Remove a hook once.")
      return
    }
    let removed = hooks.remove(at: index)
    lastHooks.remove(hook)
    withExtendedLifetime(removed) {}
  }
}

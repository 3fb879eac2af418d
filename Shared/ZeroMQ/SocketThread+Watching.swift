/// The id of a hook of a ``SocketThread``.
public struct SocketThreadHookID: Hashable, Sendable {
  let number: UInt64
}

/// Handlers that run on the thread without being jobs.
///
/// Call all of these methods only on the thread.
///
/// The closures need not be `Sendable`: the thread creates, calls and releases them. The closures
/// run outside any task; `assumeIsolated` works in closures created by an actor of this thread.
extension SocketThread {
  /// Calls `onReadable` once per turn of the loop while messages wait.
  ///
  /// Watches are level-triggered: a handler may leave messages for the next turn. If there are many
  /// messages, the handler should leave some of them, so that the thread also serves other sockets.
  /// End the watch before closing the socket.
  public func watch(
    _ socket: borrowing Socket, onReadable: @escaping () -> Void
  ) -> PollWatchID {
    requireCurrent()
    return pollSet.add(socket, onReadable)
  }

  /// Calls `onReadable` whenever a descriptor is readable, has an error or has hung up.
  ///
  /// The caller keeps the descriptor, and must end the watch before closing the descriptor.
  public func watch(
    fileDescriptor: Int32, onReadable: @escaping () -> Void
  ) -> PollWatchID {
    requireCurrent()
    return pollSet.add(fileDescriptor: fileDescriptor, onReadable)
  }

  /// Ends a watch immediately, even if its handler was due in this turn.
  ///
  /// End a watch only once. It is not an error to end a watch after the loop has ended.
  public func unwatch(_ watch: PollWatchID) {
    requireCurrent()
    let handler = pollSet.remove(watch)
    precondition(handler != nil || isStopping, "End a watch once.")
    withExtendedLifetime(handler) {}
  }

  /// Calls `body` once after `delay`. The call may be slightly late if the thread is idle.
  ///
  /// Timers that are due at the same time run in the order of their scheduling.
  public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerID {
    requireCurrent()
    return timers.add(at: ContinuousClock.now + max(delay, .zero), body)
  }

  /// Cancels a timer. Has no effect if the timer has already run, or if the timer's owner has
  /// already cancelled the timer.
  public func cancel(_ timer: TimerID) {
    requireCurrent()
    let body = timers.cancel(timer)
    withExtendedLifetime(body) {}
  }

  /// Calls `body` in every turn of the loop, after handlers and jobs and before polling.
  ///
  /// Use a hook to send together everything that a turn has gathered. If hooks add jobs, the loop
  /// runs the jobs, and calls the hooks again. Hooks run in the order of their addition.
  ///
  /// - Parameter isLast: Whether the hook runs after the hooks without this flag. The earlier hooks
  ///   may produce data that this hook sends.
  public func addBeforePoll(isLast: Bool = false, _ body: @escaping () -> Void)
    -> SocketThreadHookID
  {
    requireCurrent()
    let id = SocketThreadHookID(number: nextHookNumber)
    nextHookNumber += 1
    if isLast {
      hooks.append((id, body))
    } else {
      hooks.insert((id, body), at: hooks.count - lastHooks.count)
    }
    if isLast { lastHooks.insert(id) }
    return id
  }

  /// Removes a hook. Has no effect if the hook ended with the loop.
  public func removeBeforePoll(_ hook: SocketThreadHookID) {
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

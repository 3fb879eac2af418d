internal import CZeroMQ
internal import Glibc
internal import Synchronization

extension SocketThread {
  /// The maximum number of rounds of work before the loop checks the sockets. Work in one round may
  /// add work to the next round.
  private static let roundsPerTurn = 16

  /// Runs the loop of the thread.
  func run() {
    identity.store(UInt(pthread_self()), ordering: .relaxed)
    unsafe czmq_name_thread(name)
    watchMailbox()
    repeat {
      let hasWork = runWork()
      if !hasWork, isStopping, end() { return }
      pollSet.poll(timeout: hasWork ? .zero : pollTimeout(), into: &ready)
      turnStart = ContinuousClock.now
      for id in ready { pollSet.handler(of: id)?() }
    } while true
  }

  private func watchMailbox() {
    _ = pollSet.add(fileDescriptor: wakeDescriptor) { [wakeDescriptor] in
      Self.clear(wakeDescriptor)
    }
  }

  /// Runs jobs, timers and hooks until none is left, at most ``roundsPerTurn`` times.
  ///
  /// - Returns: Whether work is left.
  private func runWork() -> Bool {
    for _ in 0..<Self.roundsPerTurn {
      runJobsAndTimers()
      runHooks()
      guard !jobs.isEmpty else { return false }
    }
    return true
  }

  private func runJobsAndTimers() {
    for _ in 0..<Self.roundsPerTurn {
      collectMail()
      runJobs()
      runTimers()
      guard !jobs.isEmpty else { return }
    }
  }

  private func runTimers() {
    guard timers.count > 0 else { return }
    turnStart = ContinuousClock.now
    let limit = timers.nextID
    while let body = timers.popDue(at: turnStart, before: limit) { body() }
  }

  private func runHooks() {
    // The loop iterates over a copy, because a hook may remove itself or other hooks.
    for (id, body) in hooks where hooks.contains(where: { $0.id == id }) { body() }
  }

  private func pollTimeout() -> Duration? {
    timers.nextDeadline().map { max(.zero, $0 - ContinuousClock.now) }
  }

  /// Ends the loop unless new jobs have arrived.
  private func end() -> Bool {
    releaseRegistrations()
    let hasEnded = mailbox.withLock { mailbox in
      // The release of closures may have ended actors, whose last jobs are in the thread's own
      // queue.
      guard jobs.isEmpty, mailbox.jobs.isEmpty else { return false }
      // Another thread may restart this thread as soon as this code has released the lock.
      identity.store(0, ordering: .relaxed)
      mailbox.phase = .ended
      announceEnd()
      return true
    }
    guard hasEnded else {
      watchMailbox()
      return false
    }
    while visitors.load(ordering: .acquiring) > 0 { sched_yield() }
    return true
  }

  private func releaseRegistrations() {
    for id in Array(monitors.keys) { stopMonitoring(id) }
    let watchHandlers = pollSet.removeAll()
    let timerBodies = timers.cancelAll()
    let oldHooks = hooks
    hooks.removeAll()
    lastHooks.removeAll()
    // The loop releases the closures here, where the loop does not change its own state.
    withExtendedLifetime((watchHandlers, timerBodies, oldHooks)) {}
  }
}

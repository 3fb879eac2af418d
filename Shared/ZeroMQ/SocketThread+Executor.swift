internal import Glibc
internal import Synchronization

extension SocketThread {
  private enum Delivery { case queued, needsWake, needsThread }

  /// Accepts a job from the Swift runtime, for an actor or for a task that prefers this thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      jobs.append(job)
      return
    }
    // Until the job is in the mailbox, the job keeps this object alive. After that, the thread
    // keeps this object alive.
    visitors.add(1, ordering: .relaxed)
    defer { visitors.subtract(1, ordering: .releasing) }
    let delivery = mailbox.withLock { mailbox -> Delivery in
      let wasEmpty = mailbox.jobs.isEmpty
      mailbox.jobs.append(job)
      guard mailbox.phase != .ended else {
        mailbox.phase = .stopping
        return .needsThread
      }
      return wasEmpty ? .needsWake : .queued
    }
    switch delivery {
    case .queued: break
    case .needsWake: wake()
    case .needsThread: startThread()
    }
  }

  /// Runs all waiting jobs, but not jobs that these jobs add.
  func runJobs() {
    swap(&jobs, &runningJobs)
    for index in runningJobs.indices {
      let job = runningJobs[index]
      // Safe: `self` outlives the call, and this code runs on the thread of `self`.
      unsafe job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    runningJobs.removeAll(keepingCapacity: true)
  }

  /// Moves the jobs of other threads to the thread's own queue.
  func collectMail() {
    mailbox.withLock { mailbox in
      isStopping = mailbox.phase != .running
      guard !mailbox.jobs.isEmpty else { return }
      if jobs.isEmpty {
        swap(&jobs, &mailbox.jobs)
      } else {
        jobs.append(contentsOf: mailbox.jobs)
        mailbox.jobs.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Returns the answer for `assumeIsolated` in a handler or timer. Handlers and timers do not run
  /// as jobs.
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Traps unless the caller runs on the thread.
  public func checkIsolated() {
    precondition(isCurrent, "This belongs to the socket thread \"\(name)\".")
  }
}

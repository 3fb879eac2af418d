internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// A thread that polls sockets and runs the actors and tasks that own these sockets.
///
/// As a `SerialExecutor`, the thread runs actors that return this object as their
/// `unownedExecutor`. As a `TaskExecutor`, the thread runs tasks that prefer this object, without
/// using the global pool. All actors and tasks run one after another on one thread, so these actors
/// and tasks never race with each other.
///
/// One turn of the loop runs the waiting jobs, the due timers and the hooks of
/// ``addBeforePoll(_:)`` until no work is left. If the work does not end, the loop checks the
/// sockets between rounds of work. When no work is left, the loop waits in poll(2), and calls the
/// handlers of readable sockets.
///
/// The thread runs, and keeps this object alive, until ``stop()``. A later job, for example the
/// `isolated deinit` of an actor, runs on a new thread, so every job runs.
public final class SocketThread: SerialExecutor, TaskExecutor, @unchecked Sendable {
  // Sendable: any thread may use `mailbox`, `identity` and the descriptors. All other stored
  // variables belong to the thread: code that uses them is private to the loop or begins with
  // `requireCurrent`. So closures for `watch` or `schedule` need not be `Sendable`: callers create
  // them on this thread, and the thread calls and releases them.

  /// Jobs and state that other threads leave for this thread.
  struct Mailbox: Sendable {
    enum Phase { case running, stopping, ended }
    var jobs: [UnownedJob] = []
    var phase = Phase.running
  }

  /// The name of the thread; the system shows its first 15 bytes.
  public let name: String

  let mailbox = Locked(Mailbox())
  /// The `pthread_self()` of the running thread; 0 if no thread runs.
  let identity = Atomic<UInt>(0)
  /// The number of callers inside `enqueue`.
  ///
  /// The Swift runtime does not retain an executor during that call. The job may run and release
  /// the last reference before the call returns. So the thread releases this object only when no
  /// caller is inside `enqueue`.
  let visitors = Atomic<Int>(0)
  /// An eventfd(2) that is readable when the mailbox may contain something new.
  let wakeDescriptor: Int32
  /// An eventfd(2) that is readable when the loop has ended.
  private let endDescriptor: Int32

  var jobs: [UnownedJob] = []
  var runningJobs: [UnownedJob] = []
  var isStopping = false
  var pollSet = PollSet()
  var ready: [PollWatchID] = []
  var timers = TimerQueue()
  var hooks: [(id: SocketThreadHookID, body: () -> Void)] = []
  /// The ``hooks`` that run after all other hooks.
  var lastHooks: Set<SocketThreadHookID> = []
  var nextHookNumber: UInt64 = 1
  var monitors: [SocketMonitorID: MonitorReader] = [:]
  var turnStart = ContinuousClock.now

  /// Starts the thread.
  ///
  /// Traps if the system has no threads or descriptors left, because the thread could not run.
  public init(name: String) {
    self.name = name
    wakeDescriptor = Self.makeEventDescriptor()
    endDescriptor = Self.makeEventDescriptor()
    startThread()
  }

  deinit {
    close(wakeDescriptor)
    close(endDescriptor)
  }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool {
    identity.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// The time on `ContinuousClock` at which this turn of the loop began to run work.
  ///
  /// Reading this property costs nothing. The time is constant between two reads of the clock, so
  /// this time may lag behind the clock by the run time of the current jobs. Use this property only
  /// on the thread.
  public var now: ContinuousClock.Instant {
    requireCurrent()
    return turnStart
  }

  /// Requests that the loop end as soon as no job waits.
  ///
  /// Remaining watches, timers, hooks and monitors end with the loop. Close sockets on the thread
  /// first. Returns immediately. Further calls do nothing.
  public func stop() {
    let isFirst = mailbox.withLock { mailbox in
      guard mailbox.phase == .running else { return false }
      mailbox.phase = .stopping
      return true
    }
    if isFirst { wake() }
  }

  /// Waits until the loop has ended. The loop ends only after a call of ``stop()``.
  ///
  /// The call blocks the calling thread, which must not be this thread.
  public func join() {
    precondition(!isCurrent, "Join a socket thread from another thread.")
    var descriptor = pollfd(fd: endDescriptor, events: Int16(POLLIN), revents: 0)
    while unsafe Glibc.poll(&descriptor, 1, -1) < 1 {
      precondition(errno == EINTR, "poll(2) failed with errno \(errno).")
    }
  }

  /// Traps unless the caller runs on the thread.
  func requireCurrent(_ function: StaticString = #function) {
    precondition(isCurrent, "Call \(function) on the socket thread \"\(name)\".")
  }

  /// Makes the loop check its mailbox.
  func wake() { Self.signal(wakeDescriptor) }

  /// Signals that the loop has ended; ``startThread()`` clears the signal.
  func announceEnd() { Self.signal(endDescriptor) }

  /// Starts a detached thread that keeps this object alive and runs the loop.
  func startThread() {
    Self.clear(endDescriptor)
    var attributes = pthread_attr_t()
    var thread = pthread_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let argument = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<SocketThread>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument)
    unsafe pthread_attr_destroy(&attributes)
    precondition(code == 0, "No thread for \"\(name)\": errno \(code); raise the process limit.")
  }

  private static func makeEventDescriptor() -> Int32 {
    let descriptor = czmq_eventfd()
    precondition(
      descriptor >= 0, "No event descriptor: errno \(errno); raise the limit of open files.")
    return descriptor
  }

  private static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    // The write fails only if the counter is full, and then the descriptor is already readable.
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  static func clear(_ descriptor: Int32) {
    var count: UInt64 = 0
    // The read fails only if there is nothing to clear.
    _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}

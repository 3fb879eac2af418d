internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// A thread that polls sockets and runs the actors and tasks that own them.
///
/// As a `SerialExecutor` it runs actors that return it as their `unownedExecutor`; as a
/// `TaskExecutor` it runs tasks that prefer it, which saves them the way over the global pool.
/// Both run on one thread, one after the other, so they never race with each other.
///
/// One turn of its loop: run the jobs that wait, the timers that are due and the hooks of
/// ``addBeforePoll(_:)``, until no work is left (but look at the sockets in between when work does
/// not end); then wait in poll(2); then call the handlers of what is readable.
///
/// The thread lives, and keeps this object alive, until ``stop()``. A job that comes after its end
/// (the `isolated deinit` of a late actor, say) gets a new thread for as long as it takes: no job
/// is lost.
public final class SocketThread: SerialExecutor, TaskExecutor, @unchecked Sendable {
  // Sendable: `mailbox`, `identity` and the descriptors may be used from anywhere. Every other
  // stored variable belongs to the thread: what touches it is private to the loop or begins with
  // `requireCurrent`. That is also why closures given to `watch` or `schedule` need not be
  // `Sendable`: they are made, called and released on this one thread.

  /// What other threads leave for this one.
  struct Mailbox: Sendable {
    enum Phase { case running, stopping, ended }
    var jobs: [UnownedJob] = []
    var phase = Phase.running
  }

  /// The name of the thread; the system shows its first 15 bytes.
  public let name: String

  let mailbox = Locked(Mailbox())
  /// `pthread_self()` of the running thread, 0 when there is none.
  let identity = Atomic<UInt>(0)
  /// How many callers are inside `enqueue`. The Swift runtime does not retain an executor for that
  /// call, and the job may run, and release the last reference, before the call returns. So the
  /// thread lets go of this object only when nobody is inside.
  let visitors = Atomic<Int>(0)
  /// An eventfd(2) that is readable when the mailbox may hold something new.
  let wakeDescriptor: Int32
  /// An eventfd(2) that is readable when the loop has ended.
  private let endDescriptor: Int32

  var jobs: [UnownedJob] = []
  var runningJobs: [UnownedJob] = []
  var isStopping = false
  var pollSet = PollSet()
  var ready: [WatchID] = []
  var timers = TimerQueue()
  var hooks: [(id: HookID, body: () -> Void)] = []
  /// Those of ``hooks`` that run behind the others.
  var lastHooks: Set<HookID> = []
  var nextHookNumber: UInt64 = 1
  var monitors: [MonitorID: MonitorReader] = [:]
  var turnStart = ContinuousClock.now

  /// Starts the thread.
  ///
  /// Stops the process when the system has no thread or no descriptors left: nothing would run.
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
  /// Costs nothing, is the same for all that runs between two looks at the clock, and so may lag
  /// behind by what the current jobs have taken. Only on the thread.
  public var now: ContinuousClock.Instant {
    requireCurrent()
    return turnStart
  }

  /// Asks the loop to end once no job waits.
  ///
  /// Watches, timers, hooks and monitors that are left then end with it. Close sockets before,
  /// on the thread. Returns at once; calling it again does nothing.
  public func stop() {
    let isFirst = mailbox.withLock { mailbox in
      guard mailbox.phase == .running else { return false }
      mailbox.phase = .stopping
      return true
    }
    if isFirst { wake() }
  }

  /// Waits until the loop has ended; the caller has asked it to by ``stop()``.
  ///
  /// Blocks the calling thread, which must be another one.
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

  /// Makes the loop look at its mailbox.
  func wake() { Self.signal(wakeDescriptor) }

  /// Says that the loop has ended; ``startThread()`` takes that back.
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
    // Fails only when the counter is full, and then the descriptor is readable already.
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  static func clear(_ descriptor: Int32) {
    var count: UInt64 = 0
    // Fails only when there is nothing to clear.
    _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}

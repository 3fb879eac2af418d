import Foundation
import Glibc
import Synchronization
import Trials
public import ZeroMQ

/// A program under test, with at most one process at a time. This type starts the process, and
/// signals and kills the process by the id of the process.
///
/// The kernel kills the process when the thread that started the process ends (`PR_SET_PDEATHSIG`
/// of prctl(2), set by setpriv(1)). So the process also ends when the tests crash.
public final class ServerProcess: Sendable {
  /// The way in which a process ended.
  public enum Exit: Hashable, Sendable {
    case exited(code: Int32)
    case killed(signal: Int32)
  }

  /// The name in error messages, for example `presence-a`.
  public let name: String
  private let command: [String]
  private let logPath: String
  private let thread: SocketThread
  private let state = Mutex(State())

  private struct State {
    var pid: pid_t?
    var exits = AwaitableEntryList<Exit>()
  }

  /// - Parameters:
  ///   - command: The path of the program, and its arguments.
  ///   - logPath: The file to which all runs append their output.
  ///   - thread: The thread that starts the process. The kernel kills the process at the end of the
  ///     thread.
  public init(_ name: String, _ command: [String], logPath: String, on thread: SocketThread) {
    self.name = name
    self.command = command
    self.logPath = logPath
    self.thread = thread
  }

  /// The output of the program in all its runs.
  public var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }

  /// Whether the process runs.
  public var isRunning: Bool { state.withLock { $0.pid != nil } }

  /// The id of the process; `nil` if the process does not run.
  public var processID: Int? { state.withLock { $0.pid.map { Int($0) } } }

  /// Starts the process. The process must not run already.
  public func start() async throws {
    let pid = try await Task(executorPreference: thread) { try self.spawn() }.value
    state.withLock { state in
      precondition(state.pid == nil, "\(name) runs already.")
      state.pid = pid
      state.exits = AwaitableEntryList()
    }
    Thread.detachNewThread { [self] in reap(pid) }
  }

  /// Kills the process if the process runs, and waits until the process has ended.
  public func kill() async throws {
    guard signal(SIGKILL) else { return }
    try await exit()
  }

  /// Sends SIGTERM to the process, and waits until the process has ended.
  @discardableResult
  public func terminate(within limit: Duration = .seconds(15)) async throws -> Exit {
    signal(SIGTERM)
    return try await exit(within: limit)
  }

  /// Suspends the process until ``resume()``.
  ///
  /// Returns when the kernel has stopped all threads of the process. The signal stops the threads
  /// one after another. So a thread on another processor may still read a packet that the test sent
  /// after kill(2).
  public func pause() async throws {
    signal(SIGSTOP)
    try await eventually("\(name) to stand still") { standsStill }
  }

  /// Whether the kernel has stopped all threads of the process (`T` in proc_pid_stat(5)).
  private var standsStill: Bool {
    guard let pid = state.withLock({ $0.pid }),
      let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
    else { return false }
    return threads.allSatisfy { thread in
      let path = "/proc/\(pid)/task/\(thread)/stat"
      guard let line = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
      // The name before the state may contain any characters, even parentheses.
      return line.split(separator: ")").last?.hasPrefix(" T") == true
    }
  }

  public func resume() { signal(SIGCONT) }

  /// Sends SIGQUIT. This signal makes PostgreSQL stop without a checkpoint.
  public func quit() { signal(SIGQUIT) }

  /// Waits for the end of the last process.
  @discardableResult
  public func exit(within limit: Duration = .seconds(15)) async throws -> Exit {
    let exits = state.withLock { $0.exits }
    return try await exits.wait(for: "the end of \(name)", within: limit) { !$0.isEmpty }[0]
  }

  @discardableResult
  private func signal(_ number: Int32) -> Bool {
    // reap() releases the process id under the same lock, so the id cannot belong to another
    // process here.
    state.withLock { state in
      guard let pid = state.pid else { return false }
      return Glibc.kill(pid, number) == 0
    }
  }

  private func reap(_ pid: pid_t) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let (exits, status) = state.withLock { state in
      var status: Int32 = 0
      waitpid(pid, &status, 0)
      state.pid = nil
      return (state.exits, status)
    }
    let signal = status & 0x7f
    exits.append(signal == 0 ? .exited(code: (status >> 8) & 0xff) : .killed(signal: signal))
  }

  private func spawn() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, logPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let command = ["setpriv", "--pdeathsig", "KILL"] + command
    var arguments = command.map { strdup($0) } + [nil]
    // The flags contain all settings, so the process must not read settings from the environment.
    let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CARILLON_") }
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, command[0], &actions, nil, &arguments, &environment)
    guard code == 0 else { throw Failure.notStarted(name, errno: code) }
    return pid
  }

  enum Failure: Error { case notStarted(String, errno: Int32) }
}

internal import Glibc
internal import Output
internal import Synchronization

/// Starts children by posix_spawn(3) with the same isolation for each.
///
/// - The child has its own process group. So a Ctrl-C on the terminal reaches only this process. A
///   signal to the group reaches all processes that the child has started.
/// - The child has the default signal dispositions, and blocks no signals.
/// - The kernel sends the child SIGKILL when the thread that started the child ends. So the child
///   ends whenever this process ends. Only the child can request this signal, with the variadic
///   prctl(2), which Swift cannot call. So `setpriv` (util-linux, part of every Debian system)
///   requests the signal and then runs the program. `setpriv` keeps the process id, and makes C
///   code and a watchdog unnecessary. A watchdog, such as a shell that reads a pipe, could itself
///   be killed.
enum PosixSpawn {
  /// The child's standard streams.
  struct Streams {
    /// The standard input; `nil` makes the child read from /dev/null.
    let input: Int32?
    let output: Int32
    let error: Int32
  }

  /// Starts a program.
  ///
  /// - Returns: The process id of the child, which is also the id of its process group.
  /// - Throws: ``CommandFailure`` with the system's reason.
  static func start(_ command: ChildCommand, _ streams: Streams) throws(CommandFailure) -> pid_t {
    let arguments =
      ["setpriv", "--pdeathsig", "KILL", command.executable] + command.arguments
    let environment = command.environment.map { "\($0.key)=\($0.value)" }.sorted()
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe connect(streams, in: &actions)
    isolate(&attributes)
    var processID: pid_t = 0
    let code = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        Pipe.making.withLock { _ in
          unsafe posix_spawnp(&processID, "setpriv", &actions, &attributes, arguments, environment)
        }
      }
    }
    guard code == 0 else {
      throw .precondition(
        "Cannot start \(command.executable) by setpriv: \(unsafe String(cString: strerror(code))); "
          + "setpriv is part of util-linux.")
    }
    return processID
  }

  private static func connect(_ streams: Streams, in actions: inout posix_spawn_file_actions_t) {
    if let input = streams.input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, streams.error, STDERR_FILENO)
  }

  private static func isolate(_ attributes: inout posix_spawnattr_t) {
    var all = sigset_t()
    var none = sigset_t()
    unsafe sigfillset(&all)
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  /// Passes a null-terminated array of C strings to `body`.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies + [nil])
  }
}

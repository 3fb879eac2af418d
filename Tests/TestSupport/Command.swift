import Glibc

/// Runs programs to their end, without output.
///
/// This type does not use Foundation's `Process`, which detects the end of a program with a socket.
/// Other children that this process starts at the same time inherit the socket, so `Process` also
/// waits for the end of these children.
public enum Command {
  /// The test could not start the program, or the program failed. The status is the `errno` or the
  /// wait status.
  public struct Failure: Error {
    public let program: String
    public let status: Int32
  }

  /// Runs a program from the usual directories, and waits for its end.
  public static func run(_ arguments: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var strings = arguments.map { strdup($0) } + [nil]
    var environment = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
    defer { for text in strings + environment { free(text) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, nil, &strings, &environment)
    guard code == 0 else { throw Failure(program: arguments[0], status: code) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Failure(program: arguments[0], status: status) }
  }
}

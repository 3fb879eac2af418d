import Foundation
import Glibc
import Synchronization
public import ZeroMQ

/// A PostgreSQL server for tests: Debian's server in a temporary directory, reachable only through
/// a Unix socket. The kernel kills the server at the end of the tests.
public final class PostgresServer: Sendable {
  private let directory: String
  private let process: ServerProcess
  private let databases = Mutex(0)

  /// The directory of Debian's programs. `Scripts/postgresql.sh` installs these programs.
  private static let programs = "/usr/lib/postgresql/15/bin"

  /// Returns the server that all tests of the process share. Tests that stop or change a server
  /// need their own server.
  public static func shared() async throws -> PostgresServer { try await common.value }

  private static let common = Task {
    let directory = NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8)
    // The thread runs as long as the process.
    let thread = SocketThread(name: "postgresql")
    return try await PostgresServer(in: directory, on: thread)
  }

  /// Creates a server, and starts the server.
  ///
  /// - Parameters:
  ///   - directory: A short path of a directory that does not exist.
  ///   - settings: Additional lines of `postgresql.conf`.
  ///   - thread: The thread that starts the server. The kernel kills the server at the end of the
  ///     thread.
  public init(
    in directory: String, settings: [String] = [], on thread: SocketThread
  ) async throws {
    let files = FileManager.default
    self.directory = directory
    try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
    // The server refuses to run as root.
    let account = geteuid() == 0 ? getpwnam("nobody")?.pointee : nil
    var prefix = ["setpriv", "--pdeathsig", "KILL"]
    if let account {
      guard chown(directory, account.pw_uid, account.pw_gid) == 0 else {
        throw Command.Failure(program: "chown", status: errno)
      }
      prefix += ["--reuid", "\(account.pw_uid)", "--regid", "\(account.pw_gid)", "--clear-groups"]
    }
    let data = directory + "/data"
    try Command.run(
      prefix + [
        Self.programs + "/initdb", "--pgdata", data, "--username", "carillon", "--auth", "trust",
        "--encoding", "UTF8", "--locale", "C", "--no-sync",
      ])
    let all =
      [
        "listen_addresses = ''", "unix_socket_directories = '\(directory)'",
        "max_connections = 200",
        // Tests kill only the server, not the machine, so the kernel still writes the server's
        // data. Without fsync, hundreds of tests can share one disk.
        "fsync = off",
      ]
      + settings
    let file = try FileHandle(forWritingTo: URL(filePath: data + "/postgresql.conf"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(all.map { $0 + "\n" }.joined().utf8))
    try file.close()
    process = ServerProcess(
      "postgresql", prefix + [Self.programs + "/postgres", "-D", data],
      logPath: directory + ".log", on: thread)
    try await start()
  }

  /// Starts the server, and waits until the server accepts connections.
  public func start() async throws {
    try await process.start()
    try await eventually("PostgreSQL to take connections") {
      (try? self.psql("SELECT 1", in: "postgres")) != nil
    }
  }

  /// Stops the server immediately, like a crash. The server recovers at its next start.
  public func crash() async throws {
    process.quit()
    try await process.exit()
  }

  /// Stops the server from answering until ``thaw()``. Connections stay open.
  public func freeze() throws { try signalAll(SIGSTOP) }

  public func thaw() throws { try signalAll(SIGCONT) }

  /// Stops the server and removes its files.
  public func remove() async throws {
    try? signalAll(SIGCONT)
    if process.isRunning { try await crash() }
    try? FileManager.default.removeItem(atPath: directory)
    try? FileManager.default.removeItem(atPath: directory + ".log")
  }

  /// Creates an empty database.
  ///
  /// - Returns: The address of the database.
  public func makeDatabase() throws -> String {
    let number = databases.withLock { number in
      number += 1
      return number
    }
    let name = "test_\(number)"
    try psql("CREATE DATABASE \(name)", in: "postgres")
    return address(of: name)
  }

  /// Returns the name of the database in an address.
  public static func name(ofDatabaseAt address: String) -> String {
    String(address.drop { $0 != "@" }.dropFirst(2).prefix { $0 != "?" })
  }

  public func address(of database: String) -> String {
    "postgresql://carillon@/\(database)?host=\(directory)"
  }

  /// Runs statements in a database with psql(1), in a separate connection.
  public func psql(_ sql: String, in database: String) throws {
    try Command.run([
      Self.programs + "/psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", address(of: database), "-c",
      sql,
    ])
  }

  private func signalAll(_ number: Int32) throws {
    let first = try String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8)
      .split(separator: "\n").first
    guard let main = first.flatMap({ pid_t($0) }) else { return }
    let children = try String(
      contentsOfFile: "/proc/\(main)/task/\(main)/children", encoding: .utf8
    ).split(separator: " ").compactMap { pid_t($0) }
    for process in [main] + children { kill(process, number) }
  }
}

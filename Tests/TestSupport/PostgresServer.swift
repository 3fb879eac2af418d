import Foundation
import Glibc
import Synchronization
public import ZeroMQ

/// A PostgreSQL server of a test's own: Debian's, in a temporary directory, reached by a Unix
/// socket alone. It dies with the tests.
public final class PostgresServer: Sendable {
  private let directory: String
  private let process: ServerProcess
  private let databases = Mutex(0)

  /// Where Debian's programs are; `Scripts/postgresql.sh` installs them.
  private static let programs = "/usr/lib/postgresql/15/bin"

  /// One for all tests of the process that change no server.
  public static func shared() async throws -> PostgresServer { try await common.value }

  private static let common = Task {
    let directory = NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8)
    // Lives as long as the process.
    let thread = SocketThread(name: "postgresql")
    return try await PostgresServer(in: directory, on: thread)
  }

  /// Makes a server and starts it.
  ///
  /// - Parameters:
  ///   - directory: A short path at which nothing is yet.
  ///   - settings: Lines of its `postgresql.conf`.
  ///   - thread: The server dies with it.
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
        // What a killed server wrote the kernel still has, and hundreds of tests share one disk.
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

  /// Starts the server again, and waits until it takes connections.
  public func start() async throws {
    try await process.start()
    try await eventually("PostgreSQL to take connections") {
      (try? self.psql("SELECT 1", in: "postgres")) != nil
    }
  }

  /// Ends the server at once, as a crash does: it recovers at the next start.
  public func crash() async throws {
    process.quit()
    try await process.exit()
  }

  /// Keeps the server from answering until ``thaw()``: connections stand, and nothing comes.
  public func freeze() throws { try signalAll(SIGSTOP) }

  public func thaw() throws { try signalAll(SIGCONT) }

  /// Ends the server for good and removes what it kept.
  public func remove() async throws {
    try? signalAll(SIGCONT)
    if process.isRunning { try await crash() }
    try? FileManager.default.removeItem(atPath: directory)
    try? FileManager.default.removeItem(atPath: directory + ".log")
  }

  /// Makes an empty database.
  ///
  /// - Returns: Its address.
  public func makeDatabase() throws -> String {
    let number = databases.withLock { number in
      number += 1
      return number
    }
    let name = "test_\(number)"
    try psql("CREATE DATABASE \(name)", in: "postgres")
    return address(of: name)
  }

  /// The name of a database by its address.
  public static func name(ofDatabaseAt address: String) -> String {
    String(address.drop { $0 != "@" }.dropFirst(2).prefix { $0 != "?" })
  }

  public func address(of database: String) -> String {
    "postgresql://carillon@/\(database)?host=\(directory)"
  }

  /// Runs statements in a database, as somebody else.
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

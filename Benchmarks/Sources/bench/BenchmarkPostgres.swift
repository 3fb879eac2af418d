import Foundation
import TestSupport
import ZeroMQ

/// A server of Debian's PostgreSQL for one run. `fsync` and `synchronous_commit` are on, as by
/// default; the tests' servers turn `fsync` off.
struct BenchmarkPostgres {
  let server: PostgresServer
  private let directory: String

  /// Runs the server during `body`, and removes the server afterwards.
  static func hold<Result: Sendable>(
    _ body: (BenchmarkPostgres) async throws -> Result
  ) async throws -> Result {
    let thread = SocketThread(name: "postgresql")
    defer {
      thread.stop()
      thread.join()
    }
    // Use a separate directory, because the server's account may have no access to the directory of
    // this program.
    let directory = NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8)
    let server = try await PostgresServer(in: directory, settings: ["fsync = on"], on: thread)
    do {
      let result = try await body(BenchmarkPostgres(server: server, directory: directory))
      try await server.remove()
      return result
    } catch {
      try? await server.remove()
      throw error
    }
  }

  /// The server's process ids: one for each connection and a few more.
  var processIDs: [Int] {
    get throws {
      let lines = try String(contentsOfFile: "\(directory)/data/postmaster.pid", encoding: .utf8)
      guard let main = lines.split(separator: "\n").first.flatMap({ Int($0) }) else {
        throw BenchError.missing("The process of PostgreSQL")
      }
      let children = try String(
        contentsOfFile: "/proc/\(main)/task/\(main)/children", encoding: .utf8)
      return [main] + children.split(separator: " ").compactMap { Int($0) }
    }
  }
}

import Foundation
import TestSupport
import ZeroMQ

/// A server of Debian's PostgreSQL for one run. `fsync` and `synchronous_commit` are on, as in the
/// settings it comes with; the tests' servers do without `fsync`.
struct StoreServer {
  let server: PostgresServer
  private let directory: String

  /// Starts it, hands it over, and removes it.
  static func hold<Result: Sendable>(
    _ body: (StoreServer) async throws -> Result
  ) async throws -> Result {
    let thread = SocketThread(name: "postgresql")
    defer {
      thread.stop()
      thread.join()
    }
    // Not within a directory of ours, which its account may not enter.
    let directory = NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8)
    let server = try await PostgresServer(in: directory, settings: ["fsync = on"], on: thread)
    do {
      let result = try await body(StoreServer(server: server, directory: directory))
      try await server.remove()
      return result
    } catch {
      try? await server.remove()
      throw error
    }
  }

  /// Its processes, which are one for each connection and a few more.
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

import TestSupport
import ZeroMQ

/// A server that we are compared with, or our own bare one, as a process.
struct Peer {
  private let process: ServerProcess
  private let thread: SocketThread

  /// Starts the server; it dies with this process. What it prints goes to a file of `directory`.
  static func start(
    _ name: String, _ command: [String], in directory: String
  ) async throws -> Peer {
    let thread = SocketThread(name: "peer")
    let process = ServerProcess(name, command, logPath: "\(directory)/\(name).log", on: thread)
    try await process.start()
    return Peer(process: process, thread: thread)
  }

  /// The process id of a server that prints it first.
  var processID: Int {
    get throws {
      guard let line = process.log.split(separator: "\n").first, let id = Int(line) else {
        throw BenchError.missing("The process id of \(process.name)")
      }
      return id
    }
  }

  var isRunning: Bool { process.isRunning }

  /// What it has printed.
  var log: String { process.log }

  /// A line that it prints, from 0, which is waited for.
  func line(_ number: Int) async throws -> String {
    var line: String?
    try await eventually("what \(process.name) prints") {
      guard process.isRunning else { throw BenchError.ended(process.name) }
      let whole = process.log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      line = whole.count > number ? String(whole[number]) : nil
      return line != nil
    }
    return line ?? ""
  }

  func end() async {
    try? await process.kill()
    thread.stop()
    thread.join()
  }
}

/// Runs `body` with servers that are ended after it, whatever comes of it.
///
/// - Parameter wait: Called behind the start of each, with its name; the next one waits for it.
func withPeers<Result>(
  _ commands: [(name: String, command: [String])], in directory: String,
  startingEach wait: (String, Peer) async throws -> Void = { _, _ in },
  _ body: ([Peer]) async throws -> Result
) async throws -> Result {
  var peers: [Peer] = []
  do {
    for (name, command) in commands {
      let peer = try await Peer.start(name, command, in: directory)
      peers.append(peer)
      try await wait(name, peer)
    }
    let result = try await body(peers)
    for peer in peers { await peer.end() }
    return result
  } catch {
    for peer in peers { await peer.end() }
    throw error
  }
}

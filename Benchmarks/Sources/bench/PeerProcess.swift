import TestSupport
import ZeroMQ

/// The process of a peer, or of a bare server of this benchmark.
struct PeerProcess {
  private let process: ServerProcess
  private let thread: SocketThread

  /// Starts the server. The server ends when this process ends. The server writes its output to a
  /// file in `directory`.
  static func start(
    _ name: String, _ command: [String], in directory: String
  ) async throws -> PeerProcess {
    let thread = SocketThread(name: "peer")
    let process = ServerProcess(name, command, logPath: "\(directory)/\(name).log", on: thread)
    try await process.start()
    return PeerProcess(process: process, thread: thread)
  }

  /// The process id, for a server that prints the id as its first line.
  var processID: Int {
    get throws {
      guard let line = process.log.split(separator: "\n").first, let id = Int(line) else {
        throw BenchError.missing("The process id of \(process.name)")
      }
      return id
    }
  }

  var isRunning: Bool { process.isRunning }

  /// The server's output so far.
  var log: String { process.log }

  /// Waits for a line of the server's output, numbered from 0.
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

/// Starts servers, runs `body`, and then ends the servers, even after an error.
///
/// - Parameter wait: Called after the start of each server, with the name of this server. The next
///   server starts when this closure returns.
func withPeers<Result>(
  _ commands: [(name: String, command: [String])], in directory: String,
  startingEach wait: (String, PeerProcess) async throws -> Void = { _, _ in },
  _ body: ([PeerProcess]) async throws -> Result
) async throws -> Result {
  var peers: [PeerProcess] = []
  do {
    for (name, command) in commands {
      let peer = try await PeerProcess.start(name, command, in: directory)
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

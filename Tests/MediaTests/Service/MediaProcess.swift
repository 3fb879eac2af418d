import TestSupport

/// The program `media`, preloaded with `allocation-counter`.
struct MediaProcess: Sendable {
  let program: String
  private let process: ServerProcess
  private let counts: String
  private let httpPath: String

  /// Prepares the process. Media mixes all ten talkers of a test, so that no talker enters or
  /// leaves the mix.
  ///
  /// - Parameter directory: The directory for the process's sockets.
  init(in directory: String, on fixture: MediaServiceFixture) throws {
    let binaries = try Installation.binaries()
    program = "\(binaries)/media"
    counts = "\(directory)/allocations"
    httpPath = "\(directory)/media-a.http.sock"
    process = ServerProcess(
      "media-a",
      [
        "/usr/bin/env", "LD_PRELOAD=\(binaries)/liballocation-counter.so",
        "ALLOCATION_COUNTER_FILE=\(counts)", program, "--instance", "media-a",
        "--runtime-dir", directory, "--data-dir", "\(directory)/data",
        "--gateway-grace-seconds", "300", "--max-talkers", "10",
      ], logPath: "\(directory)/media-a.log", on: fixture.thread)
  }

  func start() async throws {
    try AllocationCounts.make(at: counts)
    try await process.start()
    try await eventually("media to be ready", within: .seconds(20)) {
      let reply = try? await LocalHTTP.ask("GET", "/readyz", at: .unixSocket(path: httpPath))
      return reply?.status == 200
    }
  }

  func end() async throws { try await process.kill() }

  /// Returns the number of client packets that the process received.
  func received(_ kind: String) async throws -> Int {
    let text = try await LocalHTTP.ask("GET", "/metrics", at: .unixSocket(path: httpPath)).body
    return MetricsText(text).sum("carillon_media_received_packets_total", ["kind": kind])
  }

  /// Returns the allocations of the process while `body` runs.
  func counting(_ body: () async throws -> Void) async throws -> AllocationCounts {
    try AllocationCounts.arm(counts, true)
    try await body()
    try AllocationCounts.arm(counts, false)
    return try AllocationCounts(at: counts, of: program)
  }
}

import TestSupport

/// Measures how many data messages of 2 KiB the service `messaging` stores and acknowledges at its
/// own socket. The messages belong to twelve meetings, and all instances share one store.
struct MessagingScaling: ScalingBenchmark {
  let options: MeasurementOptions
  let store: Store
  let unit = "appends/s"

  /// The store of messages.
  enum Store: String {
    /// One SQLite file.
    case sqlite
    case postgresql
  }

  private static let meetings = 12
  private static let messages = 40_000

  /// The number of outstanding appends in all meetings together.
  private static let window = 576

  var name: String { "scale.messaging.\(store)" }

  func throughput(of instances: Int) async throws -> Throughput {
    switch store {
    case .sqlite: try await throughput(of: instances, []) { [] }
    case .postgresql:
      try await BenchmarkPostgres.hold { server in
        let database = try server.server.makeDatabase()
        return try await throughput(of: instances, ["--store", database]) { try server.processIDs }
      }
    }
  }

  /// - Parameter servers: Returns the store's processes, if the store has its own processes.
  private func throughput(
    of instances: Int, _ flags: [String], _ servers: () throws -> [Int]
  ) async throws -> Throughput {
    let flags = MessageBenchmarkMeeting.raisedOfMessaging + flags
    return try await BenchmarkServiceInstances.hold("messaging", count: instances, flags: flags) {
      messaging in
      let meetings = try messaging.makeMeetings(Self.meetings)
      let crowd = try Crowd(options, ["append", meetings, "\(MessageBenchmarkMeeting.bytes)"])
      defer { crowd.end() }
      _ = try crowd.fan(events: Self.messages / 4, window: Self.window)
      return try Throughput(
        of: Self.messages, by: try messaging.processIDs, for: [crowd.processID],
        on: try servers()
      ) { _ = try crowd.fan(events: Self.messages, window: Self.window) }
    }
  }
}

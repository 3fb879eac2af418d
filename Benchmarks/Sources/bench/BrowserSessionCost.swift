import TestSupport
import Wire

/// Measures the gateway's memory per idle browser, and the join time of browsers that join
/// simultaneously.
struct BrowserSessionCost: Benchmark {
  let options: MeasurementOptions
  let name = "browser"

  var names: [String] { ["browser.memory", "browser.join"] }

  /// The number of idle sessions, in meetings of the default capacity.
  private static let idle = 2_000
  private static let meetings = 8

  /// The number of browsers that join one meeting simultaneously.
  private static let joining = 500

  func measure() async throws -> [BenchmarkRow] {
    var costs: [Double] = []
    var joins: [(half: Double, most: Double)] = []
    for _ in 0..<options.rounds {
      costs.append(try await idleKilobytes())
      joins.append(try await join())
    }
    return [
      BenchmarkRow(
        name: "browser.memory.idle", unit: "KB", peer: nil, samples: costs.map { .init(value: $0) },
        bar: .atMost(24)),
      BenchmarkRow(
        name: "browser.join.500.p50", unit: "ms", peer: nil,
        samples: joins.map { .init(value: $0.half) }),
      BenchmarkRow(
        name: "browser.join.500.p99", unit: "ms", peer: nil,
        samples: joins.map { .init(value: $0.most) }),
    ]
  }

  private func withBrowsers<Result: Sendable>(
    _ count: Int, meetings: Int, _ body: (Installation, () throws -> Crowd) async throws -> Result
  ) async throws -> Result {
    let raised = ["--rest-connections-per-address", "\(2 * count)", "--client-budget-kib", "65536"]
    return try await Installation.run(raised: raised, capacity: count / meetings) { installation in
      let attendees = try await installation.makeAttendees(count / meetings, meetings: meetings)
      return try await body(installation) {
        try Crowd.browsers(
          options, of: installation.gateway, as: attendees, in: installation.directory, sending: 1)
      }
    }
  }

  /// Returns the gateway's memory per session in KB, after all sessions have joined.
  private func idleKilobytes() async throws -> Double {
    try await withBrowsers(Self.idle, meetings: Self.meetings) { installation, connect in
      let services = try await installation.ask(
        V1.OperatorMethods.getServices, V1.GetServicesRequest())
      guard let gateway = services.instances.first(where: { $0.service == "gateway" }) else {
        throw BenchError.missing("The gateway's process")
      }
      let before = try ProcessMemory.proportionalKilobytes(of: Int(gateway.processID))
      let crowd = try connect()
      defer { crowd.end() }
      _ = try crowd.join(outstanding: 8)
      let after = try ProcessMemory.proportionalKilobytes(of: Int(gateway.processID))
      return (after - before) / Double(Self.idle)
    }
  }

  /// Returns the median and the 99th percentile of the time from JOIN to the complete roster, in
  /// milliseconds. The connections are already open.
  private func join() async throws -> (half: Double, most: Double) {
    try await withBrowsers(Self.joining, meetings: 1) { _, connect in
      let crowd = try connect()
      defer { crowd.end() }
      let joined = try crowd.join(outstanding: Self.joining)
      return (joined.half, joined.most)
    }
  }
}

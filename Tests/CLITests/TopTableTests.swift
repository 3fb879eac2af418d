import Output
import Testing

@testable import CLI
@testable import LocalInstallation

@Suite struct TopTableTests {
  private static func load(
    _ instance: String, cpu: Double, megabytes: Int, calls: Int? = nil
  ) -> OutputRecord {
    func reading(_ share: Double) -> MetricsReading {
      MetricsReading(
        """
        process_start_time_seconds 1
        process_cpu_seconds_total \(cpu * share)
        process_resident_memory_bytes \(megabytes * 1_000_000)
        carillon_gateway_meetings 3
        \(calls.map { "x_request_duration_seconds_count \(Double($0) * share)" } ?? "")
        """)
    }
    return InstanceUtilization(of: instance, now: reading(1), before: reading(0), seconds: 1).record
  }

  private static let records = [
    load("gateway-a", cpu: 0.2, megabytes: 40, calls: 7),
    load("presence-a", cpu: 0.9, megabytes: 10, calls: 12),
    load("media-b", cpu: 0.2, megabytes: 30),
    InstanceUtilization(of: "media-a", now: nil, before: nil, seconds: 1).record,
  ]

  @Test(arguments: [
    (TopOrder.name, ["gateway-a", "media-a", "media-b", "presence-a"]),
    (.cpu, ["presence-a", "gateway-a", "media-b", "media-a"]),
    (.memory, ["gateway-a", "media-b", "presence-a", "media-a"]),
    (.requests, ["presence-a", "gateway-a", "media-a", "media-b"]),
  ])
  func `rows are sorted from the largest figure down, then by name, and empty rows are last`(
    order: TopOrder, names: [String]
  ) {
    #expect(order.sorted(Self.records).map { $0["instance"]?.text ?? "" } == names)
  }

  @Test(arguments: TopOrder.allCases)
  func `each sort order except the order by name depends on a figure in the table`(order: TopOrder)
  {
    #expect(order == .name || Self.fields.contains { changes(order, with: $0) })
  }

  private static let fields = records[0].fields.map(\.name)

  /// Returns whether a larger number in a field moves a record toward the start of the table.
  private func changes(_ order: TopOrder, with field: String) -> Bool {
    var (first, second) = (Self.records[3], Self.records[3])
    first["instance"] = "a"
    second["instance"] = "b"
    second[field] = 5
    return order.sorted([first, second]).first?["instance"] == "b"
  }

  @Test func `the sum row adds only additive figures and counts no meeting twice`() {
    let sum = TopTable.sum(of: Self.records)
    #expect(sum["instance"] == "sum")
    #expect(sum["cpu_percent"] == 130)
    #expect(sum["memory_mb"] == 80)
    #expect(sum["requests_per_second"] == 19)
    #expect(sum["meetings"] == .null)
    #expect(sum["packets_in_per_second"] == .null)
  }

  @Test func `a table that is too long for the screen keeps its sum row`() {
    #expect(TopTable.lines(Self.records, rows: 20).count == 6)
    let lines = TopTable.lines(Self.records, rows: 3)
    #expect(lines.map { $0.prefix { $0 != " " } } == ["instance", "gateway-a", "sum"])
    #expect(TopTable.lines(Self.records, rows: 1).count == 1)
  }
}

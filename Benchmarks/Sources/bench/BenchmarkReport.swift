import Foundation

/// The table on standard output and the lines of the results file.
struct BenchmarkReport {
  private let options: MeasurementOptions
  private var rows: [BenchmarkRow] = []

  init(_ options: MeasurementOptions) { self.options = options }

  func printHead() {
    let information = ProcessInfo.processInfo
    say(
      "\(Self.processor), \(information.activeProcessorCount) cores, "
        + "\(information.operatingSystemVersionString), \(options.rounds) rounds")
  }

  /// Adds a row and rewrites the file, so that an interrupted run keeps its rows.
  mutating func add(_ row: BenchmarkRow) throws {
    rows.append(row)
    say(row.json)
    try Data((rows.map(\.json).joined(separator: "\n") + "\n").utf8)
      .write(to: URL(fileURLWithPath: options.results))
  }

  func printTable() {
    say()
    let head = ["what", "value", "unit", "peer", "its value", "ratio", "bar", ""]
    let lines = [head] + rows.map(Self.cells)
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    for line in lines {
      let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      say(cells.joined(separator: "  "))
    }
  }

  private static func cells(_ row: BenchmarkRow) -> [String] {
    [
      row.name, number(row.value), row.unit, row.peer ?? "", number(row.peerValue),
      row.ratio.map { String(format: "%.2f", $0) } ?? "", row.bar.map { "\($0)" } ?? "",
      row.isMet.map { $0 ? "met" : "missed" } ?? "",
    ]
  }

  private static func number(_ value: Double?) -> String {
    guard let value else { return "" }
    return String(format: value < 1 ? "%.3f" : value < 1_000 ? "%.1f" : "%.0f", value)
  }

  private static var processor: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = line?.split(separator: ":").last ?? "unknown processor"
    return name.trimmingCharacters(in: .whitespaces)
  }
}

/// What an instance counted at a moment: each metric of Prometheus's text format with the sum of
/// its series, and those series.
package struct MetricsReading: Hashable, Sendable {
  private var sums: [Substring: Double] = [:]
  private var series: [Substring: Double] = [:]

  /// Reads a text; lines that are no sample are passed over.
  package init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " "),
        let value = Double(line[line.index(after: space)...]),
        value.isFinite
      else { continue }
      let name = line[..<space]
      sums[name.prefix { $0 != "{" }, default: 0] += value
      series[name] = value
    }
  }

  /// The sum of all series of a metric; `nil`: there is none.
  package subscript(metric: String) -> Double? { sums[metric[...]] }

  /// The sum of the series of a metric in which a label has a value; `nil`: there is none.
  package func sum(of metric: String, where label: String, is value: String) -> Double? {
    let wanted = "\(label)=\"\(value)\""
    let found = series.filter { $0.key.hasPrefix("\(metric){") && $0.key.contains(wanted) }
    return found.isEmpty ? nil : found.values.reduce(0, +)
  }

  /// The sum of all metrics whose names end so; `nil`: there is none.
  package func sum(ofAllEndingIn ending: String) -> Double? {
    let found = sums.filter { $0.key.hasSuffix(ending) }
    return found.isEmpty ? nil : found.values.reduce(0, +)
  }
}

/// The metrics of an instance at one time: each series, and the sum of each metric's series.
package struct MetricsReading: Hashable, Sendable {
  private var sums: [Substring: Double] = [:]
  private var series: [Substring: Double] = [:]

  /// Parses Prometheus's text format. Skips lines that are not samples.
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

  /// The sum of all series of a metric; `nil` if the metric has no series.
  package subscript(metric: String) -> Double? { sums[metric[...]] }

  /// Returns the sum of the metric's series whose given label has the given value; `nil` if there
  /// is no such series.
  package func sum(of metric: String, where label: String, is value: String) -> Double? {
    let wanted = "\(label)=\"\(value)\""
    let found = series.filter { $0.key.hasPrefix("\(metric){") && $0.key.contains(wanted) }
    return found.isEmpty ? nil : found.values.reduce(0, +)
  }

  /// Returns the sum of all metrics whose names have a suffix; `nil` if there is no such metric.
  package func sum(ofAllEndingIn ending: String) -> Double? {
    let found = sums.filter { $0.key.hasSuffix(ending) }
    return found.isEmpty ? nil : found.values.reduce(0, +)
  }
}

/// The Prometheus text exposition format, version 0.0.4.
enum PrometheusText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// Appends a metric with all its series.
  static func append(_ name: String, _ entry: MetricsRegistry.Entry, to text: inout String) {
    text += "# HELP \(name) \(escapedHelp(entry.help))\n"
    text += "# TYPE \(name) \(entry.kind.rawValue)\n"
    for (labels, instrument) in entry.series.sorted(by: { $0.key < $1.key }) {
      switch instrument {
      case .counter(let counter):
        line(name, labels.text, "\(counter.value)", &text)
      case .sampledCounter(let sample):
        line(name, labels.text, "\(sample())", &text)
      case .durationCounter(let counter):
        line(name, labels.text, number(counter.seconds), &text)
      case .sampledDurationCounter(let sample):
        line(name, labels.text, number(sample()), &text)
      case .gauge(let gauge):
        line(name, labels.text, number(gauge.value), &text)
      case .sampledGauge(let sample):
        line(name, labels.text, number(sample()), &text)
      case .histogram(let histogram):
        append(name, labels.text, histogram, to: &text)
      case .summary(let summary):
        let (count, sum) = summary.snapshot
        line("\(name)_sum", labels.text, number(sum), &text)
        line("\(name)_count", labels.text, "\(count)", &text)
      }
    }
  }

  /// Escapes backslashes and line feeds of a help text.
  static func escapedHelp(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  /// Escapes backslashes, quotes and line feeds of a label value.
  static func escapedLabelValue(_ text: String) -> String {
    escapedHelp(text).replacing("\"", with: "\\\"")
  }

  /// Returns a number in Prometheus's format.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int(exactly: value).map(String.init) ?? value.description
  }

  private static func append(
    _ name: String, _ labels: String, _ histogram: Histogram, to text: inout String
  ) {
    let separator = labels.isEmpty ? "" : ","
    let ends = Histogram.bounds.map { number(Double($0) / 1e9) } + ["+Inf"]
    var total: UInt64 = 0
    for (end, count) in zip(ends, histogram.counts) {
      total += count
      line("\(name)_bucket", "\(labels)\(separator)le=\"\(end)\"", "\(total)", &text)
    }
    line("\(name)_sum", labels, number(histogram.sum), &text)
    line("\(name)_count", labels, "\(total)", &text)
  }

  private static func line(
    _ name: String, _ labels: String, _ value: String, _ text: inout String
  ) {
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }
}

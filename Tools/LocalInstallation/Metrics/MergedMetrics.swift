/// The metrics of several instances as one text of Prometheus's exposition format (version 0.0.4).
///
/// Each series gets the label `instance`. The text groups the series of one metric over all
/// instances, as the format requires.
package struct MergedMetrics: Sendable {
  /// The content type of ``text``.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// A metric with its descriptions and samples.
  private struct Family: Sendable {
    var descriptions: [Substring] = []
    var samples: [String] = []
  }

  private var families: [String: Family] = [:]

  package init() {}

  /// Adds the metrics of an instance. Ignores lines that are not metrics.
  package mutating func add(_ text: String, of instance: String) {
    let label = "instance=\"\(Self.escaped(instance))\""
    var current = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count > 2 else { continue }
        current = String(words[2])
        let kind = words[1]
        if families[current]?.descriptions.contains(where: { $0.hasPrefix("# \(kind)") }) != true {
          families[current, default: Family()].descriptions.append(line)
        }
      } else if let sample = Self.labelled(line, label), sample.hasPrefix(current), !current.isEmpty
      {
        families[current, default: Family()].samples.append(sample)
      }
    }
  }

  /// Adds the metric `carillon_instance_up`, which states whether an instance answered.
  package mutating func note(_ instance: String, isUp: Bool) {
    add(
      """
      # HELP carillon_instance_up Whether the instance said what it counts.
      # TYPE carillon_instance_up gauge
      carillon_instance_up \(isUp ? 1 : 0)
      """, of: instance)
  }

  /// The merged text, sorted by metric. Any text that is not empty ends with a line feed.
  package var text: String {
    families.sorted { $0.key < $1.key }
      .map { _, family in
        (family.descriptions.map(String.init) + family.samples).joined(separator: "\n") + "\n"
      }
      .joined()
  }

  /// Adds a label to a line `name{labels} value` or `name value`; returns `nil` for other lines.
  private static func labelled(_ line: Substring, _ label: String) -> String? {
    guard !line.hasPrefix("#") else { return nil }
    if let brace = line.firstIndex(of: "{") {
      let rest = line[line.index(after: brace)...]
      return "\(line[..<brace]){\(label)\(rest.hasPrefix("}") ? "" : ",")\(rest)"
    }
    guard let space = line.firstIndex(of: " ") else { return nil }
    return "\(line[..<space]){\(label)}\(line[space...])"
  }

  /// Splits a merged text into the texts of the instances, by name. This method is the inverse of
  /// ``text``.
  package static func texts(in merged: String) -> [String: String] {
    merged.split(separator: "\n").reduce(into: [:]) { texts, line in
      guard !line.hasPrefix("#"), let (instance, sample) = unlabelled(line) else { return }
      texts[instance, default: ""] += sample + "\n"
    }
  }

  /// Returns the instance of a line made by ``labelled(_:_:)``, and the line without that label.
  private static func unlabelled(_ line: Substring) -> (instance: String, sample: String)? {
    let opening = "{instance=\""
    guard let start = line.firstRange(of: opening) else { return nil }
    let instance = line[start.upperBound...].prefix { $0 != "\"" }
    let rest = line[instance.endIndex...].dropFirst()
    guard rest.hasPrefix(",") || rest.hasPrefix("}") else { return nil }
    let labels = rest.hasPrefix(",") ? "{\(rest.dropFirst())" : String(rest.dropFirst())
    return (String(instance), line[..<start.lowerBound] + labels)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

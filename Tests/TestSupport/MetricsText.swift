/// The metrics of a process, read from the Prometheus text format.
public struct MetricsText: Sendable {
  private struct Sample {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  private let samples: [Sample]

  /// Parses the subset of the text exposition format that the services write.
  public init(_ text: String) {
    samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      guard let gap = line.lastIndex(of: " "), let value = Double(line[line.index(after: gap)...])
      else { return nil }
      let parts = line[..<gap].split(separator: "{", maxSplits: 1)
      let pairs = parts.dropFirst().flatMap { $0.dropLast().split(separator: ",") }
      let labels = pairs.compactMap { pair -> (String, String)? in
        let sides = pair.split(separator: "=", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        return (String(sides[0]), String(sides[1].dropFirst().dropLast()))
      }
      return Sample(
        name: String(parts[0]), labels: Dictionary(labels) { $1 }, value: value)
    }
  }

  /// Returns the sum of all samples with this name and these labels; 0 if there are none.
  public func sum(_ name: String, _ labels: [String: String] = [:]) -> Int {
    let matching = samples.filter { sample in
      sample.name == name && sample.value.isFinite
        && labels.allSatisfy { sample.labels[$0.key] == $0.value }
    }
    return Int(matching.map(\.value).reduce(0, +))
  }
}

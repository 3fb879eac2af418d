/// What a process counts, as Prometheus reads it.
public struct MetricsText: Sendable {
  private struct Sample {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  private let samples: [Sample]

  /// Reads the text exposition format, as far as our services write it.
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

  /// The sum of all samples of this name that have these labels; 0 if there are none.
  public func sum(_ name: String, _ labels: [String: String] = [:]) -> Int {
    let matching = samples.filter { sample in
      sample.name == name && sample.value.isFinite
        && labels.allSatisfy { sample.labels[$0.key] == $0.value }
    }
    return Int(matching.map(\.value).reduce(0, +))
  }
}

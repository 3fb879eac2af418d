/// The command of this program.
enum BenchmarkCommand {
  /// Run the benchmarks. This is the usual command.
  case measure(MeasurementOptions)

  /// Answer requests, as the server process of a request benchmark.
  case serve(path: String)

  /// Send requests, as the client process of a request benchmark.
  case ask(path: String)

  init(_ arguments: [String]) throws {
    switch arguments.dropFirst().first {
    case "serve" where arguments.count == 3: self = .serve(path: arguments[2])
    case "ask" where arguments.count == 3: self = .ask(path: arguments[2])
    default: self = .measure(try MeasurementOptions(arguments.dropFirst()))
    }
  }
}

/// The options of a measurement.
struct MeasurementOptions {
  /// The directory of the peers' programs.
  var peers = ".build/peers"

  /// The results file, with one JSON object per line.
  var results = "results/latest.jsonl"

  /// The number of alternating rounds of each benchmark.
  var rounds = 5

  /// The number of events in flight during a measurement of deliveries per second.
  var window = 48

  /// The prefixes of the names to measure; empty for all.
  var only: [String] = []

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let flag = rest.next() {
      guard let value = rest.next() else { throw BenchError.usage }
      switch flag {
      case "--peers": peers = value
      case "--results": results = value
      case "--rounds": rounds = try Self.count(value)
      case "--window": window = try Self.count(value)
      case "--only": only.append(value)
      default: throw BenchError.usage
      }
    }
  }

  private static func count(_ text: String) throws -> Int {
    guard let count = Int(text), count > 0 else { throw BenchError.usage }
    return count
  }

  func wants(_ name: String) -> Bool {
    only.isEmpty || only.contains { name.hasPrefix($0) }
  }
}

/// What this program was started for.
enum Command {
  /// Measure, which is what people start it for.
  case measure(Options)

  /// Answer requests, as the other process of a request benchmark.
  case serve(path: String)

  /// Ask for answers, as the measured process of a request benchmark.
  case ask(path: String)

  init(_ arguments: [String]) throws {
    switch arguments.dropFirst().first {
    case "serve" where arguments.count == 3: self = .serve(path: arguments[2])
    case "ask" where arguments.count == 3: self = .ask(path: arguments[2])
    default: self = .measure(try Options(arguments.dropFirst()))
    }
  }
}

/// How to measure.
struct Options {
  /// The directory with the programs that we are compared with.
  var peers = ".build/peers"

  /// The file that takes a JSON object a line.
  var results = "results/latest.jsonl"

  /// How often each is measured, in turns.
  var rounds = 5

  /// Events under way at once where deliveries per second are measured.
  var window = 48

  /// Beginnings of the names to measure; empty for all.
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

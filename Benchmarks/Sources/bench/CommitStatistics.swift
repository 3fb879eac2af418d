import TestSupport

/// The number and duration of messaging's commits since the start of messaging. The numbers are
/// from messaging's own metrics.
struct CommitStatistics {
  let count: Double
  let seconds: Double

  /// Reads the metrics of a messaging process.
  init(at path: String) async throws {
    let text = try await LocalHTTP.ask("GET", "/metrics", at: .unixSocket(path: path)).body
    func value(_ suffix: String) throws -> Double {
      let name = "carillon_messaging_commit_duration_seconds_\(suffix){result=\"stored\"} "
      let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
      guard let value = line.flatMap({ Double($0.dropFirst(name.count)) }) else {
        throw BenchError.missing(name)
      }
      return value
    }
    (count, seconds) = (try value("count"), try value("sum"))
  }

  private init(count: Double, seconds: Double) { (self.count, self.seconds) = (count, seconds) }

  /// Returns the difference from an earlier reading.
  func since(_ earlier: CommitStatistics) -> CommitStatistics {
    CommitStatistics(count: count - earlier.count, seconds: seconds - earlier.seconds)
  }

  /// The average duration of a commit, in microseconds.
  var microseconds: Double { count == 0 ? 0 : seconds / count * 1_000_000 }
}

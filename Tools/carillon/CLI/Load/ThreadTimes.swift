internal import Foundation

/// The processor times of this process's threads.
struct ThreadTimes: Sendable {
  /// The times in seconds, by thread id.
  private let seconds: [String: Double]
  private let readAt: ContinuousClock.Instant

  init(_ seconds: [String: Double], at time: ContinuousClock.Instant) {
    (self.seconds, readAt) = (seconds, time)
  }

  /// Reads the times from `/proc/self/task`.
  static func read() -> ThreadTimes {
    let folder = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let seconds = threads.compactMap { thread in
      FileManager.default.contents(atPath: "\(folder)/\(thread)/stat")
        .flatMap { Self.seconds(in: String(decoding: $0, as: UTF8.self)) }
        .map { (thread, $0) }
    }
    return ThreadTimes(Dictionary(seconds, uniquingKeysWith: { $1 }), at: .now)
  }

  /// Returns the load of this process since an earlier reading, in hundredths.
  ///
  /// The load is the larger of two values: the share of one core that the busiest thread uses, and
  /// the share of all cores that all threads together use.
  func busyPercent(since before: ThreadTimes, cores: Int) -> Int {
    let passed = (readAt - before.readAt) / .seconds(1)
    guard passed > 0 else { return 0 }
    let had = seconds.map { thread, now in max(now - (before.seconds[thread] ?? 0), 0) }
    let share = max(had.max() ?? 0, had.reduce(0, +) / Double(max(cores, 1))) / passed
    return Int((min(share, 1) * 100).rounded())
  }

  /// Returns the sum of the fields 14 and 15 of `/proc/PID/stat` (see proc(5)), in seconds.
  ///
  /// This method counts the fields after the name, because the name may contain spaces.
  static func seconds(in stat: String) -> Double? {
    guard let name = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[name...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      return nil
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

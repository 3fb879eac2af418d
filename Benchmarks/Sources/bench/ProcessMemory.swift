import Foundation

/// What the kernel says of a process's memory (proc(5), `smaps_rollup`).
enum ProcessMemory {
  /// Proportional set size: its own pages, and its share of those it shares.
  static func proportionalKilobytes(of process: Int) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
      throw BenchError.missing("The proportional set size of process \(process)")
    }
    return number
  }
}

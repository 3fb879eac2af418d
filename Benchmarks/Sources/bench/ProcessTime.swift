import Foundation

/// What the kernel says of a process's time on the processors (proc(5), `stat`).
enum ProcessTime {
  /// The time of all its threads in user and kernel mode, in microseconds. The kernel counts
  /// hundredths of a second.
  static func microseconds(of process: Int) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name, in parentheses, may hold spaces.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let kernel = Double(fields[12]) else {
      throw BenchError.missing("The processor time of process \(process)")
    }
    return (user + kernel) * 10_000
  }
}

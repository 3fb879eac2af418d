import Foundation

/// The processor time of a process as reported by the kernel (proc(5), `stat`).
enum ProcessTime {
  /// Returns the time of all threads of the process in user and kernel mode, in microseconds. The
  /// kernel's resolution is 10 ms.
  static func microseconds(of process: Int) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name of the process is in parentheses, and may contain spaces.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let kernel = Double(fields[12]) else {
      throw BenchError.missing("The processor time of process \(process)")
    }
    return (user + kernel) * 10_000
  }
}

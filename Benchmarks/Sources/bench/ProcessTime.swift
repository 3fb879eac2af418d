import Glibc

/// The processor time of a process as reported by the kernel (clock_getcpuclockid(3)).
enum ProcessTime {
  /// Returns the time of all threads of the process in user and kernel mode, in microseconds. The
  /// time includes threads that have ended.
  static func microseconds(of process: Int) throws -> Double {
    var (clock, time) = (clockid_t(), timespec())
    guard clock_getcpuclockid(pid_t(process), &clock) == 0, clock_gettime(clock, &time) == 0 else {
      throw BenchError.missing("The processor time of process \(process)")
    }
    return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
  }
}

internal import Foundation

/// The metrics of every process: its build, its age, its processor time, its memory and its open
/// files.
enum ProcessMetrics {
  /// Registers the metrics. The process calls this function once, at its start.
  static func register(
    in metrics: MetricsRegistry, service: String, version: String, startedAt start: Date
  ) {
    let build = RenderedLabels([("service", service), ("version", version)])
    _ = metrics.register(
      "carillon_build_info",
      help: "Version of the running build, as labels; the value is 1.", labels: build
    ) { .sampledGauge { 1 } }
    let startSeconds = start.timeIntervalSince1970
    metrics.gauge(
      "process_start_time_seconds", help: "When the process started, in seconds since 1970."
    ) { startSeconds }
    metrics.durationCounter(
      "process_cpu_seconds_total", help: "Processor time of the process, user and system."
    ) { processorSeconds() ?? .nan }
    metrics.gauge(
      "process_resident_memory_bytes",
      help: "Resident memory of the process, in bytes."
    ) {
      residentMemory() ?? .nan
    }
    metrics.gauge("process_open_fds", help: "Open file descriptors of the process.") {
      openFiles() ?? .nan
    }
  }

  /// Returns the processor time of all threads, including finished threads, in seconds. `clock(3)`
  /// measures this time in microseconds.
  private static func processorSeconds() -> Double? {
    // This code uses `clock(3)` and not `clock_gettime(2)`: in a file that imports Foundation, a
    // release build does not find the members of a `timespec`.
    let time = clock()
    return time < 0 ? nil : Double(time) / 1e6
  }

  /// Returns the second number of `/proc/self/statm`, which counts pages; see `proc(5)`.
  private static func residentMemory() -> Double? {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/statm"),
      let bytes = try? file.readToEnd()
    else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return Double(pages * sysconf(Int32(_SC_PAGESIZE)))
  }

  private static func openFiles() -> Double? {
    // One of the entries is the descriptor with which this code reads the directory.
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))
      .map { Double($0.count - 1) }
  }
}

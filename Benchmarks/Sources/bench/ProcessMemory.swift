import Foundation

/// The memory of a process (`smaps_rollup`) and of the kernel itself. The kernel reports these
/// values in the files of proc(5).
enum ProcessMemory {
  /// Returns the proportional set size: private pages, and a share of shared pages.
  static func proportionalKilobytes(of process: Int) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
      throw BenchError.missing("The proportional set size of process \(process)")
    }
    return number
  }

  /// Returns the kernel's unreclaimable memory for all processes: structures, such as sockets
  /// (`meminfo`), and TCP buffers (`sockstat`, in pages).
  static func kernelKilobytes() throws -> Double {
    let meminfo = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8)
    let sockstat = try String(contentsOfFile: "/proc/net/sockstat", encoding: .utf8)
    let tcp =
      sockstat.split(separator: "\n").first { $0.hasPrefix("TCP:") }?
      .split(separator: " ") ?? []
    guard
      let line = meminfo.split(separator: "\n").first(where: { $0.hasPrefix("SUnreclaim:") }),
      let structures = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) }),
      let place = tcp.firstIndex(of: "mem"), place + 1 < tcp.count,
      let pages = Double(tcp[place + 1])
    else { throw BenchError.missing("The kernel's memory") }
    return structures + pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_024
  }
}

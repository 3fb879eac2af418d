internal import Bus
internal import Foundation
internal import LocalInstallation
internal import Output

/// The processor time that the instances of an installation on this machine have had.
struct ProcessorTimes {
  private let seconds: [String: Double]
  private let readAt = ContinuousClock.now

  private static let services = [
    "gateway", "presence", "messaging", "video-tiles", "media", "transcription",
  ]

  /// Reads them now. Instances of others, or of other machines, are left out.
  ///
  /// - Parameter directories: Where the registry may be.
  init(inFirstOf directories: [String]) {
    var seconds: [String: Double] = [:]
    for directory in directories where seconds.isEmpty {
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      for service in Self.services {
        for instance in (try? registry.instances(of: service)) ?? [] where instance.isLive {
          seconds[instance.instance] = Self.time(of: instance.processID)
        }
      }
    }
    self.seconds = seconds
  }

  /// How much of a core each instance had since an earlier reading, in hundredths.
  func usage(since before: ProcessorTimes) -> [Record] {
    let passed = (readAt - before.readAt) / .seconds(1)
    return seconds.sorted { $0.key < $1.key }.compactMap { instance, now in
      guard let then = before.seconds[instance], passed > 0, now >= then else { return nil }
      let share = (now - then) / passed * 100
      return ["instance": .text(instance), "cpu_percent": .integer(Int(share.rounded()))]
    }
  }

  /// Fields 14 and 15 of `/proc/PID/stat`, proc(5), counted behind the name, which may have spaces.
  private static func time(of process: Int32) -> Double? {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      return nil
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

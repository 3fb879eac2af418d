import Foundation
import TestSupport
import Testing

/// The counts of allocations in a process that has preloaded the library `allocation-counter`. The
/// counts are in a file that the process shares with the test.
struct AllocationCounts {
  /// One place at which the program allocates memory.
  struct Site {
    let count: Int

    /// Whether the site allocates a coroutine's frame. Only unoptimised code puts such frames on
    /// the heap.
    let isFrame: Bool

    /// The file of the innermost caller that is not part of a runtime.
    let owner: String

    /// Return addresses within the program, the innermost first.
    let addresses: [UInt64]

    /// The mangled names of the functions at `addresses`.
    var functions: [String] = []
  }

  /// The number of jobs of actors and tasks that the program's own executors ran.
  let jobs: Int
  private(set) var sites: [Site]

  private static let headBytes = 32
  private static let mostFrames = 80
  private static let siteBytes = 8 + 8 + 48 + mostFrames * 8
  private static let mostSites = 1024

  /// Makes the file. The counter does not count yet.
  static func make(at path: String) throws {
    try Data(count: headBytes + mostSites * siteBytes).write(to: URL(fileURLWithPath: path))
  }

  /// Makes the process count from zero, or stop counting.
  static func arm(_ path: String, _ isArmed: Bool) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let head: [UInt8] = isArmed ? [1] + [UInt8](repeating: 0, count: headBytes - 1) : [0]
    try file.write(contentsOf: head)
    try file.close()
  }

  /// Reads the counts.
  ///
  /// - Parameter program: The executable file of the process.
  init(at path: String, of program: String) throws {
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    func word(_ offset: Int) -> UInt64 {
      bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    jobs = Int(word(8))
    try #require(word(16) == 0, "There were more ways to allocate than the counter has room for.")
    sites = (0..<Int(word(24))).map { index in
      let start = Self.headBytes + index * Self.siteBytes
      let owner = bytes[start + 16..<start + 64].prefix { $0 != 0 }
      return Site(
        count: Int(word(start)), isFrame: word(start + 8) > 0,
        owner: String(decoding: owner, as: UTF8.self),
        addresses: (0..<Self.mostFrames).map { word(start + 64 + 8 * $0) }.filter { $0 > 0 })
    }
    try nameFunctions(in: program)
  }

  /// Finds the names of the functions with addr2line(1).
  private mutating func nameFunctions(in program: String) throws {
    // The address after a call may belong to the next function.
    let addresses = Array(Set(sites.flatMap(\.addresses))).sorted()
    guard !addresses.isEmpty else { return }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["addr2line", "-f", "-e", program] + addresses.map { String($0 - 1, radix: 16) }
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    // addr2line prints two lines for each address: the function, and its place in the file.
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    try #require(process.terminationStatus == 0 && lines.count == 2 * addresses.count)
    let names = Dictionary(
      uniqueKeysWithValues: addresses.enumerated().map { ($1, String(lines[2 * $0])) })
    for index in sites.indices {
      sites[index].functions = sites[index].addresses.compactMap { names[$0] }
    }
  }
}

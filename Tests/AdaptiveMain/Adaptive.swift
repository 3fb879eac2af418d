import AdaptiveTrials
import Foundation
import Glibc

/// Runs the link profiles of a scenario file with real processes and clients, and prints which
/// limits of ``AdaptiveBars`` the results meet.
///
///     adaptive FILE [--only NAME]… [--plots DIRECTORY]
///
/// With `publish`, the program only joins a meeting as the publishers of a trial. The program reads
/// a line for each publisher from standard input, up to an empty line, in the format of
/// ``AdaptivePublishers``. It prints `sending`, and leaves at the end of standard input.
///
///     adaptive publish GATEWAY-URL
@main
struct Adaptive {
  static func main() async {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      guard let file = arguments.first else {
        print("usage: adaptive FILE [--only NAME]... [--plots DIRECTORY]")
        print("       adaptive publish GATEWAY-URL")
        exit(2)
      }
      if file == "publish", let gateway = arguments.dropFirst().first {
        return try await publish(through: gateway)
      }
      let flags = zip(arguments.dropFirst(), arguments.dropFirst(2))
      let only = flags.filter { $0.0 == "--only" }.map(\.1)
      let plots = flags.first { $0.0 == "--plots" }?.1
      var missed = 0
      for profile in try LinkProfile.read(file) where only.isEmpty || only.contains(profile.name) {
        for seed in profile.seeds {
          missed += try await run(profile, seed: seed, plots: plots) ? 0 : 1
        }
      }
      exit(missed == 0 ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("adaptive: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func publish(through gateway: String) async throws {
    var lines: [String] = []
    while let line = readLine(), !line.isEmpty { lines.append(line) }
    let publishers = try await AdaptivePublishers(lines, through: gateway)
    print("sending")
    fflush(nil)
    // Another thread waits for the end of standard input, because the clients use the main thread.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while readLine() != nil {}
        continuation.resume()
      }
    }
    try await publishers.stop()
  }

  /// - Returns: Whether the results meet all limits.
  private static func run(_ profile: LinkProfile, seed: UInt64, plots: String?) async throws -> Bool
  {
    let trace = try await AdaptiveTrial.run(profile, seed: seed)
    let result = trace.result(seed: seed)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    print(String(decoding: try encoder.encode(result), as: UTF8.self))
    if let plots {
      try FileManager.default.createDirectory(
        atPath: plots, withIntermediateDirectories: true)
      let path = "\(plots)/adaptive.\(profile.name).\(seed).svg"
      try Data(AdaptivePlot(trace).svg.utf8).write(to: URL(filePath: path))
    }
    let misses = result.misses(AdaptiveBars())
    print(misses.isEmpty ? "  all bars hold" : "  missed: \(misses.joined(separator: "; "))")
    // Flushes standard output, so that a reader of a pipe gets each line immediately.
    fflush(nil)
    return misses.isEmpty
  }
}

import Foundation
import Glibc

/// Measures Carillon and its peers in alternating rounds, and reports which goals (bars) Carillon
/// meets.
@main
struct Bench {
  static func main() async {
    do {
      switch try BenchmarkCommand(CommandLine.arguments) {
      case .serve(let path): try await EchoServer.serve(at: path)
      case .ask(let path): try await EchoClient.obey(at: path)
      case .measure(let options): try await measure(options)
      }
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure(_ options: MeasurementOptions) async throws {
    signal(SIGPIPE, SIG_IGN)  // A write to an ended program must be an error, not a signal.
    raiseFileLimit()
    nameBinaries()
    var report = BenchmarkReport(options)
    report.printHead()
    for benchmark in try benchmarks(options) where benchmark.names.contains(where: options.wants) {
      for row in try await benchmark.measure() { try report.add(row) }
    }
    report.printTable()
  }

  private static func benchmarks(_ options: MeasurementOptions) throws -> [any Benchmark] {
    [
      RequestLatency(options: options, isPinned: false),
      RequestLatency(options: options, isPinned: true),
      RequestThroughput(options: options),
      FanOutBenchmark(options: options, listeners: 100),
      FanOutBenchmark(options: options, listeners: 1_000),
      MessageFanOutBenchmark(options: options),
      MessageDeliveryLatency(options: options),
      MessageAppendBenchmark(options: options),
      PostgresAppendBenchmark(options: options),
      IdleMemoryCost(options: options),
      JoinStormBenchmark(options: options),
      OwnerTakeoverLatency(options: options),
      BrowserFanOutBenchmark(options: options),
      BrowserSessionCost(options: options),
      ReplicaAudienceCost(options: options),
      PromotionLatency(options: options),
      TileAllocationLatency(options: options),
      TileFanOutBenchmark(options: options),
      AudioMixCost(options: options),
      AudioListenerCost(options: options),
      AudioLatency(options: options),
      BrowserAudioMixCost(options: options),
      BrowserListenerCost(options: options),
      BrowserJoinLatency(options: options),
      BrowserForwardingBenchmark(options: options),
      BrowserMeetingMemory(options: options),
      BrowserFirstPicture(options: options),
      VideoForwardingBenchmark(options: options),
      PacketProtectionCost(options: options),
      try AdaptiveVideoBenchmark(options: options),
      SpeechRecognitionBenchmark(options: options),
      LoadCommandBenchmark(options: options),
      PresenceScaling(options: options),
      MessagingScaling(options: options, store: .sqlite),
      MessagingScaling(options: options, store: .postgresql),
      MediaScaling(options: options),
    ]
  }

  /// Sets the directory of the measured services. The build of this program also built the
  /// services, into the same directory.
  private static func nameBinaries() {
    let here = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
    setenv("CARILLON_BINARIES", here, 0)
  }

  /// Raises the limit of open files. The gateway needs a descriptor for each client. Children
  /// inherit the limit.
  private static func raiseFileLimit() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    say("limit of open files: \(limit.rlim_cur)")
  }
}

/// A measurement that yields one or more rows.
protocol Benchmark {
  /// The name of the benchmark's rows, or their common prefix.
  var name: String { get }

  /// The prefixes of the rows' names. `--only` selects among these prefixes.
  var names: [String] { get }

  func measure() async throws -> [BenchmarkRow]
}

extension Benchmark {
  var names: [String] { [name] }
}

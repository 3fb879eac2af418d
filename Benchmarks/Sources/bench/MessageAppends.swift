import Foundation
import TestSupport
import ZeroMQ

/// How many data messages of 2 KiB messaging acknowledges, each on disk by then, beside SQLite
/// alone that stores the same rows in as many commits.
///
/// A raw client (`Peers/crowd`) plays the gateway, at messaging's own socket.
struct MessageAppends: Benchmark {
  let options: Options
  let name = "messages.append.durable"

  private static let messages = 10_000

  /// Appends that wait for their answer.
  private static let window = 192

  func measure() async throws -> [Row] {
    try await withTemporaryDirectory { directory in
      guard let binaries = ProcessInfo.processInfo.environment["CARILLON_BINARIES"] else {
        throw BenchError.missing("The directory of the services")
      }
      let flags = MessageMeeting.raisedOfMessaging
      say("raised: \(flags.joined(separator: " "))")
      let command =
        [
          "\(binaries)/messaging", "--instance", "messaging-a", "--runtime-dir",
          "\(directory)/run", "--data-dir", "\(directory)/data",
        ] + flags
      let samples = try await withPeers([("messaging-a", command)], in: directory) { _ in
        try await becomeReady("\(directory)/run/messaging-a.http.sock")
        return try await measure(in: directory)
      }
      return [
        Row(
          name: name, unit: "appends/s", peer: "sqlite", samples: samples.map(\.appends),
          bar: .ratioAtLeast(0.6)),
        Row(
          name: "\(name).batch", unit: "appends/commit", peer: nil,
          samples: samples.map { .init(value: $0.batch) }),
      ]
    }
  }

  private func becomeReady(_ path: String) async throws {
    try await eventually("messaging to be ready", within: .seconds(20)) {
      (try? await LocalHTTP.ask("GET", "/readyz", at: .unixSocket(path: path)))?.status == 200
    }
  }

  private func measure(in directory: String) async throws -> [Sample] {
    let base = "\(directory)/run/messaging-a"
    let meeting = UUID().uuidString.lowercased()
    let gateway = try Crowd(
      options, ["append", "\(base).rpc.sock", meeting, "\(MessageMeeting.bytes)"])
    let sqlite = try Meter([
      "\(options.peers)/sqlite_commits", "\(directory)/alone.sqlite", "\(MessageMeeting.bytes)",
    ])
    defer {
      gateway.end()
      sqlite.end()
    }
    var samples: [Sample] = []
    // The first round makes both files grow and is not counted.
    for _ in 0...options.rounds {
      let before = try await Commits(at: "\(base).http.sock")
      let ours = try gateway.fan(events: Self.messages, window: Self.window)
      let commits = try await Commits(at: "\(base).http.sock").since(before).count
      let alone = try sqlite.ask("commit \(Self.messages) \(Int(commits))")
      samples.append(
        Sample(
          appends: .init(value: ours.perSecond, peerValue: alone[0]),
          batch: Double(Self.messages) / commits))
    }
    return Array(samples.dropFirst())
  }

  private struct Sample {
    let appends: Row.Sample
    let batch: Double
  }
}

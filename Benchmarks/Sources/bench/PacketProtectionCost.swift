import Foundation

/// Measures the processor time of Carillon's SRTP and of libsrtp2 per RTP packet, in microseconds.
///
/// Carillon and libsrtp2 protect and unprotect the same packets of one stream in batches. Each of
/// them reports its own processor time.
struct PacketProtectionCost: Benchmark {
  let options: MeasurementOptions
  let name = "srtp"

  /// A profile and a payload size to measure.
  private struct Case {
    let name: String

    /// The number of the profile in DTLS-SRTP.
    let profile: Int

    /// The length of the master key and the master salt, in bytes.
    let keyBytes: Int

    /// The length of each packet's payload, in bytes.
    let payload: Int
  }

  private static let cases = [1_200, 100].flatMap { payload in
    [
      Case(name: "gcm.\(payload)", profile: 0x0007, keyBytes: 28, payload: payload),
      Case(name: "gcm256.\(payload)", profile: 0x0008, keyBytes: 44, payload: payload),
      Case(name: "counter_mode.\(payload)", profile: 0x0001, keyBytes: 30, payload: payload),
    ]
  }

  private static let packets = 100_000

  func measure() async throws -> [BenchmarkRow] {
    try Self.cases.flatMap { each in
      var (protecting, opening): ([BenchmarkRow.RoundValues], [BenchmarkRow.RoundValues]) = ([], [])
      for _ in 0..<options.rounds {
        let ours = try run("\(Self.binaries)/srtp-echo", each)
        let peers = try run("\(options.peers)/srtp_alone", each)
        protecting.append(.init(value: ours[0], peerValue: peers[0]))
        opening.append(.init(value: ours[1], peerValue: peers[1]))
      }
      return [row("protect", each, protecting), row("open", each, opening)]
    }
  }

  private func row(_ step: String, _ each: Case, _ samples: [BenchmarkRow.RoundValues])
    -> BenchmarkRow
  {
    BenchmarkRow(
      name: "\(name).\(step).\(each.name)", unit: "µs", peer: "libsrtp2", samples: samples,
      bar: .ratioAtMost(0.75))
  }

  private func run(_ program: String, _ each: Case) throws -> [Double] {
    let key = String(repeating: "5a", count: each.keyBytes)
    let meter = try MeasuringProcess([program, "\(each.profile)", key])
    defer { meter.end() }
    return try meter.ask("repeat \(Self.packets) \(each.payload)")
  }

  private static var binaries: String {
    ProcessInfo.processInfo.environment["CARILLON_BINARIES"] ?? "."
  }
}

import AdaptiveTrials
import Testing

extension EndToEnd {
  /// A short form of `make bench ONLY=adaptive`. The limits of this test are generous: only a
  /// client that does not adapt at all fails to meet these limits.
  @Suite(.timeLimit(.minutes(5))) struct AdaptiveTests {
    private func profile(
      _ name: String, of subject: LinkProfile.Subject, kbps: Double
    ) -> LinkProfile {
      LinkProfile(
        name: name, about: "falls for seven seconds", subject: subject, seconds: 20,
        rates: [(0, 0), (2, kbps), (9, 0)].map { .init(at: $0, kbps: $1) }, delayMs: 10,
        queueMs: 400, seeds: [1])
    }

    @Test func `pictures shrink on a slow link and recover when the link is free`() async throws {
      let trace = try await AdaptiveTrial.run(
        profile("down", of: .receiver, kbps: 600), seed: 1)
      let result = trace.result(seed: 1)
      print(result)
      #expect(result.misses(.generous) == [])
    }

    @Test
    func `a slow uplink lowers the publisher's bitrate, and the publisher reports the estimate`()
      async throws
    {
      let trace = try await AdaptiveTrial.run(
        profile("up", of: .publisher, kbps: 500), seed: 1)
      let narrow = trace.estimates.filter { (5..<9).contains($0.at) }.map(\.value)
      print(trace.result(seed: 1), narrow)
      #expect(!narrow.isEmpty)
      // Without the limit, the publisher sends 1,650 kbit/s.
      #expect(narrow.allSatisfy { $0 < 1_300 }, "\(narrow)")
      let sent = trace.goodput.filter { (5..<9).contains($0.at) }.map(\.value)
      #expect(sent.allSatisfy { $0 < 1_000 }, "\(sent)")
      #expect(trace.frames.contains { $0.at > 10 }, "pictures come again")
    }
  }
}

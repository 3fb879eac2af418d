import Foundation
import TestSupport
import Testing
import ZeroMQ

@testable import Bus
@testable import ServiceHost

@Suite(.timeLimit(.minutes(5))) struct AllowListReaderTests {
  /// Reads the list of a directory while `body` runs.
  private static func withReader(
    _ directory: String,
    _ body: (KeyDirectory, KeyAdmission, MetricsRegistry) async throws -> Void
  ) async throws {
    let host = exampleHost(runtimeDirectory: directory, dataDirectory: directory)
    let metrics = RefusedPeerMetrics(of: host)
    let admission = KeyAdmission(try host.keys.list()) { metrics.count($0) }
    let reader = AllowListReader(admission, of: host.keys, metrics: metrics, logger: host.logger)
    let task = Task { await reader.run() }
    let result: Result<Void, any Error>
    do {
      try await body(host.keys, admission, host.metrics)
      result = .success(())
    } catch { result = .failure(error) }
    task.cancel()
    await task.value
    try result.get()
  }

  private static func admits(_ admission: KeyAdmission, _ key: CurveKey) -> Bool {
    if case .admitted = admission.verdict(on: key, as: .service) { true } else { false }
  }

  private static func waits(until isTrue: () -> Bool) async throws {
    // A thread reads the list twice a second. Tests that block may delay this thread.
    try await eventually("the list to be read", within: .seconds(50), every: .milliseconds(10)) {
      isTrue()
    }
  }

  @Test func `the reader applies allowed and revoked keys within seconds, without a restart`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory + "/keys")
      let made = try keys.makeKeys(named: "host-a")
      try await Self.withReader(directory) { keys, admission, metrics in
        #expect(Self.admits(admission, made.key))
        let other = try AllowListEntry(.service, CurveKeyPair().publicKey, name: "host-b")
        let began = ContinuousClock.now
        try keys.change { (list) throws(KeyError) in try list.allow(other) }
        try await Self.waits { Self.admits(admission, other.key) }
        #expect(admission.narrowings == 0)
        try keys.change { (list) throws(KeyError) in try list.revoke("host-b") }
        try await Self.waits { !Self.admits(admission, other.key) }
        #expect(admission.narrowings == 1)
        #expect(Self.admits(admission, made.key))
        #expect(ContinuousClock.now - began < .seconds(50))
        let text = metrics.prometheusText()
        #expect(text.contains(#"carillon_presence_refused_peers_total{cause="revoked"}"#))
      }
    }
  }

  @Test func `an unreadable allow list admits no peer until it is readable`() async throws {
    try await withTemporaryDirectory { directory in
      let made = try KeyDirectory(directory + "/keys").makeKeys(named: "host-a")
      try await Self.withReader(directory) { keys, admission, metrics in
        try setMode(0o666, of: keys.listPath)
        try await Self.waits { !Self.admits(admission, made.key) }
        #expect(metrics.prometheusText().contains("carillon_presence_allow_list_errors -1"))
        try setMode(0o600, of: keys.listPath)
        try await Self.waits { Self.admits(admission, made.key) }
        try FileManager.default.removeItem(atPath: keys.listPath)
        try await Self.waits { !Self.admits(admission, made.key) }
      }
    }
  }

  @Test func `if an allow list that named a client is lost, no client is admitted`()
    async throws
  {
    let key = try CurveKeyPair().publicKey
    let admission = KeyAdmission(AllowList()) { _ in }
    #expect(admission.welcomes(client: key))
    var list = AllowList()
    try list.allow(AllowListEntry(.client, key, name: "kiosk"))
    admission.replace(with: list)
    #expect(admission.welcomes(client: key))
    #expect(!admission.welcomes(client: try CurveKeyPair().publicKey))
    admission.close()
    #expect(!admission.welcomes(client: key))
  }
}

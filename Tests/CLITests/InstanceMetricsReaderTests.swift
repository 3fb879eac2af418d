import TestSupport
import Testing
import Trials

@testable import LocalInstallation

@Suite struct InstanceMetricsReaderTests {
  @Test func `metrics of instances on another host are fetched from that host`() async throws {
    try await withTemporaryDirectory { directory in
      let here = try CannedHTTP(at: "\(directory)/gateway-a.http.sock") { _ in (200, "a 1\n") }
      let silent = try CannedHTTP(at: "\(directory)/media-a.http.sock") { _ in (500, "") }
      let there = try CannedHTTP(at: "\(directory)/other.sock") { _ in
        (200, "# TYPE a gauge\na{instance=\"gateway-b\"} 2\na{instance=\"gateway-a\"} 9\n")
      }
      defer { for server in [here, silent, there] { server.close() } }
      let others = ["other", "nobody"].map {
        HTTPAddress.unixSocket(path: "\(directory)/\($0).sock")
      }
      let readings = await InstanceMetricsReader(HealthSockets(in: directory), others)
        .readings(within: .seconds(20))
      #expect(readings.map(\.instance) == ["gateway-a", "gateway-b", "media-a"])
      #expect(readings.map { $0.reading?["a"] } == [1, 2, nil])
      #expect(there.paths.entries == ["/metrics"])
    }
  }

  @Test func `no metrics can be read from an instance that has neither a socket nor an address`() {
    #expect(!InstanceMetricsReader(nil).hasAny)
    #expect(InstanceMetricsReader(nil, [.tcp(host: "127.0.0.1", port: 1)]).hasAny)
  }
}

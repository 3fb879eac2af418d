import Glibc
import TestSupport
import Testing
import Trials

@testable import LocalInstallation

/// Tests of `carillon metrics` as a process.
@Suite(.timeLimit(.minutes(5))) struct MetricsProcessTests {
  @Test func `carillon metrics exits with 75 if its port is in use`() async throws {
    try await withTemporaryDirectory { directory in
      let first = try await RunningCommand.start(["metrics", "--listen", "0"], in: directory)
      try await first.says("http://127.0.0.1:")
      let address = try #require(first.lines.entries.first { $0.stream == .output }).text
      let port = try #require(address.split(separator: ":").last?.prefix { $0.isNumber })
      let second = try await carillon(["metrics", "--listen", String(port)], in: directory)
      first.child.signal(SIGTERM)
      _ = await first.child.exit
      #expect(second.exit == .status(75))
      #expect(
        second.errors.last?.hasPrefix(
          "carillon: UNAVAILABLE: Cannot listen on 127.0.0.1:\(port): ") == true)
    }
  }
}

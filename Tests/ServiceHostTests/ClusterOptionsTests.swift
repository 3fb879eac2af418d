import ArgumentParser
import Bus
import Logging
import Testing
import ZeroMQ

@testable import ServiceHost

@Suite struct ClusterOptionsTests {
  @Test(arguments: [
    ("10.0.0.1", "10.0.0.1", ClusterListenAddress.Ports.any),
    ("10.0.0.1:7500", "10.0.0.1", .from(7500)),
    ("host-a:7500-7509", "host-a", .among(7500...7509)),
    ("[::1]:7500", "::1", .from(7500)), ("[::1]", "::1", .any), ("*", "*", .any),
    ("0.0.0.0:1-65535", "0.0.0.0", .among(1...65_535)),
  ])
  func `a listen address consists of a host and its allowed ports`(
    text: String, host: String, ports: ClusterListenAddress.Ports
  ) throws {
    let place = try #require(ClusterListenAddress(text))
    #expect(place.host == host)
    #expect(place.allowed == ports)
  }

  @Test(arguments: [
    "", ":7500", "h:", "h:0", "h:65536", "h:1-", "h:-1", "h:9-8", "h:1-2-3", "h:x", "::1",
    "::1:7500", "h:7500?curve=x", "a b", "h:+1", "h:1-65536", "[::1",
  ])
  func `text without a valid host and ports is not a listen address`(text: String) {
    #expect(ClusterListenAddress(text) == nil)
  }

  @Test(arguments: [
    [], ["--cluster-listen", "10.0.0.1"], ["--cluster-listen", "10.0.0.1:7500"],
    ["--cluster-listen", "*:7500", "--cluster-advertise", "presence.internal"],
    ["--cluster-listen", "10.0.0.1", "--cluster-advertise", "203.0.113.4"],
  ])
  func `flags that give a reachable address are accepted`(flags: [String]) {
    #expect(throws: Never.self) { try ClusterOptions.parse(flags) }
  }

  @Test(arguments: [
    ["--cluster-advertise", "h"], ["--cluster-listen", "*"], ["--cluster-listen", "0.0.0.0:7500"],
    ["--cluster-listen", "[::]:7500"], ["--cluster-listen", "*", "--cluster-advertise", "*"],
    ["--cluster-listen", "h:x"], ["--cluster-listen", "h", "--cluster-advertise", "a b"],
    ["--cluster-listen", "h", "--cluster-advertise", "h:1"],
  ])
  func `flags that give no reachable address are refused`(flags: [String]) {
    #expect(throws: (any Error).self) { try ClusterOptions.parse(flags) }
  }

  @Test(arguments: [
    ("h", 3, true), ("h:65533", 3, true), ("h:65534", 3, false), ("h:7500-7502", 3, true),
    ("h:7500-7501", 3, false), ("h:7500-7501", 2, true),
  ])
  func `a listen address needs a port for each purpose`(
    text: String, count: Int, isEnough: Bool
  ) throws {
    let options = try ClusterOptions.parse(["--cluster-listen", text])
    let purposes = (0..<count).map { "p\($0)" }
    #expect(((try? options.checkRoom(for: purposes)) != nil) == isEnough)
    #expect(throws: Never.self) { try ClusterOptions.parse([]).checkRoom(for: purposes) }
  }

  @Test func `the error for a cluster listener without keys names the command that makes keys`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let host = exampleHost(runtimeDirectory: directory, dataDirectory: directory)
      let options = try ClusterOptions.parse(["--cluster-listen", "127.0.0.1"])
      let error = #expect(throws: HostError.self) {
        try options.open(for: ["rpc", "events"], in: host, host.makeContext())
      }
      #expect("\(try #require(error))".contains("carillon keys init"))
    }
  }

  @Test func `for each kind of traffic, an instance announces a port with the instance's key`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let host = exampleHost(runtimeDirectory: directory, dataDirectory: directory)
      let made = try host.keys.makeKeys(named: "host-a")
      let context = try host.makeContext()
      #expect(context.identity?.publicKey == made.key)
      let options = try ClusterOptions.parse([
        "--cluster-listen", "127.0.0.1:20000-29999", "--cluster-advertise", "host-a.internal",
      ])
      let cluster = try options.open(for: ["rpc", "events"], in: host, context)
      #expect(cluster.services.count == 1)
      #expect(cluster.reach.host == HostIdentity.of(runtimeDirectory: directory))
      #expect(Set(cluster.reach.ports.keys) == ["rpc", "events"])
      let told = try cluster.reach.addresses.mapValues { try Endpoint($0) }
      #expect(told.values.allSatisfy { $0.serverKey == made.key })
      #expect(Set(told.values).count == 2)
      #expect(told.values.allSatisfy { $0.text.hasPrefix("tcp://host-a.internal:2") })
    }
  }

  @Test func `an instance without a cluster listener announces only its host`() async throws {
    try await withTemporaryDirectory { directory in
      let host = exampleHost(runtimeDirectory: directory, dataDirectory: directory)
      let context = try host.makeContext()
      #expect(context.identity == nil)
      let cluster = try ClusterOptions.parse([]).open(for: ["rpc"], in: host, context)
      #expect(cluster.services.isEmpty)
      #expect(cluster.reach.addresses == [:])
      #expect(cluster.reach.host == HostIdentity.of(runtimeDirectory: directory))
    }
  }
}

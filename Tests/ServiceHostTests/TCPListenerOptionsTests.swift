import ArgumentParser
import Testing

@testable import ServiceHost

@Suite struct TCPListenerOptionsTests {
  @Test(arguments: [
    ([], false), (["--listen-tcp", "127.0.0.1:7400"], false),
    (["--listen-tcp", "127.0.0.1:7400", "--curve"], true),
    (["--listen-tcp", "0.0.0.0:7400"], true), (["--listen-tcp", "*:7400"], true),
    (["--listen-tcp", "[::]:7400"], true),
    (["--listen-tcp", "0.0.0.0:7400", "--insecure-listen"], false),
  ])
  func `TCP is encrypted by default beyond loopback, but only on request on loopback`(
    flags: [String], isEncrypted: Bool
  ) throws {
    #expect(try TCPListenerOptions.parse(flags).isEncrypted == isEncrypted)
  }

  @Test(arguments: [
    ["--curve"], ["--listen-tcp", "7400"], ["--listen-tcp", "127.0.0.1:7400?curve=x"],
    ["--listen-tcp", "127.0.0.1:7400", "--curve", "--insecure-listen"],
  ])
  func `contradictory flags and invalid addresses are refused`(flags: [String]) {
    #expect(throws: (any Error).self) { try TCPListenerOptions.parse(flags) }
  }
}

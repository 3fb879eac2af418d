import Foundation
import TestSupport
import Testing
import ZeroMQ

@testable import CarillonClientCore

@Suite struct SocketAccessFailureTests {
  private struct Rights: FilePermissionChecker {
    var missing: Set<String> = []
    var closed: Set<String> = []

    func exists(_ path: String) -> Bool { !missing.contains(path) }
    func mayEnter(_ path: String) -> Bool { !closed.contains(path) }
    func mayWrite(_ path: String) -> Bool { !closed.contains(path) }
  }

  private let socket = "/run/carillon/gateway-a.client.sock"

  private func obstacle(_ rights: Rights) throws -> SocketAccessFailure? {
    SocketAccessFailure(to: try .ipc(socket), files: rights)
  }

  @Test func `the check returns the reason why a client cannot reach a Unix socket`() throws {
    #expect(try obstacle(Rights()) == nil)
    #expect(try obstacle(Rights(missing: [socket])) == .missing(socket))
    #expect(try obstacle(Rights(closed: [socket])) == .closedSocket(socket))
    // The client cannot see files in a directory that it may not search.
    let closed = Rights(missing: [socket], closed: ["/run/carillon"])
    #expect(try obstacle(closed) == .closedDirectory("/run/carillon"))
  }

  @Test func `a missing socket file is an access failure, and an existing file is not`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let endpoint = try Endpoint.ipc(path)
      #expect(SocketAccessFailure(to: endpoint) == .missing(path))
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(SocketAccessFailure(to: endpoint) == nil)
    }
  }

  @Test func `a TCP endpoint has no socket access failure`() throws {
    let endpoint = try Endpoint.tcp(host: "127.0.0.1", port: 1)
    #expect(SocketAccessFailure(to: endpoint) == nil)
  }
}

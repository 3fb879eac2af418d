import Foundation
import TestSupport
import Testing

@testable import LocalInstallation
@testable import Trials

@Suite struct ListeningProcessTests {
  @Test func `the listener of a socket is the process that the kernel reports`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/a.sock"
      #expect(ListeningProcess(at: path) == .none)
      try await listening(at: path) {
        #expect(ListeningProcess(at: path) == .process(getpid()))
      }
      // Closing a socket does not remove its file.
      #expect(ListeningProcess(at: path) == .none)
      #expect(ListeningProcess(at: "\(directory)/\(String(repeating: "a", count: 200))") == .none)
    }
  }

  private func listening(at path: String, _ body: () async throws -> Void) async throws {
    let listener = try LocalSocket(listeningAt: path)
    try await body()
    withExtendedLifetime(listener) {}
  }
}

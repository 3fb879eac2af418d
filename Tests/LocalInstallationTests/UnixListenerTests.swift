import Foundation
import TestSupport
import Testing

@testable import LocalInstallation
@testable import Trials

@Suite struct UnixListenerTests {
  @Test func `the listener of a socket is the process that the kernel reports`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/a.sock"
      #expect(UnixListener(at: path) == .none)
      try await listening(at: path) {
        #expect(UnixListener(at: path) == .process(getpid()))
      }
      // Closing a socket does not remove its file.
      #expect(UnixListener(at: path) == .none)
      #expect(UnixListener(at: "\(directory)/\(String(repeating: "a", count: 200))") == .none)
    }
  }

  private func listening(at path: String, _ body: () async throws -> Void) async throws {
    let listener = try LocalSocket(listeningAt: path)
    try await body()
    withExtendedLifetime(listener) {}
  }
}

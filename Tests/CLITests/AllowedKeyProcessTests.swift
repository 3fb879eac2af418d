import Foundation
import TestSupport
import Testing

@testable import LocalInstallation

/// Tests of `carillon keys init`, `allow`, `revoke` and `allowed` as processes.
@Suite(.timeLimit(.minutes(5))) struct AllowedKeyProcessTests {
  private static let other = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"

  private static func keys(_ words: [String], in directory: String) async throws -> CommandRun {
    try await carillon(
      ["keys"] + words + ["--key-dir", directory + "/keys", "--output", "json"], in: directory)
  }

  @Test func `a machine's key is made only once, and other keys are allowed and revoked by name`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let made = try await Self.keys(["init", "--name", "host-a"], in: directory)
      #expect(made.exit == .status(0), "\(made.errors)")
      #expect(made.output.first?.contains(#""name": "host-a", "role": "service""#) == true)
      let secret = try String(contentsOfFile: directory + "/keys/service.key", encoding: .utf8)
      #expect(!made.output.joined().contains(secret.dropLast()))
      let again = try await Self.keys(["init"], in: directory)
      #expect(again.exit != .status(0))
      #expect(again.errors.joined().contains("already exists"))

      let allowed = try await Self.keys(["allow", "service", Self.other, "host-b"], in: directory)
      #expect(allowed.exit == .status(0), "\(allowed.errors)")
      let revoked = try await Self.keys(["revoke", "host-b"], in: directory)
      #expect(revoked.output.first?.contains(#""is_revoked": true"#) == true)
      let list = try await Self.keys(["allowed"], in: directory)
      #expect(list.output.count == 2)
      #expect(list.output.last?.contains(#""name": "host-b""#) == true)
      let back = try await Self.keys(["allow", "service", Self.other, "host-c"], in: directory)
      #expect(back.exit != .status(0))
      #expect(back.errors.joined().contains("was revoked with the name host-b"))
    }
  }

  @Test(arguments: [
    ["allow", "root", other, "x"], ["allow", "service", "short", "x"], ["allow", "service", other],
  ])
  func `an invalid role or key is refused before any file is created`(words: [String])
    async throws
  {
    try await withTemporaryDirectory { directory in
      let run = try await Self.keys(words, in: directory)
      #expect(run.exit == .status(64))
      #expect(!FileManager.default.fileExists(atPath: directory + "/keys"))
    }
  }

  @Test func `the key list reports unreadable lines`() async throws {
    try await withTemporaryDirectory { directory in
      _ = try await Self.keys(["init"], in: directory)
      let path = directory + "/keys/allowed.keys"
      let text = try String(contentsOfFile: path, encoding: .utf8) + "service oops x\n"
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      let list = try await Self.keys(["allowed"], in: directory)
      #expect(list.exit != .status(0))
      #expect(list.output.count == 1)
      #expect(list.errors.joined().contains("line 4"))
    }
  }
}

import Foundation
import TestSupport
import Testing
import ZeroMQ

@testable import Bus

@Suite struct KeyDirectoryTests {
  private static func mode(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func `new keys are readable only by their owner and are on the allow list`() async throws {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory + "/keys")
      #expect(try keys.keys() == nil)
      #expect(try keys.list() == AllowList())
      let made = try keys.makeKeys(named: "host-a")
      #expect(try Self.mode(keys.path) == 0o700)
      #expect(try Self.mode(keys.secretPath) == 0o600)
      #expect(try Self.mode(keys.listPath) == 0o600)
      #expect(try keys.keys()?.publicKey == made.key)
      #expect(try keys.list().keys == [made])
      #expect(try keys.list().verdict(on: made.key, as: .service) == .admitted(name: "host-a"))
    }
  }

  @Test func `keys are created only once`() async throws {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory + "/keys")
      let made = try keys.makeKeys(named: "host-a")
      #expect(throws: KeyError.hasKeys(path: keys.secretPath)) {
        try keys.makeKeys(named: "host-b")
      }
      #expect(try keys.keys()?.publicKey == made.key)
      #expect(try keys.list().keys == [made])
    }
  }

  @Test(arguments: [0o640, 0o604, 0o666])
  func `a secret file that others may read is refused`(mode: Int) async throws {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory + "/keys")
      _ = try keys.makeKeys(named: "host-a")
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: keys.secretPath)
      #expect(throws: KeyError.self) { try keys.keys() }
    }
  }

  @Test
  func `an allow list may be readable, but not writable, by others`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory + "/keys")
      let made = try keys.makeKeys(named: "host-a")
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keys.listPath)
      #expect(try keys.list().keys == [made])
      try files.setAttributes([.posixPermissions: 0o664], ofItemAtPath: keys.listPath)
      #expect(throws: KeyError.self) { try keys.list() }
    }
  }

  @Test(arguments: ["", "x", "\n", String(repeating: "0", count: 41), "a b"])
  func `a secret file without a key is refused`(text: String) async throws {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory)
      try text.write(toFile: keys.secretPath, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: keys.secretPath)
      #expect(throws: KeyError.self) { try keys.keys() }
    }
  }

  @Test func `a failed change leaves the allow list unchanged, and a successful change is stored`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory + "/keys")
      _ = try keys.makeKeys(named: "host-a")
      let before = try String(contentsOfFile: keys.listPath, encoding: .utf8)
      let stamp = keys.listStamp
      #expect(throws: KeyError.noSuchName("x")) {
        try keys.change { (list) throws(KeyError) in try list.revoke("x") }
      }
      #expect(try String(contentsOfFile: keys.listPath, encoding: .utf8) == before)
      #expect(keys.listStamp == stamp)
      try keys.change { (list) throws(KeyError) in try list.revoke("host-a") }
      #expect(keys.listStamp != stamp)
      #expect(try keys.list().keys.map(\.isRevoked) == [true])
      #expect(try Self.mode(keys.listPath) == 0o600)
    }
  }

  @Test func `simultaneous changes of the list are all kept`() async throws {
    try await withTemporaryDirectory { directory in
      let keys = KeyDirectory(directory + "/keys")
      _ = try keys.makeKeys(named: "host-a")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            let entry = try AllowListEntry(.client, CurveKeyPair().publicKey, name: "c\(number)")
            try keys.change { (list) throws(KeyError) in try list.allow(entry) }
          }
        }
        try await group.waitForAll()
      }
      #expect(try keys.list().keys.count == 21)
    }
  }

  @Test func `a key pair is restored from its secret key`() throws {
    let keys = try CurveKeyPair()
    #expect(CurveKeyPair(secretText: keys.secretText) == keys)
    #expect(CurveKey(text: keys.publicKey.text) == keys.publicKey)
    #expect(!"\(keys)".contains(keys.secretText))
    var shown = ""
    dump(keys, to: &shown)
    #expect(!shown.contains(keys.secretText))
  }
}

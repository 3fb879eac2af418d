import Foundation
import MeetingModel
import Signing
import Testing

@testable import Storage

@Suite struct AccessKeyFileTests {
  @Test func `keys can be created, listed and disabled`() async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      #expect(try file.keys().isEmpty)
      let app = try file.create("app", at: 7)
      let viewer = try file.create(
        "viewer", role: .readOnly, tenant: TenantID("acme"), at: 8)
      #expect(try fixture.accessKeys().keys() == [app, viewer])
      #expect(app.role == .all)
      #expect(app.isEnabled)
      #expect(app.id != viewer.id)
      #expect(app.id.wholeMatch(of: /CARILLON[A-Z2-7]{12}/) != nil)
      #expect(try !file.disable(app.id).isEnabled)
      #expect(try file.keys().map(\.isEnabled) == [false, true])
      #expect(try !file.disable(app.id).isEnabled)
      #expect(throws: StorageError.accessKeyNotFound("X")) { try file.disable("X") }
    }
  }

  @Test func `a second request for a key with the same name returns the existing key`() async throws
  {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      let local = try file.key(named: "local", at: 1)
      #expect(try file.key(named: "local", at: 2) == local)
      _ = try file.disable(local.id)
      #expect(try !file.key(named: "local", at: 3).isEnabled)
      #expect(try file.keys().count == 1)
    }
  }

  @Test func `a key's secret depends on the key and the installation, and is in no file`()
    async throws
  {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      let (one, other) = (try file.create("one", at: 1), try file.create("two", at: 1))
      let secret = file.secret(of: one.id).text
      #expect(secret.utf8.count == 40)
      #expect(try fixture.accessKeys().secret(of: one.id).text == secret)
      #expect(file.secret(of: other.id).text != secret)
      let stored = try String(contentsOfFile: file.path, encoding: .utf8)
      #expect(!stored.contains(secret))
      // With another installation's key, the same file yields other secrets.
      let thief = AccessKeyFile(
        path: file.path, installation: try InstallationKey(file: fixture.keyFile + ".other"))
      #expect(try thief.keys() == file.keys())
      #expect(thief.secret(of: one.id).text != secret)
      // A token does not start with the secret of a key.
      let token = try fixture.tokens().token(meeting: .random(), attendee: .random(), nonce: [])
      #expect(!token.text.hasPrefix(secret))
    }
  }

  @Test func `only the owner can read the key file and handed-out keys`() async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      let key = try file.create("app", at: 1)
      #expect(try fixture.mode(of: file.path) == 0o600)
      let path = fixture.directory.appending(path: "handed.json").path
      for _ in 0..<2 { try file.handOut(key, for: "http://127.0.0.1:8080", at: path) }
      #expect(try fixture.mode(of: path) == 0o600)
      let read = try JSONDecoder().decode(
        LocalAccessKey.self, from: Data(contentsOf: URL(filePath: path)))
      #expect(read.keyID == key.id)
      #expect(read.secret == file.secret(of: key.id))
      AccessKeyFile.takeBack(path)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test(arguments: ["", "a b", "é", "a/b", String(repeating: "a", count: 65)])
  func `a key with an invalid name is refused`(name: String) async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      #expect(throws: StorageError.self) { try file.create(name, at: 1) }
      #expect(try file.keys().isEmpty)
    }
  }

  @Test(arguments: [
    "", "x", "[]", "{}", #"{"version":2,"keys":[]}"#, #"{"version":1,"keys":[{}]}"#,
    #"{"version":1,"keys":[{"id":"a","name":"a","role":"root","enabled":true,"created_at_ms":1}]}"#,
    #"{"version":1,"keys":[{"id":"a","name":"","role":"all","enabled":true,"created_at_ms":1}]}"#,
    #"{"version":1,"keys":[{"id":"a","name":"a","role":"all","created_at_ms":1}]}"#,
    #"{"version":1,"keys":["#
      + #"{"id":"a","name":"a","role":"all","enabled":false,"created_at_ms":1},"#
      + #"{"id":"a","name":"a","role":"all","enabled":true,"created_at_ms":1}]}"#,
  ])
  func `an invalid key file is refused and left unchanged`(text: String) async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      try fixture.write(text, to: file.path)
      #expect(throws: StorageError.self) { try file.keys() }
      #expect(throws: StorageError.self) { try file.create("app", at: 1) }
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }
  }

  @Test func `a key file that others can read is refused`() async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      _ = try file.create("app", at: 1)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
      #expect(throws: StorageError.self) { try file.keys() }
    }
  }

  @Test(.enabled(if: getuid() == 0))
  func `files that root writes belong to the owner of the directory`() async throws {
    try await withFiles { fixture in
      let directory = fixture.directory.path
      try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: directory)
      let file = try fixture.accessKeys()
      let key = try file.create("app", at: 1)
      _ = try file.disable(key.id)
      for path in [file.path, file.path + ".lock"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == 12_345, "\(path)")
      }
    }
  }

  @Test func `a lock file that is a symbolic link is not followed`() async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      let elsewhere = fixture.directory.appending(path: "elsewhere").path
      try FileManager.default.createSymbolicLink(
        atPath: file.path + ".lock", withDestinationPath: elsewhere)
      #expect(throws: StorageError.self) { try file.create("app", at: 1) }
      #expect(!FileManager.default.fileExists(atPath: elsewhere))
      #expect(try file.keys().isEmpty)
    }
  }

  @Test func `keys that are created concurrently are all stored`() async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      await withTaskGroup(of: Void.self) { tasks in
        for number in 0..<20 {
          tasks.addTask { _ = try? file.create("key-\(number)", at: 1) }
        }
      }
      #expect(try Set(file.keys().map(\.name)).count == 20)
    }
  }

  // MARK: The gateway's view

  @Test func `a change of the key file applies to the next request`() async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      let ring = AccessKeyRing(file)
      #expect(try ring.key("X") == nil)
      for number in 0..<20 {
        let key = try file.create("key-\(number)", at: 1)
        let found = try #require(try ring.key(key.id))
        #expect(found.key == key)
        #expect(found.secret == file.secret(of: key.id))
        _ = try fixture.accessKeys().disable(key.id)
        #expect(try ring.key(key.id) == nil)
      }
    }
  }

  @Test func `a damaged or missing key file invalidates every key`() async throws {
    try await withFiles { fixture in
      let file = try fixture.accessKeys()
      let ring = AccessKeyRing(file)
      let key = try file.create("app", at: 1)
      #expect(try ring.key(key.id) != nil)
      let good = try String(contentsOfFile: file.path, encoding: .utf8)
      try fixture.write("{", to: file.path)
      for _ in 0..<2 { #expect(throws: StorageError.self) { try ring.key(key.id) } }
      try fixture.write(good, to: file.path)
      #expect(try ring.key(key.id) != nil)
      try FileManager.default.removeItem(atPath: file.path)
      #expect(try ring.key(key.id) == nil)
    }
  }
}

extension StoreFixture {
  fileprivate func accessKeys() throws -> AccessKeyFile {
    AccessKeyFile(
      path: directory.appending(path: "access-keys.json").path,
      installation: try InstallationKey(file: keyFile))
  }

  /// Writes a file as an editor would, with the mode of a key file.
  fileprivate func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }
}

import Foundation
import ServiceHost
import Signing
import Storage
import Testing

@testable import Gateway

@Suite struct LocalKeyTests {
  @Test func `the gateway hands out the same local key at each start`() async throws {
    try await withControl { fixture in
      for _ in 0..<2 {
        let service = try LocalKeyService(
          fixture.keys, for: "http://127.0.0.1:8080", in: fixture.host)
        let handed = try #require(fixture.handedOut)
        let keys = try fixture.keys.keys()
        #expect(keys.map(\.id) == [handed.keyID])
        let caller = fixture.signer(handed.keyID, handed.secret)
        #expect(await caller.send("POST", "/meetings", Bodies.meeting()).status == 200)
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.handedPath)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let running = Task { try await service.run() }
        running.cancel()
        try await running.value
        #expect(fixture.handedOut == nil)
      }
    }
  }

  @Test func `a disabled key is not handed out, and its old file is removed`() async throws {
    try await withControl { fixture in
      _ = try LocalKeyService(fixture.keys, for: "http://127.0.0.1:8080", in: fixture.host)
      let handed = try #require(fixture.handedOut)
      _ = try fixture.keys.disable(handed.keyID)
      _ = try LocalKeyService(fixture.keys, for: "http://127.0.0.1:8080", in: fixture.host)
      #expect(fixture.handedOut == nil)
      #expect(try fixture.keys.keys().count == 1)
    }
  }
}

extension ControlFixture {
  /// A host whose runtime directory contains the keys.
  fileprivate var host: ServiceHost.Host {
    let directory = URL(filePath: keys.path).deletingLastPathComponent().path
    return ServiceHost.Host(
      service: "gateway", instance: "gateway-a", runtimeDirectory: directory,
      dataDirectory: directory, logger: control.logger)
  }

  fileprivate var handedPath: String { "\(host.runtimeDirectory)/gateway-a.access-key.json" }

  /// The content of the file that programs of this user read.
  fileprivate var handedOut: LocalAccessKey? {
    FileManager.default.contents(atPath: handedPath).flatMap {
      try? JSONDecoder().decode(LocalAccessKey.self, from: $0)
    }
  }
}

import Foundation
import Signing
import Testing

@testable import LocalInstallation

@Suite struct LocalAccessKeyFinderTests {
  private let environment = ["AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "s"]

  private func withPlace(_ body: (String) throws -> Void) throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: place) }
    try body(place)
  }

  private func keyID(
    _ url: String, in places: [String], _ environment: [String: String] = [:]
  ) throws -> String? {
    let address = try #require(HTTPAddress(url: url))
    return LocalAccessKeyFinder.signer(for: address, in: places, environment: environment)?.keyID
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", "LOCAL"), ("http://localhost:8080/", "LOCAL"),
    ("http://127.0.0.1:8081", "ENV"), ("http://other:8080", "ENV"),
  ])
  func `a gateway's own key is preferred for requests to that gateway`(url: String, id: String)
    throws
  {
    try withPlace { place in
      let key = LocalAccessKey(
        endpoint: "http://127.0.0.1:8080", keyID: "LOCAL", secret: SigningSecret("s"))
      let file = "\(place)/gateway-a\(LocalAccessKey.fileSuffix)"
      try JSONEncoder().encode(key).write(to: URL(filePath: file))
      #expect(try keyID(url, in: ["/nowhere", place], environment) == id)
    }
  }

  @Test func `an invalid key is ignored`() throws {
    try withPlace { place in
      try Data("{".utf8).write(to: URL(filePath: "\(place)/a\(LocalAccessKey.fileSuffix)"))
      #expect(try keyID("http://127.0.0.1:8080", in: [place]) == nil)
      #expect(try keyID("http://127.0.0.1:8080", in: [place], environment) == "ENV")
      #expect(
        try keyID("http://127.0.0.1:8080", in: [place], ["AWS_ACCESS_KEY_ID": "ENV"]) == nil)
    }
  }
}

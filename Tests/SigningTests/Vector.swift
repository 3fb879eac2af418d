import Foundation
import Testing

@testable import Signing

/// A request signed by botocore; see `Tests/ControlAPI/signature_vectors.py`.
struct Vector: Decodable, CustomTestStringConvertible {
  let method: String
  let path: String
  let query: String
  let headers: [[String]]
  let body: String
  let region: String

  static let keyID = "CARILLONTESTKEY01"
  static let secret = SigningSecret("carillon/test+secret0000000000000000EXAMPLE")

  /// The time of the signatures, 2026-01-02T03:04:05Z, in seconds since 1970.
  static let time: Int64 = 1_767_323_045

  static let all: [Vector] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "vectors.json")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([Vector].self, from: data)) ?? []
  }()

  var request: SignableRequest {
    SignableRequest(
      method: method, path: path, query: query,
      headers: headers.map { SignableRequest.Header($0[0], $0[1]) }, body: Array(body.utf8))
  }

  var testDescription: String { "\(method) \(path)?\(query)" }
}

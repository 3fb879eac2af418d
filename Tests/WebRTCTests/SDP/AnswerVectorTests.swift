import Foundation
import Testing
import WebRTC

/// Offers of browsers and the expected answers, byte for byte, in `Tests/SDPVectors`.
enum AnswerVectors {
  /// The answering side.
  static let answer = SDPAnswer(
    addresses: [
      UDPAddress(host: [192, 0, 2, 9], port: 7_401),
      UDPAddress(host: [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [9], port: 7_401),
    ],
    credentials: ICECredentials(fragment: "here", password: "secret"),
    fingerprint: "sha-256 AA:BB", origin: (7, 1))

  /// Returns the text of a file, with CRLF at the end of each line.
  static func text(_ file: String) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appending(path: "SDPVectors/\(file)"))
    return try #require(String(data: data, encoding: .utf8))
  }
}

@Suite struct AnswerVectorTests {
  @Test(
    arguments: [
      "chromium-camera", "chromium-simulcast", "firefox-listener", "many-sections", "speaker-only",
    ])
  func `answers match the recorded answers`(name: String) throws {
    let media = try AnswerVectors.answer.negotiate(SDPOffer(AnswerVectors.text("\(name).offer")))
    #expect(try AnswerVectors.answer.text(of: media) == AnswerVectors.text("\(name).answer"))
  }
}

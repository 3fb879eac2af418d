import Foundation
import Testing

@testable import CLI
@testable import MeetingViews

/// Tests of caption files against the files in `Tests/CaptionVectors`. Every writer must match
/// these files byte for byte.
@Suite struct CaptionVectorTests {
  struct Vector: Decodable, CustomTestStringConvertible, Sendable {
    struct Result: Decodable, Sendable {
      struct Item: Decodable, Sendable {
        let content: String
        let startMs: Int64
        let endMs: Int64
        let speaker: String?
      }

      let speaker: String
      let text: String
      let startMs: Int64
      let endMs: Int64
      let isPartial: Bool?
      let items: [Item]?
    }

    let name: String
    let originMs: Int64
    let results: [Result]
    let srt: String
    let vtt: String

    var testDescription: String { name }
  }

  private static let vectors: [Vector] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "..")
    let data = try? Data(contentsOf: root.appending(path: "CaptionVectors/vectors.json"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return data.flatMap { try? decoder.decode([Vector].self, from: $0) } ?? []
  }()

  @Test func `the file of caption vectors is not empty`() { #expect(Self.vectors.count > 20) }

  @Test(arguments: vectors)
  func `the caption writer writes what the vectors require`(vector: Vector) {
    #expect(written(vector, .srt) == vector.srt)
    #expect(written(vector, .vtt) == vector.vtt)
  }

  private func written(_ vector: Vector, _ format: CaptionFormat) -> String {
    var writer = CaptionWriter(format, originMs: vector.originMs)
    let header = writer.header.map { "\($0)\n" } ?? ""
    return vector.results.reduce(into: header) { file, result in
      if let text = writer.write(.result(SpokenResult(result))) { file += "\(text)\n" }
    }
  }
}

extension SpokenResult {
  fileprivate init(_ result: CaptionVectorTests.Vector.Result) {
    self.init(
      id: "r", isPartial: result.isPartial ?? false, startMs: result.startMs,
      endMs: result.endMs, speaker: AttendeeName(attendeeID: "", externalUserID: result.speaker),
      text: result.text,
      words: (result.items ?? []).map { item in
        SpokenWord(
          content: item.content, startMs: item.startMs, endMs: item.endMs,
          speaker: AttendeeName(
            attendeeID: "", externalUserID: item.speaker ?? result.speaker))
      })
  }
}

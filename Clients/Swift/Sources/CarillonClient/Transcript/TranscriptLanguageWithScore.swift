public import Foundation

/// A language that may have been spoken.
public final class TranscriptLanguageWithScore: NSObject, Sendable {
  public let languageCode: String

  /// 0 to 1.
  public let score: Double

  public init(languageCode: String, score: Double) {
    self.languageCode = languageCode
    self.score = score
  }
}

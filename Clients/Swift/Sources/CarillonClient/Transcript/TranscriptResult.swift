public import Foundation

/// A stretch of speech. A partial one is replaced by the next of the same id.
public final class TranscriptResult: NSObject, Sendable {
  public let resultId: String
  public let channelId: String?

  /// Whether a better one with the same id will follow.
  public let isPartial: Bool

  /// In milliseconds since 1970.
  public let startTimeMs: Int64

  /// In milliseconds since 1970.
  public let endTimeMs: Int64

  /// The best one first.
  public let alternatives: [TranscriptAlternative]

  public let languageCode: String?
  public let languageIdentification: [TranscriptLanguageWithScore]?

  public init(
    resultId: String, channelId: String?, isPartial: Bool, startTimeMs: Int64, endTimeMs: Int64,
    alternatives: [TranscriptAlternative], languageCode: String?,
    languageIdentification: [TranscriptLanguageWithScore]?
  ) {
    self.resultId = resultId
    self.channelId = channelId
    self.isPartial = isPartial
    self.startTimeMs = startTimeMs
    self.endTimeMs = endTimeMs
    self.alternatives = alternatives
    self.languageCode = languageCode
    self.languageIdentification = languageIdentification
  }
}

public import Foundation

/// A name, a date or the like that was recognised as one.
public final class TranscriptEntity: NSObject, Sendable {
  public let type: String
  public let content: String
  public let category: String

  /// 0 to 1.
  public let confidence: Double?

  /// In milliseconds since 1970.
  public let startTimeMs: Int64

  /// In milliseconds since 1970.
  public let endTimeMs: Int64

  public init(
    type: String, content: String, category: String, confidence: Double?, startTimeMs: Int64,
    endTimeMs: Int64
  ) {
    self.type = type
    self.content = content
    self.category = category
    self.confidence = confidence
    self.startTimeMs = startTimeMs
    self.endTimeMs = endTimeMs
  }
}

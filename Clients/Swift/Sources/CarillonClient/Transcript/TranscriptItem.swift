public import Foundation

/// A word or a mark, with who said it.
public final class TranscriptItem: NSObject, Sendable {
  public let type: TranscriptItemType

  /// In milliseconds since 1970.
  public let startTimeMs: Int64

  /// In milliseconds since 1970.
  public let endTimeMs: Int64

  /// The speaker.
  public let attendee: AttendeeInfo

  public let content: String

  /// Whether it is on a list of words to be filtered.
  public let vocabularyFilterMatch: Bool

  /// Whether it will stay as it is although its result is partial.
  public let stable: Bool?

  /// 0 to 1.
  public let confidence: Double?

  public init(
    type: TranscriptItemType, startTimeMs: Int64, endTimeMs: Int64, attendee: AttendeeInfo,
    content: String, vocabularyFilterMatch: Bool, stable: Bool?, confidence: Double?
  ) {
    self.type = type
    self.startTimeMs = startTimeMs
    self.endTimeMs = endTimeMs
    self.attendee = attendee
    self.content = content
    self.vocabularyFilterMatch = vocabularyFilterMatch
    self.stable = stable
    self.confidence = confidence
  }
}

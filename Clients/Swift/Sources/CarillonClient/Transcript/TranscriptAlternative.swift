public import Foundation

/// One way to understand a stretch of speech.
public final class TranscriptAlternative: NSObject, Sendable {
  public let items: [TranscriptItem]

  /// The whole text.
  public let transcript: String

  public let entities: [TranscriptEntity]?

  public init(items: [TranscriptItem], transcript: String, entities: [TranscriptEntity]?) {
    self.items = items
    self.transcript = transcript
    self.entities = entities
  }
}

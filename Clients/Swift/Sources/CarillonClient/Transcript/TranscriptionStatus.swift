public import Foundation

/// The transcription itself changed.
public final class TranscriptionStatus: NSObject, TranscriptEvent, Sendable {
  public let type: TranscriptionStatusType

  /// In milliseconds since 1970.
  public let eventTimeMs: Int64

  public let transcriptionRegion: String

  /// The engine's configuration as JSON text.
  public let transcriptionConfiguration: String

  /// The reason, where there is one.
  public let message: String?

  public init(
    type: TranscriptionStatusType, eventTimeMs: Int64, transcriptionRegion: String,
    transcriptionConfiguration: String, message: String?
  ) {
    self.type = type
    self.eventTimeMs = eventTimeMs
    self.transcriptionRegion = transcriptionRegion
    self.transcriptionConfiguration = transcriptionConfiguration
    self.message = message
  }
}

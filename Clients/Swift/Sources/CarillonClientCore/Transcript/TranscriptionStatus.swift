public import Foundation

/// The transcription itself changed.
public final class TranscriptionStatus: NSObject, TranscriptEvent, Sendable {
  /// What happened.
  public let type: TranscriptionStatusType

  /// When it happened, in milliseconds since 1970.
  public let eventTimeMs: Int64

  /// The region in which the engine works, or an empty text.
  public let transcriptionRegion: String

  /// The engine's configuration as JSON text.
  public let transcriptionConfiguration: String

  /// The reason, where there is one.
  public let message: String?

  /// Makes a status, for tests of applications.
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

/// What became of the transcription.
public enum TranscriptionStatusType: Int, CaseNamed {
  /// The server names a status that this library does not know.
  case unknown = 0
  /// The transcription runs.
  case started = 1
  /// Nothing is transcribed for a while: no engine is there.
  case interrupted = 2
  /// The transcription goes on after an interruption.
  case resumed = 3
  /// Somebody ended the transcription.
  case stopped = 4
  /// The transcription ended by a failure, or never began.
  case failed = 5
}

public import Foundation

/// A transcript event with a change of the transcription's status.
public final class TranscriptionStatus: NSObject, TranscriptEvent, Sendable {
  /// The new status.
  public let type: TranscriptionStatusType

  /// The time at which the status changed, in milliseconds since 1970.
  public let eventTimeMs: Int64

  /// The engine's region, or an empty text.
  public let transcriptionRegion: String

  /// The engine's configuration as JSON text.
  public let transcriptionConfiguration: String

  /// The reason for the status, if the server reports one.
  public let message: String?

  /// Creates a status, for tests of applications.
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

/// The statuses of the transcription.
public enum TranscriptionStatusType: Int, CaseNamed {
  /// The server reports a status that this library does not know.
  case unknown = 0
  /// The transcription runs.
  case started = 1
  /// The transcription is interrupted, because no engine is available.
  case interrupted = 2
  /// The transcription continues after an interruption.
  case resumed = 3
  /// An application or an operator stopped the transcription.
  case stopped = 4
  /// The transcription failed, or never began.
  case failed = 5
}

public import MeetingModel

/// What an operator wants of a meeting's transcription, as stored.
public struct StoredTranscription: Hashable, Sendable {
  /// Which meeting it is about.
  public var meeting: MeetingID

  /// Rises with each change of this meeting, from 1.
  public var revision: UInt64

  /// When it was started, in milliseconds since 1970-01-01T00:00:00Z.
  public var startedAtMs: Int64

  /// The configuration as whoever stored it packed it; `nil` if the transcription is stopped.
  public var configuration: [UInt8]?

  /// Makes the record of a transcription.
  public init(meeting: MeetingID, revision: UInt64, startedAtMs: Int64, configuration: [UInt8]?) {
    (self.meeting, self.revision) = (meeting, revision)
    (self.startedAtMs, self.configuration) = (startedAtMs, configuration)
  }
}

/// The language that an operator gave an attendee.
public struct StoredLanguage: Hashable, Sendable {
  /// The meeting of the attendee.
  public var meeting: MeetingID

  /// Whose language it is.
  public var attendee: AttendeeID

  /// The language that the attendee speaks.
  public var language: LanguageCode

  /// Makes the record of a choice.
  public init(meeting: MeetingID, attendee: AttendeeID, language: LanguageCode) {
    (self.meeting, self.attendee, self.language) = (meeting, attendee, language)
  }
}

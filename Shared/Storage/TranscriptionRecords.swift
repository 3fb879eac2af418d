public import MeetingModel

/// What an operator wants of a meeting's transcription, as stored.
public struct StoredTranscription: Hashable, Sendable {
  public var meeting: MeetingID

  /// Rises with each change of this meeting, from 1.
  public var revision: UInt64

  /// In milliseconds since 1970-01-01T00:00:00Z.
  public var startedAt: Int64

  /// Packed by whoever stored it; `nil`: stopped.
  public var configuration: [UInt8]?

  public init(meeting: MeetingID, revision: UInt64, startedAt: Int64, configuration: [UInt8]?) {
    (self.meeting, self.revision) = (meeting, revision)
    (self.startedAt, self.configuration) = (startedAt, configuration)
  }
}

/// The language that an operator gave an attendee.
public struct StoredLanguage: Hashable, Sendable {
  public var meeting: MeetingID
  public var attendee: AttendeeID
  public var language: LanguageCode

  public init(meeting: MeetingID, attendee: AttendeeID, language: LanguageCode) {
    (self.meeting, self.attendee, self.language) = (meeting, attendee, language)
  }
}

public import MeetingModel

/// The requested transcription of a meeting, as stored.
public struct StoredTranscription: Hashable, Sendable {
  /// The meeting.
  public var meeting: MeetingID

  /// A number that increases with each change for this meeting, from 1.
  public var revision: UInt64

  /// The start time, in milliseconds since 1970-01-01T00:00:00Z.
  public var startedAtMs: Int64

  /// The configuration in the caller's encoding; `nil` if the transcription is stopped.
  public var configuration: [UInt8]?

  /// Creates the record of a transcription.
  public init(meeting: MeetingID, revision: UInt64, startedAtMs: Int64, configuration: [UInt8]?) {
    (self.meeting, self.revision) = (meeting, revision)
    (self.startedAtMs, self.configuration) = (startedAtMs, configuration)
  }
}

/// The language that an operator set for an attendee.
public struct AttendeeLanguageSetting: Hashable, Sendable {
  /// The meeting of the attendee.
  public var meeting: MeetingID

  /// The attendee.
  public var attendee: AttendeeID

  /// The language that the attendee speaks.
  public var language: LanguageCode

  /// Creates the record of a language.
  public init(meeting: MeetingID, attendee: AttendeeID, language: LanguageCode) {
    (self.meeting, self.attendee, self.language) = (meeting, attendee, language)
  }
}

import MeetingModel
import Storage
import Wire

/// What the control plane has done to meetings, told to those who are in them, and what it must
/// know of them.
///
/// Called after the meetings store has changed. Whoever conforms goes on telling when a service
/// does not answer at once; an error only says that it has not been told yet.
protocol ControlEffects: Sendable {
  /// The meeting has ended: every session of it ends with `status`.
  func endMeeting(_ id: MeetingID, status: Status) async throws(Status)

  /// The attendee is deleted: its sessions end.
  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status)

  /// An operator ends the promotion as this attendee.
  ///
  /// - Returns: Whether somebody was promoted as it.
  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool

  /// An operator muted the attendee, or lifted that; it holds when this returns.
  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status)

  /// An operator sent the attendee away, or lets it come back; it holds when this returns.
  func setBarred(_ isBarred: Bool, attendee: AttendeeID, in meeting: MeetingID) async throws(Status)

  /// An operator locked the meeting, or opened it; it holds when this returns.
  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status)

  /// What the attendee may do has changed; it holds when this returns.
  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status)

  /// Who is in a meeting now, of a replica its audience.
  ///
  /// - Throws: `notFound` for a meeting that nobody has joined.
  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot

  /// A page of the data messages that are stored for a meeting, behind a place in its log.
  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay

  /// Deletes from every log of data messages what a user sent.
  ///
  /// - Returns: How many messages there were.
  /// - Throws: `unavailable` when an instance of messaging does not answer.
  func eraseMessages(of user: ExternalUserID) async throws(Status) -> UInt64

  /// Brings the record of these meetings up to date, whether a gateway follows them or not. Returns
  /// after two seconds at most; what is not recorded by then is later.
  func recordRosters(of meetings: [MeetingID]) async

  /// The limits in force.
  func limits() async -> V1.Limits

  /// The instances of all services that the registry knows.
  func instances() async throws(Status) -> [V1.ServiceInstance]

  /// What is stored of a transcription has changed.
  ///
  /// - Returns: Whether it ran before.
  /// - Throws: `unavailable` when transcription does not answer within a few seconds; its next term
  ///   is told what is stored.
  func transcribe(_ record: StoredTranscription) async throws(Status) -> Bool

  /// An attendee was given a language, or it was taken back.
  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status)

  /// How a meeting's transcription is.
  func transcription(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState

  /// The meetings that have a session at this gateway.
  func occupiedMeetings() async -> [MeetingID]

  /// Ends again the sessions of attendees who are deleted and still have some at this gateway.
  func endDeletedAttendees() async throws(Status)

  /// Whether the services that meetings need answer.
  func areServicesReachable() async -> Bool
}

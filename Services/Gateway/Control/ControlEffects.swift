import MeetingModel
import Storage
import Wire

/// The effects of control operations on running meetings, and the queries that those operations
/// need.
///
/// The caller first changes the meetings store, and then applies the effect. While a service does
/// not answer, an implementation retries the call. After an error, the store contains the change,
/// but the change takes effect later.
protocol ControlEffects: Sendable {
  /// Ends every session of an ended meeting. Each session ends with `status`.
  func endMeeting(_ id: MeetingID, status: Status) async throws(Status)

  /// Ends the sessions of a deleted attendee.
  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status)

  /// Ends the promotion in which a client acts as this attendee.
  ///
  /// - Returns: Whether a client was promoted as this attendee.
  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool

  /// Mutes an attendee on an operator's request, or ends an operator's mute. The change has taken
  /// effect when this method returns.
  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status)

  /// Mutes an attendee on a host's request. The attendee's client may unmute itself.
  func mute(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status)

  /// Sends a host's notice to the attendees of a meeting. The server has stored the notice's
  /// message when this method returns.
  ///
  /// - Throws: `unavailable` if `messaging` does not answer.
  func send(_ notice: HostRequestMessage, in meeting: MeetingID) async throws(Status)

  /// Bars an attendee, or readmits it. The change has taken effect when this method returns.
  func setBarred(_ isBarred: Bool, attendee: AttendeeID, in meeting: MeetingID) async throws(Status)

  /// Locks or unlocks a meeting. The change has taken effect when this method returns.
  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status)

  /// Adds a knock at a locked meeting, or returns the state of a known knock.
  ///
  /// - Throws: `failedPrecondition` if no host is present; `resourceExhausted` if too many people
  ///   knock; `notFound` if the person has entered or the knock has expired; `unavailable` if
  ///   `presence` does not answer.
  func knock(
    _ request: V1.KnockRequest, at meeting: MeetingID
  ) async throws(Status) -> KnockState

  /// Records that a person who knocked enters the meeting. For each knock, calls with only one
  /// entry id succeed.
  ///
  /// - Parameter entry: The id of this attempt to enter.
  /// - Throws: `notFound` for other entry ids, and for an unknown or denied knock; `unavailable` if
  ///   `presence` does not answer.
  func take(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status)

  /// Ends an entry for which no attendee was created. The person then waits again.
  ///
  /// - Throws: `unavailable` if `presence` does not answer.
  func putBack(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status)

  /// Returns the waiting knocks of a meeting, oldest first, for the page of a host. `presence` then
  /// regards a host as present for 15 s.
  func knocks(at meeting: MeetingID) async throws(Status) -> [V1.WaitingKnock]

  /// Admits or denies a waiting person.
  ///
  /// - Throws: `notFound` if nobody waits with this knock, or if a host has given the opposite
  ///   answer.
  func answer(_ knock: KnockID, at meeting: MeetingID, admits: Bool) async throws(Status)

  /// Returns whether the page of a host has asked for knocks within the last 15 s, through any
  /// gateway.
  func hasHost(in meeting: MeetingID) async throws(Status) -> Bool

  /// Changes an attendee's capabilities. The change has taken effect when this method returns.
  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status)

  /// Returns a meeting's current roster. For a replica, this is the roster of its audience.
  ///
  /// - Throws: `notFound` for a meeting that no attendee has joined.
  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot

  /// Returns the current decision of a meeting's tile board. The board of a replica is the board of
  /// its primary.
  ///
  /// - Throws: `notFound` for a meeting that no attendee has joined.
  func decision(on board: MeetingID) async throws(Status) -> V1.ForwardingUpdate

  /// Returns a page of a meeting's stored data messages. The page begins after a sequence number.
  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay

  /// Deletes a user's messages from every log of data messages.
  ///
  /// - Returns: The number of deleted messages.
  /// - Throws: `unavailable` if an instance of `messaging` does not answer.
  func eraseMessages(of user: ExternalUserID) async throws(Status) -> UInt64

  /// Updates the attendance records of `meetings`, even if no gateway follows these meetings.
  ///
  /// Returns after at most two seconds. The gateway updates the remaining records later.
  func recordRosters(of meetings: [MeetingID]) async

  /// Returns the limits that the gateway currently applies.
  func limits() async -> V1.Limits

  /// Returns the instances of all services in the registry.
  func instances() async throws(Status) -> [V1.ServiceInstance]

  /// Applies a transcription's stored settings after a change.
  ///
  /// - Returns: Whether the transcription was running.
  /// - Throws: `unavailable` if `transcription` does not answer within a few seconds. In this case,
  ///   `transcription` reads the stored settings when its next term begins.
  func transcribe(_ record: StoredTranscription) async throws(Status) -> Bool

  /// Sets or removes an operator's choice of an attendee's spoken language.
  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status)

  /// Returns the state of a meeting's transcription.
  func transcription(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState

  /// Returns the meetings that have an open or promoted session at this gateway.
  func occupiedMeetings() async -> [MeetingID]

  /// Ends any remaining sessions of deleted attendees at this gateway.
  func endDeletedAttendees() async throws(Status)

  /// Returns whether the services that meetings need are reachable.
  func areServicesReachable() async -> Bool
}

import Bus
import MeetingModel
import Storage
import Wire
import ZeroMQ

// What the control plane has changed in the store, told to presence until presence has taken it.
extension GatewayService: ControlEffects {
  func endMeeting(_ id: MeetingID, status: Status) async throws(Status) {
    let request = V1.EndMeetingRequest(meetingID: id.text, status: V1.Status(status))
    insist(on: .endMessages(request), in: id)
    insist(on: .endBoard(request), in: id)
    insist(on: .endMedia(request), in: id)
    insist(on: .endTranscription(request), in: id)
    try await tell(.endMeeting(request), in: id)
  }

  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try await tellMedia(.capabilities(Self.nothing), of: id, in: meeting)
    let request = V1.EndAttendeeRequest(meetingID: meeting.text, attendeeID: id.text)
    try await tell(.endAttendee(request), in: meeting)
  }

  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    decide(on: attendee, in: meeting) { $0.isMutedByOperator = isMuted }
    try await tellMedia(.isMutedByOperator(isMuted), of: attendee, in: meeting)
    let request = V1.SetMutedByOperatorRequest(
      meetingID: meeting.text, attendeeID: attendee.text, isMuted: isMuted)
    try await tell(.setMutedByOperator(request), in: meeting)
  }

  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    let wire = V1.Capabilities(capabilities)
    decide(on: attendee, in: meeting) { $0.capabilities = wire }
    let request = V1.SetCapabilitiesRequest(
      meetingID: meeting.text, attendeeID: attendee.text, capabilities: wire)
    try await tellMedia(.capabilities(wire), of: attendee, in: meeting)
    insist(on: .boardCapabilities(request), in: meeting)
    try await tell(.setCapabilities(request), in: meeting)
  }

  private func decide(
    on attendee: AttendeeID, in meeting: MeetingID, _ change: (inout V1.GatewaySession) -> Void
  ) {
    decisions += 1
    for session in sessions.all
    where session.meeting == meeting && session.participant.attendee == attendee {
      change(&session.record)
    }
  }

  /// Takes over from the store what operators have decided, also through other gateways: a service
  /// that knows nobody must not be told what was so when a session began.
  func learnDecisions() async throws(Status) {
    var attendees: [AttendeeID: Attendee]
    var known: UInt64
    repeat {
      known = decisions
      do throws(StorageError) {
        attendees = try await store.attendees(of: Set(sessions.all.map(\.meeting)))
      } catch {
        throw error.status
      }
      // One that was made here meanwhile is newer than what was read.
    } while known != decisions
    for session in sessions.all {
      // Who is deleted is told so by presence.
      guard let attendee = attendees[session.participant.attendee] else { continue }
      session.record.isMutedByOperator = attendee.isMutedByOperator
      session.record.capabilities = V1.Capabilities(attendee.capabilities)
    }
  }

  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot {
    guard let owner = presence.owner(of: meeting) else { throw Self.presenceIsAway }
    return try await owner.client.snapshot(
      V1.SnapshotRequest(meetingID: meeting.text), options: CallOptions(timeout: .seconds(2)))
  }

  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay {
    guard let owner = messaging.owner(of: meeting) else { throw Self.messagingIsAway }
    let options = CallOptions(timeout: .seconds(2))
    var request = V1.MessageReplayRequest(meetingID: meeting.text, afterSequence: sequence)
    guard sequence > 0 else { return try await owner.client.replay(request, options: options) }
    // A place means something within its numbering only; it is asked for, with nothing behind it.
    request.throughSequence = 1
    request.epoch = try await owner.client.replay(request, options: options).epoch
    request.throughSequence = 0
    return try await owner.client.replay(request, options: options)
  }

  func occupiedMeetings() -> [MeetingID] {
    rosters.values.filter { !$0.sessions.isEmpty }.map(\.meeting)
  }

  func areServicesReachable() -> Bool { presence.isHeard }

  func isMessagingReachable() -> Bool { messaging.isHeard }

  func areTilesReachable() -> Bool { tiles.isHeard }

  func isMediaReachable() -> Bool { media.isHeard }

  /// What somebody may do who is deleted.
  private static let nothing = V1.Capabilities(audio: .none, video: .none, content: .none)

  /// Media hears first what an attendee may not do any more; all sessions of it are meant.
  private func tellMedia(
    _ change: V1.SetSendRightsRequest.Change, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    let board = sessions.all.first { $0.meeting == meeting }?.boardMeeting ?? meeting
    try await tellMedia(change, of: ParticipantID(attendee), in: board)
  }

  /// Tells presence, again and again while it is away: what the store says must take effect.
  private func tell(
    _ notice: PresenceNotice, in meeting: MeetingID
  ) async throws(Status) {
    let deadline = thread.now + Self.longestTelling
    while true {
      let status: Status
      do throws(Status) {
        guard let owner = presence.owner(of: meeting) else { throw Self.presenceIsAway }
        return try await send(notice, to: owner.client)
      } catch {
        status = error
      }
      switch status.code {
      case .notFound: return  // Nobody of that meeting or attendee is present: nothing to tell.
      case .unavailable, .deadlineExceeded, .aborted: break
      default: throw status
      }
      guard thread.now < deadline, !isDraining else { throw status }
      do { try await Task.sleep(for: .milliseconds(200)) } catch { throw status }
    }
  }

  // A switch rather than a closure: an async closure that captures nothing of the actor runs wherever
  // it likes, and a channel must be called on its thread.
  private func send(_ notice: PresenceNotice, to presence: PresenceClient) async throws(Status) {
    let options = CallOptions(timeout: .seconds(2))
    switch notice {
    case .endMeeting(let request): _ = try await presence.endMeeting(request, options: options)
    case .endAttendee(let request): _ = try await presence.endAttendee(request, options: options)
    case .setMutedByOperator(let request):
      _ = try await presence.setMutedByOperator(request, options: options)
    case .setCapabilities(let request):
      _ = try await presence.setCapabilities(request, options: options)
    }
  }

  /// Longer than a restart of presence and shorter than a caller's patience. What could not be told by
  /// then is told by the next look through the occupied meetings (`MeetingExpiry`).
  private static let longestTelling = Duration.seconds(4)
}

/// What presence is told of a change in the store.
private enum PresenceNotice {
  case endMeeting(V1.EndMeetingRequest)
  case endAttendee(V1.EndAttendeeRequest)
  case setMutedByOperator(V1.SetMutedByOperatorRequest)
  case setCapabilities(V1.SetCapabilitiesRequest)
}

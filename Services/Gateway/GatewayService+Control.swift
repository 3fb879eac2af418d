import Bus
import MeetingModel
import Wire
import ZeroMQ

// What the control plane has changed in the store, told to presence until presence has taken it.
extension GatewayService: ControlEffects {
  func endMeeting(_ id: MeetingID, status: Status) async throws(Status) {
    let request = V1.EndMeetingRequest(meetingID: id.text, status: V1.Status(status))
    try await tell { (client, options) async throws(Status) in
      _ = try await client.endMeeting(request, options: options)
    }
  }

  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    let request = V1.EndAttendeeRequest(meetingID: meeting.text, attendeeID: id.text)
    try await tell { (client, options) async throws(Status) in
      _ = try await client.endAttendee(request, options: options)
    }
  }

  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    for session in sessions.all
    where session.meeting == meeting && session.participant.attendee == attendee {
      session.record.isMutedByOperator = isMuted
    }
    let request = V1.SetMutedByOperatorRequest(
      meetingID: meeting.text, attendeeID: attendee.text, isMuted: isMuted)
    try await tell { (client, options) async throws(Status) in
      _ = try await client.setMutedByOperator(request, options: options)
    }
  }

  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    let wire = V1.Capabilities(capabilities)
    for session in sessions.all
    where session.meeting == meeting && session.participant.attendee == attendee {
      session.record.capabilities = wire
    }
    let request = V1.SetCapabilitiesRequest(
      meetingID: meeting.text, attendeeID: attendee.text, capabilities: wire)
    try await tell { (client, options) async throws(Status) in
      _ = try await client.setCapabilities(request, options: options)
    }
  }

  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot {
    guard let presence else { throw Self.presenceIsAway }
    return try await presence.client.snapshot(V1.SnapshotRequest(meetingID: meeting.text))
  }

  func occupiedMeetings() -> [MeetingID] { hubs.values.filter { !$0.sessions.isEmpty }.map(\.meeting) }

  func areServicesReachable() -> Bool { presence?.isHeard ?? false }

  /// Tells presence, again and again while it is away: what the store says must take effect.
  private func tell(
    _ send: (PresenceClient, CallOptions) async throws(Status) -> Void
  ) async throws(Status) {
    let deadline = thread.now + Self.longestTelling
    while true {
      let status: Status
      do throws(Status) {
        guard let presence else { throw Self.presenceIsAway }
        return try await send(presence.client, CallOptions(timeout: .seconds(2)))
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

  /// Longer than any restart of presence; after that the caller is told, and asks again.
  private static let longestTelling = Duration.seconds(20)
}

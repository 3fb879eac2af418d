import MeetingModel
import Storage

/// The admission of guests from the web page, one at a time.
///
/// Because the actor admits guests one at a time, two guests who join at the same time with the
/// same name get different display names.
actor LobbyAdmission {
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// The maximum number of waiting guests.
  private static let mostWaiting = 1_000

  /// Admits a guest to a meeting. Creates the meeting if the caller may create one.
  ///
  /// - Parameters:
  ///   - name: The meeting's name, or its id.
  ///   - user: The guest's name. If another attendee already has this name, the method adds a
  ///     number to the name.
  ///   - base: The base of a new meeting's URLs; `nil` if the call must not create a meeting.
  /// - Returns: The meeting, the guest, and whether the guest started the meeting.
  /// - Throws: `notFound` if the meeting does not exist; `failedPrecondition` for a locked meeting;
  ///   `unavailable` if too many guests wait.
  func join(
    _ name: EnteredMeetingName, as user: DisplayName, creating base: String?,
    _ control: ControlPlane
  ) async throws(Status) -> (meeting: Meeting, guest: IssuedAttendee, isNew: Bool) {
    try await enter()
    defer { leave() }
    let (meeting, isNew) = try await find(name, creating: base, control)
    guard !meeting.isLocked else {
      throw Status(
        .failedPrecondition, "The meeting is locked; ask its organizer to unlock it.",
        reason: .meetingLocked)
    }
    let request = try await guest(user, in: meeting.id, control)
    let issued = try await control.createAttendee(request, in: meeting.id)
    return (meeting, issued, isNew)
  }

  /// Admits a guest whom a host lets into a locked meeting. If this fails, the meeting has no new
  /// attendee.
  ///
  /// - Throws: The errors of ``join(_:as:creating:_:)``.
  func admit(
    _ user: DisplayName, to meeting: Meeting, _ control: ControlPlane
  ) async throws(Status) -> IssuedAttendee {
    try await enter()
    defer { leave() }
    let issued = try await control.createAttendee(
      try await guest(user, in: meeting.id, control), in: meeting.id)
    do throws(Status) {
      try await control.letIn(issued.attendee.id, to: meeting.id)
    } catch {
      try await control.deleteAttendee(issued.attendee.id, in: meeting.id)
      throw error
    }
    return issued
  }

  /// Returns an existing meeting by its name or its id.
  ///
  /// - Throws: `notFound`.
  func meeting(
    _ name: EnteredMeetingName, _ control: ControlPlane
  ) async throws(Status) -> Meeting {
    try await find(name, creating: nil, control).0
  }

  private func enter() async throws(Status) {
    guard isBusy else {
      isBusy = true
      return
    }
    guard waiting.count < Self.mostWaiting else {
      throw Status(
        .unavailable, "Too many clients are joining at once; try again later.", reason: .overloaded)
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
  }

  private func find(
    _ name: EnteredMeetingName, creating base: String?, _ control: ControlPlane
  ) async throws(Status) -> (Meeting, isNew: Bool) {
    if let id = try? MeetingID(name.text) { return (try await control.meeting(id), false) }
    let external = name.externalID
    if let found = try await control.newestPrimaryMeeting(named: external.text) {
      return (found, false)
    }
    guard let base else {
      throw Status(
        .notFound, "No meeting has this name or id; check the name, or start the meeting.")
    }
    let token: ClientRequestToken
    do throws(InvalidModelValue) {
      token = try ClientRequestToken(GUID.random().text)
    } catch {
      throw error.status
    }
    let request = MeetingRequest(
      token: token, fingerprint: RequestFingerprint(of: Array("Lobby\n\(external.text)".utf8)),
      externalID: external, region: control.settings.defaultRegion, placementBase: base)
    return (try await control.createMeeting(request).meeting, true)
  }

  /// Returns a request for an attendee with an unused external user id. The attendee's display name
  /// is `Ada`, or `Ada (2)` if another attendee has the name `Ada`.
  private func guest(
    _ user: DisplayName, in meeting: MeetingID, _ control: ControlPlane
  ) async throws(Status) -> AttendeeRequest {
    var (ids, names, position): (Set<String>, Set<String>, Int64) = ([], [], 0)
    while true {
      let page = try await control.listAttendees(in: meeting, after: position, limit: 100)
      for attendee in page.elements.map(\.attendee) {
        ids.insert(attendee.externalUserID.text)
        names.insert(attendee.displayName?.text ?? attendee.externalUserID.text)
      }
      guard let next = page.next else { break }
      position = next
    }
    do throws(InvalidModelValue) {
      var (name, number) = (user, 1)
      while names.contains(name.text) {
        number += 1
        name = try user.appending(" (\(number))")
      }
      var generator = SystemRandomNumberGenerator()
      let id = try GuestIDGenerator.make(for: user, avoiding: ids, using: &generator)
      return AttendeeRequest(externalUserID: id, displayName: name)
    } catch {
      throw error.status
    }
  }
}

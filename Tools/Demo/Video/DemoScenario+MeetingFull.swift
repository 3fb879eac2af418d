internal import CarillonClient
internal import MeetingViews
internal import Output

/// The step about a meeting that has no free seat.
extension DemoScenario {
  /// The number of seats in a meeting of the demo's own installation: a seat for each client that
  /// sends camera video, a seat for the view-only client, and a free seat.
  static let seats = 27

  /// Promotes two attendees of an audience while one seat is free.
  ///
  /// The server refuses the second promotion. A retry succeeds after the first attendee has freed
  /// the seat.
  func meetingFull(_ cast: DemoVideoMeeting) async throws -> OutputRecord {
    let replica = try await control.createMeeting(
      externalMeetingID: "carillon-demo-gallery", replicaOf: cast.meetingID)
    var guests: [DemoMediaClient] = []
    defer { for guest in guests { guest.stop() } }
    for name in ["yan", "zoe"] {
      guests.append(DemoMediaClient(try await createAttendee(name, in: replica)))
    }
    let (yan, zoe) = (guests[0], guests[1])
    let (first, second) = (
      try await createAttendee("first", in: cast.meeting).credentials,
      try await createAttendee("second", in: cast.meeting).credentials
    )
    for guest in guests {
      try guest.start()
      try await guest.hear("its session started", within: .seconds(40)) { $0 == .joined }
    }
    _ = try await promote(yan, as: first)
    let mark = zoe.journal.count
    zoe.session.audioVideo.promoteToPrimaryMeeting(credentials: second, observer: zoe)
    let full = Int(MeetingSessionStatusCode.audioCallAtCapacity.rawValue)
    try await zoe.hear("the promotion is refused", since: mark, within: Self.soon) {
      $0 == .promoted(status: full)
    }
    yan.session.audioVideo.demoteFromPrimaryMeeting()
    try await zoe.hear("a seat is free", since: mark, within: Self.soon) {
      $0 == .went(first.attendeeId)
    }
    let promoted = try await promote(zoe, as: second)
    return [
      "seats": JSONValue(Self.seats), "refused_with": JSONValue(full),
      "promoted_ms": JSONValue(promoted.milliseconds),
    ]
  }
}

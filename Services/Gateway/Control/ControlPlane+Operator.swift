import MeetingModel
import Storage
import Wire

// Carries out the operations of the operator's tools. The requests and answers of these operations
// are messages of the protocol.
extension ControlPlane {
  // MARK: Meetings

  /// Creates a meeting. For empty members of the request, the gateway generates values or takes
  /// them from the configuration.
  func create(_ request: V1.CreateMeetingRequest) async throws(Status) -> V1.MeetingRecord {
    let created = try await createMeeting(meetingRequest(request))
    return await record(of: created.meeting)
  }

  func show(_ request: V1.GetMeetingRequest) async throws(Status) -> V1.MeetingRecord {
    await record(of: try await meeting(Self.meetingID(request.meetingID)))
  }

  func list(_ request: V1.ListMeetingsRequest) async throws(Status) -> V1.ListMeetingsReply {
    let limit = try Self.pageSize(request.limit)
    let position = try await position(of: request.afterMeetingID)
    let page = try await listMeetings(after: position, limit: limit)
    var reply = V1.ListMeetingsReply(hasMore: page.next != nil)
    var rosters = PresentAttendeeLookup(effects)
    for meeting in page.elements {
      let present = await rosters.present(in: meeting.id).count
      reply.meetings.append(await record(of: meeting, present: present))
    }
    return reply
  }

  func delete(_ request: V1.DeleteMeetingRequest) async throws(Status) -> V1.DeleteMeetingReply {
    try await endMeeting(Self.meetingID(request.meetingID), because: .deleted)
    return V1.DeleteMeetingReply()
  }

  // MARK: Attendees

  /// Creates an attendee. Only this answer contains the join token.
  func create(_ request: V1.CreateAttendeeRequest) async throws(Status) -> V1.AttendeeRecord {
    let meeting = try Self.meetingID(request.meetingID)
    let asked: AttendeeRequest
    do throws(InvalidModelValue) {
      asked = AttendeeRequest(
        externalUserID: try ExternalUserID(request.externalUserID),
        displayName: request.displayName.isEmpty
          ? nil : try DisplayName(typed: request.displayName),
        capabilities: try request.capabilities.map { value throws(InvalidModelValue) in
          try AttendeeCapabilities(value)
        })
    } catch {
      throw error.status
    }
    let issued = try await createAttendee(asked, in: meeting)
    var rosters = PresentAttendeeLookup(effects)
    let present = await rosters.present(in: meeting)
    var record = Self.record(of: issued.attendee, present: present)
    record.joinToken = issued.joinToken.text
    return record
  }

  func list(_ request: V1.ListAttendeesRequest) async throws(Status) -> V1.ListAttendeesReply {
    let limit = try Self.pageSize(request.limit)
    let meeting = try Self.meetingID(request.meetingID)
    let position = try await position(of: request.afterAttendeeID, in: meeting)
    let page = try await listAttendees(in: meeting, after: position, limit: limit)
    var rosters = PresentAttendeeLookup(effects)
    let present = await rosters.present(in: meeting)
    return V1.ListAttendeesReply(
      attendees: page.elements.map { Self.record(of: $0.attendee, present: present) },
      hasMore: page.next != nil)
  }

  func delete(_ request: V1.DeleteAttendeeRequest) async throws(Status) -> V1.DeleteAttendeeReply {
    try await deleteAttendee(
      Self.attendeeID(request.attendeeID), in: Self.meetingID(request.meetingID))
    return V1.DeleteAttendeeReply()
  }

  func demote(
    _ request: V1.DemoteAttendeeRequest
  ) async throws(Status) -> V1.DemoteAttendeeReply {
    let wasPromoted = try await demote(
      Self.attendeeID(request.attendeeID), in: Self.meetingID(request.meetingID))
    return V1.DemoteAttendeeReply(wasPromoted: wasPromoted)
  }

  func setMuted(
    _ request: V1.SetMutedByOperatorRequest
  ) async throws(Status) -> V1.SetMutedByOperatorReply {
    try await setMutedByOperator(
      request.isMuted, attendee: Self.attendeeID(request.attendeeID),
      in: Self.meetingID(request.meetingID))
    return V1.SetMutedByOperatorReply()
  }

  /// Returns a page of a meeting's messages. For a replica, these are the messages of its primary.
  func messages(_ request: V1.ListMessagesRequest) async throws(Status) -> V1.ListMessagesReply {
    let meeting = try await meeting(Self.meetingID(request.meetingID))
    let page = try await effects.messages(
      of: meeting.primaryID ?? meeting.id, after: request.afterSequence)
    let now = UInt64(clamping: settings.now())
    let messages = page.events.compactMap { try? V1.SessionEvents(packed: $0.body).events.first }
    return V1.ListMessagesReply(
      messages: messages.compactMap { event in
        guard case .dataMessage(let message) = event.event,
          message.timestampMs + UInt64(message.lifetimeMs) > now
        else { return nil }
        return message
      },
      throughSequence: page.throughSequence, hasMore: page.hasMore)
  }

  /// Returns a meeting's roster, or an empty roster if no attendee has joined.
  func roster(_ request: V1.GetRosterRequest) async throws(Status) -> V1.RosterSnapshot {
    let id = try Self.meetingID(request.meetingID)
    _ = try await meeting(id)
    do throws(Status) {
      return try await effects.roster(of: id)
    } catch {
      guard error.code == .notFound else { throw error }
      return V1.RosterSnapshot(meetingID: id.text)
    }
  }

  /// Returns the meeting whose tile board contains the requested meeting's video.
  func board(of request: V1.WatchTilesRequest) async throws(Status) -> MeetingID {
    let meeting = try await meeting(Self.meetingID(request.meetingID))
    return meeting.primaryID ?? meeting.id
  }

  /// Returns the video that an attendee of a meeting receives now, from each source.
  ///
  /// The result has no receiver if the attendee is not connected.
  ///
  /// - Throws: `notFound` if the meeting or the attendee does not exist.
  func receivedVideo(
    of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) -> AttendeeReceivedVideo {
    _ = try await self.attendee(attendee, in: meeting)
    let board = try await board(of: V1.WatchTilesRequest(meetingID: meeting.text))
    do throws(Status) {
      return AttendeeReceivedVideo(of: attendee, in: try await effects.decision(on: board))
    } catch {
      guard error.code == .notFound else { throw error }
      return AttendeeReceivedVideo(of: attendee, in: V1.ForwardingUpdate())
    }
  }

  // MARK: Reading requests

  private func meetingRequest(
    _ request: V1.CreateMeetingRequest
  ) throws(Status) -> MeetingRequest {
    do throws(InvalidModelValue) {
      let made = GUID.random().text
      let token = request.clientRequestToken
      return MeetingRequest(
        token: try ClientRequestToken(token.isEmpty ? made : token),
        fingerprint: fingerprint(of: request),
        externalID: try ExternalMeetingID(
          request.externalMeetingID.isEmpty
            ? "meeting-\(made.prefix(8))" : request.externalMeetingID),
        region: request.mediaRegion.isEmpty
          ? settings.defaultRegion
          : try MediaRegion(request.mediaRegion, additional: settings.additionalRegions),
        features: try MeetingFeatures(
          maxAttendees: request.maxAttendees == 0 ? nil : Int(request.maxAttendees),
          upTo: settings.maxAttendees),
        primaryID: request.primaryMeetingID.isEmpty
          ? nil : try MeetingID(request.primaryMeetingID),
        placementBase: (settings.publicURL ?? settings.localURL).text)
    } catch {
      throw error.status
    }
  }

  /// Returns the fingerprint of the values that the client sent. The fingerprint excludes generated
  /// values.
  private func fingerprint(of request: V1.CreateMeetingRequest) -> RequestFingerprint {
    let members: [String: JSONValue] = [
      "ExternalMeetingId": .string(request.externalMeetingID),
      "MediaRegion": .string(request.mediaRegion),
      "MaxAttendees": .integer(Int64(request.maxAttendees)),
      "PrimaryMeetingId": .string(request.primaryMeetingID),
    ]
    return RequestFingerprint(of: Array(("Operator\n" + JSONValue.object(members).text).utf8))
  }

  static func meetingID(_ text: String) throws(Status) -> MeetingID {
    do { return try MeetingID(text) } catch { throw error.status }
  }

  static func attendeeID(_ text: String) throws(Status) -> AttendeeID {
    do { return try AttendeeID(text) } catch { throw error.status }
  }

  private static func pageSize(_ limit: UInt32) throws(Status) -> Int {
    guard limit != 0 else { return 100 }
    guard limit <= 1_000 else {
      throw Status(.invalidArgument, "A page must have 1-1000 entries; got \(limit).")
    }
    return Int(limit)
  }

  /// Returns the position of the page that follows the meeting with this id; 0 if `text` is empty.
  private func position(of text: String) async throws(Status) -> Int64 {
    guard !text.isEmpty else { return 0 }
    let id = try Self.meetingID(text)
    var position: Int64 = 0
    while true {
      let page = try await listMeetings(after: position, limit: 1_000)
      if let index = page.elements.firstIndex(where: { $0.id == id }) {
        // This call requests a page whose last entry is the meeting. The answer's `next` is then
        // the position after the meeting.
        return try await listMeetings(after: position, limit: index + 1).next ?? .max
      }
      guard let next = page.next else {
        throw Status(.aborted, "The meeting \(text) has ended; list from the beginning.")
      }
      position = next
    }
  }

  /// Returns the position of the page that follows the attendee with this id; 0 if `text` is empty.
  private func position(
    of text: String, in meeting: MeetingID
  ) async throws(Status) -> Int64 {
    guard !text.isEmpty else { return 0 }
    let id = try Self.attendeeID(text)
    do {
      return try await store.attendee(id, in: meeting).attendee.ordinal
    } catch {
      guard case .attendeeNotFound = error else { throw report(error) }
      throw Status(.aborted, "The attendee \(text) is deleted; list from the beginning.")
    }
  }

  // MARK: Records

  private func record(of meeting: Meeting) async -> V1.MeetingRecord {
    var rosters = PresentAttendeeLookup(effects)
    return await record(of: meeting, present: rosters.present(in: meeting.id).count)
  }

  private func record(of meeting: Meeting, present: Int) async -> V1.MeetingRecord {
    // The store has no attendees of a meeting that has just ended, so the count is 0.
    let attendees = try? await store.listAttendees(in: meeting.id, limit: 1_000).elements.count
    return V1.MeetingRecord(
      meetingID: meeting.id.text, externalMeetingID: meeting.externalID.text,
      mediaRegion: meeting.region.text, primaryMeetingID: meeting.primaryID?.text ?? "",
      createdAtMs: UInt64(clamping: meeting.createdAt),
      maxAttendees: UInt32(clamping: meeting.features.maxAttendees),
      attendees: UInt32(clamping: attendees ?? 0), present: UInt32(clamping: present),
      gatewayURL: settings.gatewayURL, isLocked: meeting.isLocked)
  }

  private static func record(of attendee: Attendee, present: Set<String>) -> V1.AttendeeRecord {
    V1.AttendeeRecord(
      meetingID: attendee.meetingID.text, attendeeID: attendee.id.text,
      externalUserID: attendee.externalUserID.text,
      capabilities: V1.Capabilities(attendee.capabilities),
      isMutedByOperator: attendee.isMutedByOperator,
      isPresent: present.contains(attendee.id.text),
      createdAtMs: UInt64(clamping: attendee.createdAt), isBarred: attendee.isBarred,
      displayName: attendee.displayName?.text ?? "")
  }
}

/// The rosters of several meetings, for the count of present attendees.
///
/// After the first error of `presence`, all further rosters are empty.
private struct PresentAttendeeLookup {
  private let effects: any ControlEffects
  private var isAway = false

  init(_ effects: any ControlEffects) { self.effects = effects }

  /// Returns the attendee ids in a meeting's roster, excluding content shares.
  mutating func present(in meeting: MeetingID) async -> Set<String> {
    guard !isAway else { return [] }
    do throws(Status) {
      let roster = try await effects.roster(of: meeting)
      return Set(
        roster.entries.compactMap { entry in
          guard let id = entry.attendee?.attendeeID, let participant = try? ParticipantID(id),
            !participant.isContent
          else { return nil }
          return participant.attendee.text
        })
    } catch {
      isAway = error.code != .notFound
      return []
    }
  }
}

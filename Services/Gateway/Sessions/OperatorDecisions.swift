import MeetingModel
import Storage
import Wire

/// What operators decided of attendees: it lives in the store, and each session's record repeats it
/// for the services.
final class OperatorDecisions {
  private unowned let context: GatewayContext

  /// How many were made through this gateway.
  private var count: UInt64 = 0

  init(_ context: GatewayContext) { self.context = context }

  /// A decision was made through this gateway, and is in the store.
  func note(
    on attendee: AttendeeID, in meeting: MeetingID, _ change: (inout V1.GatewaySession) -> Void
  ) {
    count += 1
    for session in context.sessions.all {
      if session.meeting == meeting, session.participant.attendee == attendee {
        change(&session.record)
      }
      if session.sourceMeeting == meeting, session.promotion.record?.participantID == attendee.text
      {
        session.promotion.change(change)
      }
    }
  }

  /// Takes over from the store what operators have decided, also through other gateways: a service
  /// that knows nobody must not be told what was so when a session began.
  ///
  /// - Returns: Whom they have deleted or sent away who has a session here, or is promoted by one.
  ///   Presence ends these, if it is told.
  /// - Throws: Why the store does not answer.
  @discardableResult
  func refresh() async throws(Status) -> UnwantedMembers {
    // Who comes while the store is read may be newer than what is read.
    let present = members
    var attendees: [AttendeeID: Attendee]
    var known: UInt64
    repeat {
      known = count
      do throws(StorageError) {
        let meetings = Set(context.sessions.all.flatMap { [$0.meeting, $0.sourceMeeting] })
        attendees = try await context.store.attendees(of: meetings)
      } catch {
        throw error.status
      }
      // One that was made here meanwhile is newer than what was read.
    } while known != count
    for session in context.sessions.all {
      if let attendee = attendees[session.participant.attendee] {
        session.record.take(attendee)
      }
      session.promotion.change { record in
        let promoted = try? ParticipantID(record.participantID).attendee
        if let attendee = promoted.flatMap({ attendees[$0] }) { record.take(attendee) }
      }
    }
    return UnwantedMembers(
      deleted: present.filter { attendees[$0.attendee] == nil },
      barred: present.filter { attendees[$0.attendee]?.isBarred == true })
  }

  /// Whoever acts through this gateway, and where.
  private var members: Set<MeetingMember> {
    context.sessions.all.reduce(into: []) { members, session in
      members.insert(
        MeetingMember(attendee: session.participant.attendee, meeting: session.meeting))
      guard session.promotion.record != nil else { return }
      members.insert(
        MeetingMember(attendee: session.actorID.attendee, meeting: session.sourceMeeting))
    }
  }
}

/// An attendee of a meeting.
struct MeetingMember: Hashable, Sendable {
  let attendee: AttendeeID
  let meeting: MeetingID
}

/// Those who must not be in their meetings any more.
struct UnwantedMembers {
  var deleted: Set<MeetingMember>
  var barred: Set<MeetingMember>
}

extension V1.GatewaySession {
  fileprivate mutating func take(_ attendee: Attendee) {
    isMutedByOperator = attendee.isMutedByOperator
    capabilities = V1.Capabilities(attendee.capabilities)
  }
}

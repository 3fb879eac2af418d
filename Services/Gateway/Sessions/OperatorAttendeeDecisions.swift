import MeetingModel
import Storage
import Wire

/// The operators' decisions about attendees.
///
/// The store keeps the decisions. The record of each session contains a copy for the services.
final class OperatorAttendeeDecisions {
  private unowned let context: GatewayContext

  /// The number of decisions that operators made through this gateway.
  private var count: UInt64 = 0

  init(_ context: GatewayContext) { self.context = context }

  /// Copies a decision to the records of sessions. An operator made this decision through this
  /// gateway, and the store already contains the decision.
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

  /// Reads the operators' decisions from the store, including decisions made through other
  /// gateways.
  ///
  /// A service that has lost its state must receive the present decisions, and not the decisions
  /// that were valid at the start of a session.
  ///
  /// - Returns: The deleted and the barred attendees that act at this gateway, in their own session
  ///   or in a promoted session. The caller notifies `presence`, which then ends these sessions.
  /// - Throws: The store's error.
  @discardableResult
  func refresh() async throws(Status) -> AttendeesToRemove {
    // An attendee who arrives during the read may be missing from the result, although no operator
    // deleted this attendee.
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
      // If an operator made a decision through this gateway during the read, the result of the read
      // may be outdated.
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
    return AttendeesToRemove(
      deleted: present.filter { attendees[$0.attendee] == nil },
      barred: present.filter { attendees[$0.attendee]?.isBarred == true })
  }

  /// The attendees that act through this gateway, each with its meeting. Each of them has a session
  /// at this gateway, or is the attendee as whom a promoted session at this gateway acts.
  private var members: Set<AttendeeInMeeting> {
    context.sessions.all.reduce(into: []) { members, session in
      members.insert(
        AttendeeInMeeting(attendee: session.participant.attendee, meeting: session.meeting))
      guard session.promotion.record != nil else { return }
      members.insert(
        AttendeeInMeeting(attendee: session.actorID.attendee, meeting: session.sourceMeeting))
    }
  }
}

/// An attendee and its meeting.
struct AttendeeInMeeting: Hashable, Sendable {
  let attendee: AttendeeID
  let meeting: MeetingID
}

/// The attendees who must not be in their meetings any more: deleted or barred attendees.
struct AttendeesToRemove {
  var deleted: Set<AttendeeInMeeting>
  var barred: Set<AttendeeInMeeting>
}

extension V1.GatewaySession {
  fileprivate mutating func take(_ attendee: Attendee) {
    isMutedByOperator = attendee.isMutedByOperator
    capabilities = V1.Capabilities(attendee.capabilities)
  }
}

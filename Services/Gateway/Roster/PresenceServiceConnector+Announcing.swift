import Bus
import MeetingModel
import Wire

// Announces sessions to an instance of `presence` that has a new term.
extension PresenceServiceConnector {
  /// Announces the sessions of this gateway to an instance, in parts.
  func announce(to link: ServiceLink<PresenceClient>) async throws(Status) {
    // The announcement does not list opening sessions, so each opening session joins again.
    for session in context.sessions.opening where follower.owner(of: session.meeting) === link {
      context.coordinator.sessionLacks(session.number, Self.id)
    }
    let settling = settlingTime(of: link)
    if settling > .zero {
      try await tellSessions(to: link, isLast: false)
      do { try await Task.sleep(for: settling) } catch { throw .cancelledHere }
    }
    try await tellSessions(to: link, isLast: true)
  }

  private func tellSessions(
    to link: ServiceLink<PresenceClient>, isLast: Bool
  ) async throws(Status) {
    try await tellDeletions(to: link)
    // All parts of the announcement use the same membership, even if the membership changes during
    // the announcement.
    let membership = follower.membership
    let promoted = context.sessions.all
      .filter { follower.owner(of: $0.sourceMeeting) === link }
      .compactMap(\.promotion.record)
    for part in promoted.parts(of: Self.sessionsPerAnnouncement) where !part.isEmpty {
      endPromotions(try await tell(part, isLast: false, seeing: membership, to: link).refused)
    }
    let records = context.sessions.all
      .filter { follower.owner(of: $0.meeting) === link }
      .map(\.record)
    let parts = records.parts(of: Self.sessionsPerAnnouncement)
    for (index, part) in parts.enumerated() {
      let isLastPart = index == parts.count - 1
      let reply = try await tell(
        part, isLast: isLast && isLastPart, seeing: membership, to: link)
      end(reply.refused, replaced: Set(reply.unknownSessions))
    }
  }

  /// Reports the attendees whom operators deleted or barred while `presence` did not answer, so
  /// that `presence` does not admit them again.
  private func tellDeletions(to link: ServiceLink<PresenceClient>) async throws(Status) {
    // If the store fails, the gateway still announces its sessions. Otherwise `presence` would drop
    // all these sessions.
    guard let unwanted = try? await context.decisions.refresh() else { return }
    for member in unwanted.barred where follower.owner(of: member.meeting) === link {
      let request = V1.SetBarredRequest(
        meetingID: member.meeting.text, attendeeID: member.attendee.text, isBarred: true)
      _ = try await link.client.setBarred(request, options: CallOptions())
    }
    for member in unwanted.deleted where follower.owner(of: member.meeting) === link {
      let request = V1.EndAttendeeRequest(
        meetingID: member.meeting.text, attendeeID: member.attendee.text)
      _ = try await link.client.endAttendee(request, options: CallOptions())
    }
  }

  private func tell(
    _ records: [V1.GatewaySession], isLast: Bool, seeing membership: UInt64,
    to link: ServiceLink<PresenceClient>
  ) async throws(Status) -> V1.AnnounceReply {
    let request = V1.AnnounceRequest(
      gateway: context.settings.instance, sessions: records, last: isLast, gatewayRun: context.run,
      membership: membership)
    follower.willAnnounce(to: link)
    return try await link.client.announce(request, options: CallOptions())
  }

  /// Returns how long the gateway waits before it declares its list of sessions complete.
  ///
  /// After this time, `presence` reports sessions that are missing from the list as dropped.
  ///
  /// Until then, clients of this gateway's previous run can return, and opening sessions can join
  /// again. In the first term of `presence`, the gateway does not wait, because no session can be
  /// missing.
  private func settlingTime(of link: ServiceLink<PresenceClient>) -> Duration {
    guard link.term > 1 else { return .zero }
    let returning = Self.returnTime - (context.now - context.openedAt)
    let isOpening = context.sessions.isOpening || context.admissions > 0
    return max(returning, isOpening ? Self.reopeningTime : .zero)
  }

  /// How long clients may take to reconnect. A client's longest pause between two attempts is
  /// shorter than this time.
  private static let returnTime = Duration.seconds(3)

  /// How long opening sessions may take to join again. The pause between two attempts is shorter
  /// than this time.
  private static let reopeningTime = Duration.milliseconds(250)

  private static let sessionsPerAnnouncement = 200

  /// Ends the sessions that `presence` rejects, each with the reason for the rejection.
  private func end(_ refused: [V1.RefusedSession], replaced: Set<[UInt8]>) {
    for refusal in refused {
      guard let id = SessionID(bytes: refusal.sessionID), let session = context.sessions[id] else {
        continue
      }
      let status = refusal.status.flatMap { Status($0) }
      let isReplaced = replaced.contains(refusal.sessionID)
      context.coordinator.end(session, status ?? (isReplaced ? Self.replaced : nil), .byPresence)
    }
  }

  /// Ends the promotions that `presence` refuses because the primary has no free place.
  ///
  /// The sessions of these promotions continue in their replicas.
  private func endPromotions(_ refused: [V1.RefusedSession]) {
    for refusal in refused {
      guard let id = SessionID(bytes: refusal.sessionID), let session = context.sessions[id],
        let status = refusal.status.flatMap({ Status($0) })
      else { continue }
      context.coordinator.endPromotion(of: session, with: status)
    }
  }

  private static let replaced = Status(
    .failedPrecondition,
    """
    A newer session of the same attendee replaced this session; give each program its own \
    attendee.
    """,
    session: .audioJoinedFromAnotherDevice, reason: .joinedElsewhere)
}

extension Status {
  /// The error of a call after the cancellation of the call's task.
  static let cancelledHere = Status(.cancelled, "This gateway does not need the answer any more.")
}

extension Array {
  /// Returns the elements in order, in parts of at most `size`; one empty part if there are none.
  fileprivate func parts(of size: Int) -> [[Element]] {
    guard !isEmpty else { return [[]] }
    return stride(from: 0, to: count, by: size).map {
      Array(self[$0..<Swift.min($0 + size, count)])
    }
  }
}

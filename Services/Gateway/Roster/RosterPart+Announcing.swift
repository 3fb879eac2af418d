import Bus
import MeetingModel
import Wire

// What presence is told when it has a new term.
extension RosterPart {
  /// Tells an instance who is connected here, in parts.
  func announce(to link: ServiceLink<PresenceClient>) async throws(Status) {
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
    // A store that fails is no reason to lose everybody.
    try? await context.decisions.refresh()
    var records = context.sessions.all
      .filter { follower.owner(of: $0.meeting) === link }
      .map(\.record)[...]
    repeat {
      let part = Array(records.prefix(Self.sessionsPerAnnouncement))
      records = records.dropFirst(part.count)
      let request = V1.AnnounceRequest(
        gateway: context.settings.instance, sessions: part, last: isLast && records.isEmpty,
        gatewayRun: context.run)
      let reply = try await link.client.announce(request, options: CallOptions())
      end(reply.refused, replaced: Set(reply.unknownSessions))
    } while !records.isEmpty
  }

  /// How long the list of sessions is not whole yet, and presence would report who is missing as
  /// gone: clients of this gateway's run before are on their way back, and sessions that are being
  /// opened ask presence again. Presence's first term has nobody to miss.
  private func settlingTime(of link: ServiceLink<PresenceClient>) -> Duration {
    guard link.term > 1 else { return .zero }
    let returning = Self.returnTime - (context.now - context.openedAt)
    let isOpening = context.sessions.isOpening || context.admissions > 0
    return max(returning, isOpening ? Self.reopeningTime : .zero)
  }

  /// Longer than the longest pause between two attempts of a client.
  private static let returnTime = Duration.seconds(3)

  /// Longer than the pause between two attempts to join.
  private static let reopeningTime = Duration.milliseconds(250)

  private static let sessionsPerAnnouncement = 200

  /// Ends the sessions that presence does not let in, each with its reason.
  private func end(_ refused: [V1.RefusedSession], replaced: Set<[UInt8]>) {
    for refusal in refused {
      guard let id = SessionID(bytes: refusal.sessionID), let session = context.sessions[id] else {
        continue
      }
      let status = refusal.status.flatMap { Status($0) }
      let isReplaced = replaced.contains(refusal.sessionID)
      context.end(session, isReplaced ? Self.replaced : status, .byPresence)
    }
  }

  private static let replaced = Status(
    .failedPrecondition, "The same credentials opened a newer session.",
    session: .audioJoinedFromAnotherDevice, reason: .joinedElsewhere)
}

extension Status {
  /// The task that asked was cancelled.
  static let cancelledHere = Status(.cancelled, "This gateway does not need the answer any more.")
}
